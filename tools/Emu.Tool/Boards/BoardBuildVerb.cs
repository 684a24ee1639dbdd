using System.CommandLine;
using System.Diagnostics;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary><c>emu board build</c></summary>
internal static class BoardBuildVerb
{
    /// <summary>The verb behind <c>board</c>.</summary>
    public const string Name = "build";

    private const string Vivado = "vivado";

    /// <summary>Makes the verb.</summary>
    public static Command Create()
    {
        var folder = new Argument<string>("dir")
        {
            Description = "A project that ./emu board has written",
            HelpName = "DIR",
        };
        var tree = new Option<string?>("--tree")
        {
            Description = "A clone of the shell, at the commit that the project names",
            HelpName = "CLONE",
        };
        var verb = new Command(
            Name, "Build a project with Vivado. Example: ./emu board build build/card --tree ../open-nic-shell")
        {
            folder, tree,
        };
        verb.SetAction(parsed => Build(parsed.GetValue(folder)!, parsed.GetValue(tree)));
        return verb;
    }

    private static int Build(string folder, string? tree)
    {
        var manifest = BoardManifest.Read(folder);
        if (!Prerequisites.IsThere(Vivado))
            throw CommandException.Failure(
                $"board build: {Vivado} is not on the PATH; {manifest.Board} needs Vivado {manifest.Vivado}, from AMD; "
                + "source its settings64.sh, then call this again");
        if (tree is null || !Directory.Exists(tree))
            throw CommandException.Usage(
                $"board build: --tree CLONE is needed, a clone of {manifest.Shell} at {manifest.Commit}");
        var clone = Path.GetFullPath(tree);
        using var make = Process.Start(new ProcessStartInfo(
            "make",
            [
                "-C", folder, "bitstream", $"SHELL_FOLDER={clone}", $"NFPLUS_FOLDER={clone}", $"SUME_FOLDER={clone}",
            ]))!;
        make.WaitForExit();
        return make.ExitCode;
    }
}
