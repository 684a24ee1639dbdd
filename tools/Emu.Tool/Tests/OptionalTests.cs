using System.Diagnostics;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>
/// Test projects that are not in Emu.sln, since packages that they need may not be to be had. Where they are, they are
/// built and run like the others.
/// </summary>
internal static class OptionalTests
{
    /// <summary>Builds them.</summary>
    /// <param name="projects">Folders of test projects.</param>
    /// <returns>Those whose packages cannot be had, each with the reason.</returns>
    /// <exception cref="CommandException">One has its packages and does not build.</exception>
    public static IReadOnlyDictionary<string, string> WithoutPackages(IEnumerable<string> projects)
    {
        var solution = File.ReadAllText(Path.Combine(Repository.Root, "Emu.sln"));
        var left = new Dictionary<string, string>();
        foreach (var project in projects.Where(p => !solution.Contains($"{Path.GetFileName(p)}.csproj")))
        {
            using var progress = Progress.Of($"building {Path.GetFileName(project)}");
            var (code, output) = DotNet("restore", project, "-v", "q", "--nologo");
            if (code != 0)
            {
                left[project] = ReasonIn(output);
                continue;
            }
            (code, output) = DotNet(
                "build", project, "-c", "Release", "--no-restore", "-v", "q", "--nologo", "-clp:NoSummary");
            if (code != 0) throw CommandException.Failure($"{project} does not build: {output.Trim()}");
        }
        return left;
    }

    /// <summary>The first error of a restore, from its number on: <c>NU1101: Unable to find package …</c></summary>
    internal static string ReasonIn(string output)
    {
        var error = output.Split('\n').FirstOrDefault(line => line.Contains("error NU", StringComparison.Ordinal));
        return error is null
            ? "its packages cannot be restored"
            : error[(error.IndexOf("error ", StringComparison.Ordinal) + "error ".Length)..].Trim();
    }

    private static (int Code, string Output) DotNet(params string[] arguments)
    {
        using var process = Process.Start(new ProcessStartInfo("dotnet", arguments) { RedirectStandardOutput = true })!;
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, output);
    }
}
