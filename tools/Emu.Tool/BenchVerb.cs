using System.CommandLine;
using System.Diagnostics;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary><c>emu bench</c></summary>
internal static class BenchVerb
{
    public static Command Create()
    {
        var what = new Argument<string[]>("what") { Description = "tap, bridge, micro; all when left out", Arity = ArgumentArity.ZeroOrMore, HelpName = "WHAT" };
        what.AcceptOnlyFromAmong("tap", "bridge", "micro");
        var rounds = new Option<int?>("--rounds") { Description = "Rounds of tap and bridge (7)", HelpName = "N" };
        var json = new Option<bool>("--json") { Description = "Print JSON" };
        var record = new Option<bool>("--record") { Description = "Write the ratios to bench/recorded.json" };
        var verb = new Command("bench", "Measure, as ratios beside those recorded (docs/benchmarks.md). Example: ./emu bench tap bridge") { what, rounds, json, record };
        verb.SetAction(parsed =>
        {
            List<string> arguments = [.. parsed.GetValue(what) ?? []];
            if (parsed.GetValue(rounds) is { } count) arguments.AddRange(["--rounds", $"{count}"]);
            if (parsed.GetValue(json)) arguments.Add("--json");
            if (parsed.GetValue(record)) arguments.Add("--record");
            return Bench(arguments);
        });
        return verb;
    }

    private static int Bench(IReadOnlyList<string> arguments)
    {
        Prerequisites.Install(Prerequisites.Benchmarks);
        Console.Error.WriteLine("building the benchmarks");
        var project = Path.Combine(Repository.Root, "bench", "Emu.Bench");
        using (var build = Process.Start(new ProcessStartInfo("dotnet", ["build", project, "-c", "Release", "-v", "q", "--nologo", "-clp:NoSummary"]) { RedirectStandardOutput = true })!)
        {
            var output = build.StandardOutput.ReadToEnd();
            build.WaitForExit();
            if (build.ExitCode != 0) throw CommandException.Failure($"the benchmarks do not build: {output.ReplaceLineEndings(" ")}");
        }
        using var bench = Process.Start("dotnet", [Path.Combine(project, "bin/Release/net10.0/Emu.Bench.dll"), .. arguments]);
        bench.WaitForExit();
        return bench.ExitCode;
    }
}
