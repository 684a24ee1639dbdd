using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
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
        var begin = DateTime.UtcNow;
        using var make = Process.Start(new ProcessStartInfo(
            "make",
            [
                "-C", folder, "bitstream", $"SHELL_FOLDER={clone}", $"NFPLUS_FOLDER={clone}", $"SUME_FOLDER={clone}",
            ]))!;
        make.WaitForExit();
        if (make.ExitCode != 0) return make.ExitCode;
        var routed = RoutedDesign.Read(folder, clone, begin);
        Console.Out.WriteLine(Summary(manifest, routed));
        return routed.Slack >= 0
            ? 0
            : throw CommandException.Failure(string.Create(
                CultureInfo.InvariantCulture,
                $"board build: a clock is not kept: the slack is {routed.Slack} ns; "
                + $"Vivado's timing report names the path"));
    }

    /// <summary>The figures of the service's module beside the compiler's estimate, and the slack of all.</summary>
    private static string Summary(BoardManifest manifest, RoutedDesign routed)
    {
        string Beside(string kind, string name, long? estimated = null) => string.Create(
            CultureInfo.InvariantCulture,
            $"{routed.Cells[kind]:N0} {name}{(estimated is { } number ? $" (estimated {number:N0})" : "")}");
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{manifest.Top}: {Beside("lut", "LUT", manifest.EstimatedLuts)}, {Beside("ff", "FF")}, "
            + $"{Beside("dsp", "DSP", manifest.EstimatedDsps)}, {Beside("block_ram", "block RAM")}; "
            + $"slack {routed.Slack} ns");
    }
}
