using System.CommandLine;

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
        return new RepositoryProgram("the benchmarks", "bench/Emu.Bench").Run(arguments);
    }
}
