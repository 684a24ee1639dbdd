using System.Diagnostics;

namespace Emu.Simulation;

/// <summary>Programs that are run to their end.</summary>
internal static class OutsideTool
{
    private const int FirstLines = 12;
    private static readonly TimeSpan s_longest = TimeSpan.FromMinutes(30);

    /// <summary>
    /// Null when all programs are in the path, otherwise a sentence: what is missing and how to get it.
    /// </summary>
    public static string? WhyNot(string what, string package, params IEnumerable<string> programs)
    {
        var missing = programs.Where(p => !IsInPath(p)).ToList();
        return missing.Count == 0 ? null : $"{what} needs {string.Join(" and ", missing)}: apt-get install {package}";
    }

    /// <summary>Runs a program.</summary>
    /// <returns>Its exit code and all its output.</returns>
    public static (int ExitCode, string Output) Run(
        string folder, string program, params IEnumerable<string> arguments) =>
        RunWithin(s_longest, folder, program, arguments)
        ?? throw new SimulationException($"{program} did not end in {s_longest.TotalMinutes:0} minutes");

    /// <summary>Runs a program for a limited time.</summary>
    /// <returns>The same; null when it would have taken longer.</returns>
    public static (int ExitCode, string Output)? RunWithin(
        TimeSpan limit, string folder, string program, params IEnumerable<string> arguments)
    {
        using var process = Start(folder, program, arguments);
        process.StandardInput.Close();
        var (output, error) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        if (process.WaitForExit(limit)) return (process.ExitCode, error.Result + output.Result);
        process.Kill(entireProcessTree: true);
        return null;
    }

    /// <summary>Starts a program whose input and outputs are ours.</summary>
    public static Process Start(string folder, string program, IEnumerable<string> arguments) =>
        Process.Start(new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;

    /// <summary>Runs a program that has to succeed.</summary>
    /// <exception cref="SimulationException">It failed; the message has the first lines it wrote.</exception>
    public static void MustRun(string folder, string program, params IEnumerable<string> arguments) =>
        EnsureSuccess(program, Run(folder, program, arguments));

    /// <summary>Throws if a program has failed.</summary>
    /// <exception cref="SimulationException">It failed; the message has the first lines it wrote.</exception>
    public static void EnsureSuccess(string program, (int ExitCode, string Output) ended)
    {
        if (ended.ExitCode != 0) throw new SimulationException($"{program} failed:\n{First(ended.Output)}");
    }

    /// <summary>The first lines of what a program wrote.</summary>
    public static string First(string output) =>
        string.Join('\n', output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Take(FirstLines));

    private static bool IsInPath(string program) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "")
            .Split(Path.PathSeparator).Any(folder => folder != "" && File.Exists(Path.Combine(folder, program)));
}
