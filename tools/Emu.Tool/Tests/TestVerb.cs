using System.Collections.Concurrent;
using System.CommandLine;
using System.Diagnostics;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary><c>emu test</c></summary>
internal static class TestVerb
{
    public static Command Create()
    {
        var only = new Option<string?>("--only")
        {
            Description = "Only the test projects with this text in their name",
            HelpName = "TEXT",
        };
        var fast = new Option<bool>("--fast")
        {
            Description = $"An answer in minutes: {TestTier.Fast.Contents}",
        };
        var all = new Option<bool>("--all")
        {
            Description = $"Everything: {TestTier.All.Contents}",
        };
        var verb = new Command(
            "test", "Run every test; what cannot run here is skipped with its reason. Example: ./emu test --fast")
        {
            only, fast, all,
        };
        verb.Validators.Add(parsed =>
        {
            if (parsed.GetValue(fast) && parsed.GetValue(all)) parsed.AddError("--fast and --all: one of them");
        });
        verb.SetAction(parsed => Test(
            parsed.GetValue(only) ?? "",
            parsed.GetValue(fast) ? TestTier.Fast : parsed.GetValue(all) ? TestTier.All : TestTier.Usual));
        return verb;
    }

    private static int Test(string only, TestTier tier)
    {
        // The largest first: they take longest.
        var projects = Directory.GetDirectories(Path.Combine(Repository.Root, "tests"), "*.Tests")
            .OrderByDescending(SourceBytes).ThenBy(p => p, StringComparer.Ordinal).ToList();
        var chosen =
            projects.Where(p => Path.GetFileName(p).Contains(only, StringComparison.OrdinalIgnoreCase)).ToList();
        if (chosen.Count == 0)
            throw CommandException.Usage(
                $"--only {only}: there are {string.Join(", ", projects.Select(Path.GetFileName).Order())}");

        if (tier != TestTier.Fast) Prerequisites.Install(Prerequisites.Tests);
        Console.WriteLine("building the tests");
        Build(tier);
        var left = OptionalTests.WithoutPackages(chosen);
        foreach (var (project, reason) in left)
            Console.WriteLine($"skipped: {Path.GetFileName(project)}: {reason}");
        var total = Run([.. chosen.Except(left.Keys)], tier) + new TestOutcome(0, 0, left.Count);
        if (tier != TestTier.All) Console.WriteLine($"these were {tier.Contents}");
        Console.WriteLine(
            $"{total.Passed} passed, {total.Failed} failed" + (total.Skipped > 0 ? $", {total.Skipped} skipped" : ""));
        return total is { Failed: 0, Passed: > 0 } ? 0 : 1;
    }

    /// <summary>Runs the projects beside one another, one a processor, and prints each when it has ended.</summary>
    private static TestOutcome Run(List<string> projects, TestTier tier)
    {
        var (printing, total) = (new Lock(), new TestOutcome(0, 0, 0));
        var options = new ParallelOptions { MaxDegreeOfParallelism = Environment.ProcessorCount };
        var queue = Partitioner.Create(projects, EnumerablePartitionerOptions.NoBuffering);
        var running = new ConcurrentDictionary<string, bool>();
        var done = 0;
        using var progress = Progress.Of(
            "testing", () => $"{done} of {projects.Count} projects, now {string.Join(", ", running.Keys.Order())}");
        Parallel.ForEach(queue, options, project =>
        {
            running[Path.GetFileName(project)] = true;
            var run = TestProject.Run(project, tier);
            running.TryRemove(Path.GetFileName(project), out _);
            lock (printing)
            {
                done++;
                Console.Write(run.Text);
                total += run.Outcome;
            }
        });
        return total;
    }

    private static long SourceBytes(string project) =>
        new DirectoryInfo(project).EnumerateFiles("*.cs", SearchOption.AllDirectories)
            .Where(file => !file.FullName.Contains("/obj/", StringComparison.Ordinal)).Sum(file => file.Length);

    /// <summary>
    /// Builds all of the repository; a quick answer does without the analyzers, which take half of it.
    /// </summary>
    private static void Build(TestTier tier)
    {
        using var progress = Progress.Of("building");
        using var build = Process.Start(
            "dotnet",
            [
                "build", Path.Combine(Repository.Root, "Emu.sln"), "-c", "Release", "-v", "q", "--nologo",
                "-clp:NoSummary", .. tier == TestTier.Fast ? (string[])["-p:RunAnalyzers=false"] : [],
            ]);
        build.WaitForExit();
        if (build.ExitCode != 0) throw CommandException.Failure("the tests do not build");
    }
}
