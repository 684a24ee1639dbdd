using System.CommandLine;
using System.Diagnostics;
using System.Text.Json;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary><c>emu test</c></summary>
internal static class TestVerb
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(40);

    public static Command Create()
    {
        var only = new Option<string?>("--only")
        {
            Description = "Only the test projects with this text in their name",
            HelpName = "TEXT",
        };
        var verb = new Command(
            "test", "Run every test; what cannot run here is skipped with its reason. Example: ./emu test --only Core")
        {
            only,
        };
        verb.SetAction(parsed => Test(parsed.GetValue(only) ?? ""));
        return verb;
    }

    private static int Test(string only)
    {
        Prerequisites.Install(Prerequisites.Tests);
        var projects = Directory.GetDirectories(Path.Combine(Repository.Root, "tests"), "*.Tests")
            .Order(StringComparer.Ordinal).ToList();
        var chosen =
            projects.Where(p => Path.GetFileName(p).Contains(only, StringComparison.OrdinalIgnoreCase)).ToList();
        if (chosen.Count == 0)
            throw CommandException.Usage(
                $"--only {only}: there are {string.Join(", ", projects.Select(Path.GetFileName))}");

        Console.WriteLine("building the tests");
        Build();
        var total = new Outcome(0, 0, 0);
        foreach (var project in chosen) total += Run(project);
        Console.WriteLine(
            $"{total.Passed} passed, {total.Failed} failed" + (total.Skipped > 0 ? $", {total.Skipped} skipped" : ""));
        return total is { Failed: 0, Passed: > 0 } ? 0 : 1;
    }

    private static void Build()
    {
        using var build = Process.Start(
            "dotnet",
            [
                "build", Path.Combine(Repository.Root, "Emu.sln"), "-c", "Release", "-v", "q", "--nologo",
                "-clp:NoSummary",
            ]);
        build.WaitForExit();
        if (build.ExitCode != 0) throw CommandException.Failure("the tests do not build");
    }

    private static Outcome Run(string project)
    {
        var name = Path.GetFileName(project);
        var report = Path.Combine(Repository.Root, "build", "tests", name + ".json");
        Directory.CreateDirectory(Path.GetDirectoryName(report)!);
        File.Delete(report);

        var watch = Stopwatch.StartNew();
        var start = new ProcessStartInfo("dotnet")
        {
            ArgumentList =
            {
                Path.Combine(project, "bin/Release/net10.0", name + ".dll"), "--no-progress", "--no-ansi",
                "--report-ctrf", "--report-ctrf-filename", Path.GetFileName(report), "--results-directory",
                Path.GetDirectoryName(report)!,
            },
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var process = Process.Start(start)!;
        var output = Task.WhenAll(process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        if (!process.WaitForExit(s_limit))
        {
            process.Kill(entireProcessTree: true);
            process.WaitForExit();
        }
        var text = string.Concat(output.GetAwaiter().GetResult());

        var outcome = File.Exists(report) ? Read(report) : new Outcome(0, 1, 0);
        // A program that ended badly after its report, in a crash at exit, has failed as well.
        if (process.ExitCode != 0 && outcome.Failed == 0) outcome += new Outcome(0, 1, 0);
        Console.WriteLine(
            $"{name,-24} {outcome.Passed,5} passed {outcome.Failed,3} failed {outcome.Skipped,3} skipped "
            + $"{watch.Elapsed.TotalSeconds,6:N1} s");
        if (outcome.Failed > 0) Console.WriteLine(text);
        return outcome;
    }

    private static Outcome Read(string report)
    {
        using var json = JsonDocument.Parse(File.ReadAllText(report));
        var results = json.RootElement.GetProperty("results");
        foreach (var test in results.GetProperty("tests").EnumerateArray()
            .Where(t => t.GetProperty("status").GetString() == "skipped"))
            Console.WriteLine(
                $"skipped: {test.GetProperty("name").GetString()}: "
                + $"{test.GetProperty("extra").GetProperty("reason").GetString()}");
        var summary = results.GetProperty("summary");
        return new Outcome(
            summary.GetProperty("passed").GetInt32(),
            summary.GetProperty("failed").GetInt32(),
            summary.GetProperty("skipped").GetInt32());
    }

    private readonly record struct Outcome(int Passed, int Failed, int Skipped)
    {
        public static Outcome operator +(Outcome left, Outcome right) =>
            new(left.Passed + right.Passed, left.Failed + right.Failed, left.Skipped + right.Skipped);
    }
}
