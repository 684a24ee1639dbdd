using System.CommandLine;
using System.Text.Json;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary><c>emu board test</c></summary>
internal static class BoardTestVerb
{
    /// <summary>The verb behind <c>board</c>.</summary>
    public const string Name = "test";

    private static readonly JsonSerializerOptions s_json =
        new() { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower };

    /// <summary>Makes the verb.</summary>
    public static Command Create()
    {
        var folder = new Argument<string>("dir")
        {
            Description = "A project that ./emu board has written",
            HelpName = "DIR",
        };
        var with = new Option<string>("--with")
        {
            Description = $"The simulator: {string.Join(", ", BoardSimulation.Names)}",
            HelpName = "SIMULATOR",
            DefaultValueFactory = _ => BoardSimulation.Names[0],
        };
        var captures = new Option<string[]>("--in")
        {
            Description = "A capture that comes in by a port, once for each, in the order of ports",
            HelpName = "FILE",
        };
        var stall = HardwareArguments.Number(
            "--stall", "Hold back both sides of all ports at random; the seed", "SEED");
        var tree = new Option<string?>("--tree")
        {
            Description = "A clone of the shell: the project is elaborated there first, the vendor's IP left out",
            HelpName = "CLONE",
        };
        var run = new Option<string?>("--run")
        {
            Description = "A run.py of NetFPGA instead: its frames in, and those that it expects out",
            HelpName = "FILE",
        };
        var noRates = new Option<bool>("--no-rates")
        {
            Description = "Leave out the frames at the pace of the lines, which take as long as all the others",
        };
        var json = new Option<bool>("--json") { Description = "Print a JSON object" };
        var verb = new Command(
            Name, "Simulate a whole project against a run of its service. Example: ./emu board test build/card")
        {
            folder, with, captures, stall, tree, run, noRates, json,
        };
        verb.SetAction(parsed =>
        {
            var simulator = parsed.GetValue(with)!;
            if (!BoardSimulation.Names.Contains(simulator))
                throw CommandException.Usage(
                    $"--with: '{simulator}' is none of {string.Join(", ", BoardSimulation.Names)}");
            var (clone, asJson) = (parsed.GetValue(tree), parsed.GetValue(json));
            if (clone is not null) Elaborate(parsed.GetValue(folder)!, clone, asJson);
            if (parsed.GetValue(run) is { } script)
            {
                var met = RunScript(parsed.GetValue(folder)!, simulator, script, parsed.GetValue(stall));
                Console.Out.WriteLine(asJson ? JsonSerializer.Serialize(met, s_json) : met.Text);
                return;
            }
            var result = Test(
                parsed.GetValue(folder)!, simulator, parsed.GetValue(captures) ?? [], parsed.GetValue(stall), clone,
                !parsed.GetValue(noRates));
            Console.Out.WriteLine(asJson ? JsonSerializer.Serialize(result, s_json) : result.Text);
        });
        return verb;
    }

    private static void Elaborate(string folder, string clone, bool asJson)
    {
        var manifest = BoardManifest.Read(folder);
        var board = BoardCatalog.Find(manifest.Board);
        if (board.Tree is null)
            throw CommandException.Failure(
                $"--tree: what {board.Name} is in its shell does not elaborate with free tools");
        board.Tree.Elaborate(folder, manifest, clone);
        (asJson ? Console.Error : Console.Out).WriteLine(
            $"{manifest.Service} on {board.Name}: {board.Tree.Top} elaborates in {clone}");
    }

