using System.CommandLine;

namespace Emu.Tool;

/// <summary><c>emu bench</c></summary>
internal static class BenchVerb
{
    private const string
        Hardware = "hardware", Direction = "direction", Clocked = "clocked",
        Estimate = "estimate", Delays = "delays", Editor = "editor";

    public static Command Create()
    {
        var what = new Argument<string[]>("what")
        {
            Description =
                "tap, bridge, tcpping, nat, filter, dns, memcached, micro, all eight when left out; or hardware; "
                + "or direction; or clocked; or estimate; or delays; or editor",
            Arity = ArgumentArity.ZeroOrMore,
            HelpName = "WHAT",
        };
        what.AcceptOnlyFromAmong(
            "tap", "bridge", "tcpping", "nat", "filter", "dns", "memcached", "micro", Hardware, Direction, Clocked,
            Estimate, Delays, Editor);
        var rounds =
            new Option<int?>("--rounds") { Description = "Rounds of all but micro and hardware (7)", HelpName = "N" };
        var json = new Option<bool>("--json") { Description = "Print JSON" };
        var record = new Option<bool>("--record")
        {
            Description = "Write the figures to bench/recorded.json, of hardware to bench/hardware.json, "
                + "of direction to bench/direction.json, of clocked to bench/clocked.json, "
                + "of delays to the device's data file",
        };
        var check =
            new Option<bool>("--check")
            {
                Description = "hardware, direction, clocked: exit code 1 when a figure got worse than recorded: "
                    + "cycles at all, LUTs and FFs by more than 1 %, depth by more than 1, "
                    + "picoseconds by more than 10 %",
            };
        var against = new Option<string?>("--against")
        {
            Description = "hardware: compare with the figures in this file (bench/hardware.json)",
            HelpName = "FILE",
        };
        var service = new Option<string[]>("--service")
        {
            Description = "hardware, direction, clocked: only the circuits of this service or sample; may be repeated",
            HelpName = "NAME",
        };
        var cyclesOnly = new Option<bool>("--cycles-only")
        {
            Description = "hardware, direction, clocked: no synthesis, which takes minutes and needs Yosys",
        };
        const string Description =
            "Measure, beside what was recorded (docs/benchmarks.md). Example: ./emu bench tap bridge";
        var verb = new Command("bench", Description)
        {
            what, rounds, json, record, check, against, service, cyclesOnly,
        };
        verb.SetAction(parsed =>
        {
            List<string> arguments = [.. parsed.GetValue(what) ?? []];
            if (arguments.Remove(Estimate))
            {
                Prerequisites.Install([("yosys", "yosys")]);
                var exitCode = new RepositoryProgram("the samples of the estimate", "bench/Emu.Estimate").Run([]);
                if (exitCode != 0 || arguments.Count == 0) return exitCode;
            }
            if (arguments.Remove(Delays))
            {
                Prerequisites.Install([("yosys", "yosys")]);
                var exitCode = new RepositoryProgram("the samples of the delays", "bench/Emu.Delays")
                    .Run(parsed.GetValue(record) ? ["--record", Repository.Root] : []);
                if (exitCode != 0 || arguments.Count == 0) return exitCode;
            }
            if (arguments.Remove(Editor))
            {
                var exitCode =
                    new RepositoryProgram("the editor's project", "bench/Emu.Editor").Run([Repository.Root]);
                if (exitCode != 0 || arguments.Count == 0) return exitCode;
            }
            if (arguments.Remove(Hardware))
            {
                var file = parsed.GetValue(against) ?? RecordedHardware.Place;
                var synthesises = !parsed.GetValue(cyclesOnly);
                var exitCode = HardwareBenchmark.Run(
                    file, parsed.GetValue(service) ?? [], synthesises, parsed.GetValue(record), parsed.GetValue(check));
                if (exitCode != 0 || arguments.Count == 0) return exitCode;
            }
            if (arguments.Remove(Direction))
            {
                var exitCode = DirectionBenchmark.Run(
                    parsed.GetValue(service) ?? [], !parsed.GetValue(cyclesOnly), parsed.GetValue(record),
                    parsed.GetValue(check));
                if (exitCode != 0 || arguments.Count == 0) return exitCode;
            }
            if (arguments.Remove(Clocked))
            {
                var exitCode = ClockedBenchmark.Run(
                    parsed.GetValue(service) ?? [], !parsed.GetValue(cyclesOnly), parsed.GetValue(record),
                    parsed.GetValue(check));
                if (exitCode != 0 || arguments.Count == 0) return exitCode;
            }
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
