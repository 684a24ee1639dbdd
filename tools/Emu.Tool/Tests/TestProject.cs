using System.Diagnostics;
using System.Text;
using System.Text.Json;

namespace Emu.Tool;

/// <summary>The tests of one project, run in a process of their own.</summary>
internal static class TestProject
{
    private const int NoTestsExitCode = 8; // of Microsoft.Testing.Platform

    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(85);

    /// <summary>Runs the tests of a tier.</summary>
    /// <returns>The numbers of tests, and what is to be printed: a line for each skipped one and for all.</returns>
    public static (TestOutcome Outcome, string Text) Run(string project, TestTier tier)
    {
        var name = Path.GetFileName(project);
        var report = Path.Combine(Repository.Root, "build", "tests", name + ".json");
        Directory.CreateDirectory(Path.GetDirectoryName(report)!);
        File.Delete(report);

        var watch = Stopwatch.StartNew();
        var (exitCode, output) = Run(Path.Combine(project, "bin/Release/net10.0", name + ".dll"), report, tier);
        var text = new StringBuilder();
        var outcome = File.Exists(report) ? Read(report, text) : new TestOutcome(0, 1, 0);
        // A program that ended badly after its report, in a crash at exit, has failed as well.
        if (exitCode != 0 && outcome.Failed == 0) outcome += new TestOutcome(0, 1, 0);
        text.AppendLine(
            $"{name,-24} {outcome.Passed,5} passed {outcome.Failed,3} failed {outcome.Skipped,3} skipped "
            + $"{watch.Elapsed.TotalSeconds,6:N1} s");
        if (outcome.Failed > 0) text.AppendLine(output);
        return (outcome, text.ToString());
    }

    private static (int ExitCode, string Output) Run(string program, string report, TestTier tier)
    {
        var start = new ProcessStartInfo("dotnet")
        {
            ArgumentList =
            {
                program, "--no-progress", "--no-ansi", "--ignore-exit-code", $"{NoTestsExitCode}",
                "--report-ctrf", "--report-ctrf-filename", Path.GetFileName(report),
                "--results-directory", Path.GetDirectoryName(report)!,
            },
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (var trait in tier.LeftOut)
        {
            start.ArgumentList.Add("--filter-not-trait");
            start.ArgumentList.Add(trait);
        }
        start.Environment["EMU_TESTS"] = tier.Name;
        // What Verilator builds is shared by all projects, and with later runs.
        start.Environment["EMU_VERILATOR_CACHE"] = Path.Combine(Repository.Root, "build", "verilator");
        // Most code of a test runs a few times: no profile of it pays. A larger nursery is collected less often.
        start.Environment["DOTNET_TieredPGO"] = "0";
        start.Environment["DOTNET_GCgen0size"] = "0x8000000";
        using var process = Process.Start(start)!;
        var output = Task.WhenAll(process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        if (!process.WaitForExit(s_limit))
        {
            process.Kill(entireProcessTree: true);
            process.WaitForExit();
        }
        return (process.ExitCode, string.Concat(output.GetAwaiter().GetResult()));
    }

    private static TestOutcome Read(string report, StringBuilder text)
    {
        using var json = JsonDocument.Parse(File.ReadAllText(report));
        var results = json.RootElement.GetProperty("results");
        foreach (var test in results.GetProperty("tests").EnumerateArray()
            .Where(t => t.GetProperty("status").GetString() == "skipped"))
            text.AppendLine(
                $"skipped: {test.GetProperty("name").GetString()}: "
                + $"{test.GetProperty("extra").GetProperty("reason").GetString()}");
        var summary = results.GetProperty("summary");
        return new TestOutcome(
            summary.GetProperty("passed").GetInt32(),
            summary.GetProperty("failed").GetInt32(),
            summary.GetProperty("skipped").GetInt32());
    }
}

/// <summary>The numbers of tests that ended in each way.</summary>
internal readonly record struct TestOutcome(int Passed, int Failed, int Skipped)
{
    public static TestOutcome operator +(TestOutcome left, TestOutcome right) =>
        new(left.Passed + right.Passed, left.Failed + right.Failed, left.Skipped + right.Skipped);
}