    private static BoardTestResult Test(
        string folder, string simulator, IReadOnlyList<string> captures, int? stall, string? clone, bool hasRates)
    {
        var manifest = BoardManifest.Read(folder);
        var service = Construction.Of(ServiceCatalog.Find(manifest.Service), manifest.Arguments);
        var stimuli = new BoardStimuli(manifest, captures);
        var (steps, registers) = stimuli.Run(service);
        var sent = Enumerable.Range(0, manifest.Ports).Select(port =>
            (IReadOnlyList<byte[]>)[.. steps.SelectMany(s => s.Sent).Where(s => s.Port == port).Select(s => s.Bytes)])
            .ToArray();

        var work = BoardSimulation.WorkFolder(folder, simulator);
        var board = BoardCatalog.Find(manifest.Board);
        // The shell's modules that take the place of models: those that are plain Verilog.
        var shell = clone is not null && board.Queues > 0 ? board.Tree!.Sources(folder, manifest, clone, work) : [];
        var (program, arguments) = BoardSimulation.Build(Path.GetFullPath(folder), work, simulator, shell);

        stimuli.Write(work, registers.Keys.Select(name => new RegisterAccess(manifest.Registers[name])));
        string[] stalls = stall is { } seed ? [$"+stall={seed}"] : [];
        var (cycles, _) = BoardSimulation.RunBench(folder, work, program, [.. arguments, .. stalls]);
        Compare(folder, work, sent, "a run sends");
        Compare(folder, manifest, work, registers);

        var rates = hasRates ? Rates(folder, manifest, simulator, program, arguments) : [];
        return new BoardTestResult(
            manifest.Service, manifest.Board, simulator, shell.Count > 0, stimuli.Count, sent.Sum(port => port.Count),
            manifest.Ports, registers.Count, cycles, rates);
    }

    private static IReadOnlyList<BoardRate> Rates(
        string folder, BoardManifest manifest, string simulator, string program, string[] arguments)
    {
        var traffic = new BoardTraffic(manifest);
        var work = BoardSimulation.WorkFolder(folder, Path.Combine(simulator, "rate"));
        traffic.Write(work);
        return traffic.Rates(BoardSimulation.RunBench(folder, work, program, arguments).Rates);
    }

    private static NetFpgaResult RunScript(string folder, string simulator, string script, int? stall)
    {
        var manifest = BoardManifest.Read(folder);
        var work = BoardSimulation.WorkFolder(folder, Path.Combine(simulator, "run"));
        var run = new NetFpgaRun(folder, manifest, script, work);
        run.Write();
        var (program, arguments) = BoardSimulation.Build(Path.GetFullPath(folder), work, simulator, []);
        string[] stalls = stall is { } seed ? [$"+stall={seed}"] : [];
        BoardSimulation.RunBench(folder, work, program, [.. arguments, .. stalls]);
        var expected = run.Expected();
        Compare(folder, work, expected, $"{script} expects");
        var reads = run.Reads;
        foreach (var (read, (address, value)) in reads.Zip(BoardSimulation.ReadLog(work)))
        {
            if (read.Address == address && read.Value == value) continue;
            throw CommandException.Failure(
                $"{folder}: {script} expects {read.Value} of the register at {read.Address:x3}, it has {value}");
        }
        return new NetFpgaResult(
            manifest.Service, manifest.Board, simulator, script, run.Sent, expected.Sum(port => port.Count),
            reads.Count);
    }

    private static void Compare(string folder, string work, IReadOnlyList<byte[]>[] sent, string who)
    {
        for (var port = 0; port < sent.Length; port++)
        {
            var received = AxiStimulus.Read(Path.Combine(work, $"nf_interface_{port}_log.axi"));
            for (var i = 0; i < Math.Max(received.Count, sent[port].Count); i++)
            {
                var (has, wants) = (received.ElementAtOrDefault(i), sent[port].ElementAtOrDefault(i));
                if (has is not null && wants is not null && has.AsSpan().SequenceEqual(wants)) continue;
                throw CommandException.Failure(
                    $"{folder}: port {port}, frame {i}: {who} {Text(wants)}, the board {Text(has)}");
            }
        }
    }

    private static string Text(byte[]? frame) =>
        frame is null
            ? "nothing"
            : $"{frame.Length} bytes {Convert.ToHexStringLower(frame.AsSpan(0, Math.Min(64, frame.Length)))}";

    private static void Compare(
        string folder, BoardManifest manifest, string work, IReadOnlyDictionary<string, uint> registers)
    {
        var read = BoardSimulation.ReadLog(work).ToDictionary(word => word.Address, word => word.Value);
        foreach (var (name, value) in registers)
        {
            var has = read[manifest.Registers[name]];
            if (has != value)
                throw CommandException.Failure($"{folder}: register {name} is {value} in a run, {has} on the board");
        }
    }
}
