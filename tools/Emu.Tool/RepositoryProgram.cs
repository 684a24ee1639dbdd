using System.Diagnostics;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>A program of the repository that a verb runs.</summary>
/// <param name="name">The name that is shown while it is built.</param>
/// <param name="folder">Of its project, from the root; the program is called like it.</param>
internal sealed class RepositoryProgram(string name, string folder)
{
    /// <summary>Builds it for Release and runs it.</summary>
    /// <returns>Its exit code.</returns>
    /// <exception cref="CommandException">It does not build.</exception>
    public int Run(IEnumerable<string> arguments)
    {
        Console.Error.WriteLine($"building {name}");
        var project = Path.Combine(Repository.Root, folder);
        string[] quietly = ["-c", "Release", "-v", "q", "--nologo", "-clp:NoSummary"];
        using (Progress.Of($"building {name}"))
        using (var build = Process.Start(
            new ProcessStartInfo("dotnet", ["build", project, .. quietly]) { RedirectStandardOutput = true })!)
        {
            var output = build.StandardOutput.ReadToEnd();
            build.WaitForExit();
            if (build.ExitCode != 0)
                throw CommandException.Failure($"{name} does not build: {output.ReplaceLineEndings(" ")}");
        }
        using var program = Process.Start(
            "dotnet", [Path.Combine(project, "bin/Release/net10.0", $"{Path.GetFileName(folder)}.dll"), .. arguments]);
        program.WaitForExit();
        return program.ExitCode;
    }
}
