using System.CommandLine;
using System.Diagnostics;
using System.Text.Json;
using Emu.Compiler;
using Emu.Compiler.Layouts;
using Emu.Hosting;
using Emu.Simulation;

namespace Emu.Tool;

/// <summary><c>emu simulate</c></summary>
internal static class SimulateVerb
{
    private const string Name = "simulate";
    private const double StallProbability = 0.5;

    private static readonly JsonSerializerOptions s_json =
        new() { WriteIndented = true, PropertyNamingPolicy = JsonNamingPolicy.CamelCase };

    private static readonly HardwareArguments s_hardware = new();
    private static readonly DirectionArguments s_direction = new();

    private static readonly Option<string[]> s_ports = new("--port", "-p")
    {
        Description =
            $"A port, once for each, up to {HardwareOptions.MaxPorts}, numbered in order: {PortSpecification.Kinds}",
        HelpName = "PORT",
    };

    private static readonly Option<string?> s_in =
        new("--in") { Description = "The capture of the only port, as --port pcap:IN", HelpName = "FILE" };

    private static readonly Option<string?> s_out =
        new("--out") { Description = "The capture of what leaves, as --port pcap:IN,OUT", HelpName = "FILE" };

    private static readonly Option<string> s_with = new("--with")
    {
        Description = $"The simulator: {string.Join(", ", Simulators.Names)}",
        HelpName = "SIMULATOR",
        DefaultValueFactory = _ => Simulators.Names[0],
    };

    private static readonly Option<ulong?> s_stall = new("--stall")
    {
        Description =
            "Hold both streams back at random, in every second cycle; a number that the same stalls come again with",
        HelpName = "SEED",
        CustomParser = result => ulong.TryParse(result.Tokens[0].Value, out var seed)
            ? seed
            : throw CommandException.Usage($"--stall: '{result.Tokens[0].Value}' is not a whole number"),
    };

    private static readonly Option<string?> s_vcd =
        new("--vcd") { Description = "Write the waveforms of all that has a name", HelpName = "FILE" };

    private static readonly Option<bool> s_asJson =
        new("--json") { Description = "Print the final numbers as JSON on standard output" };

    /// <summary>Makes the verb.</summary>
    /// <param name="own">The command line before <c>--</c>.</param>
    /// <param name="serviceArguments">The command line behind <c>--</c>.</param>
    public static Command Create(string[] own, string[] serviceArguments)
    {
        var service = new Argument<string>("service")
        {
            Description = "A service's name (./emu list), or the path of your own project",
            HelpName = "SERVICE",
        };
        const string What = "Run a service as simulated hardware, on captures or interfaces. "
            + "Example: ./emu simulate IcmpEcho --in a.pcap --out b.pcap -- --address 10.0.0.2";
        var verb = new Command(Name, ServiceHelp.Description(Name, What, own))
        {
            service, s_ports, s_in, s_out, s_with, s_stall, s_vcd, s_asJson,
        };
        s_hardware.AddTo(verb);
        s_direction.AddTo(verb);
        verb.SetAction(parsed => Simulate(parsed, ServiceCatalog.Find(parsed.GetValue(service)!), serviceArguments));
        return verb;
    }

    private static void Simulate(ParseResult parsed, Type type, IReadOnlyList<string> given)
    {
        var specifications = Ports(parsed);
        var options = s_hardware.Options(parsed, specifications.Length);
        var layout = s_hardware.LayoutOf(parsed);
        var arguments = s_hardware.ServiceArguments(parsed, type, given);
        type = s_direction.Woven(parsed, type, arguments, drawsKey: true);
        var with = Simulators.Check(parsed.GetValue(s_with)!);

        PortSpecification.CheckTogether(specifications);
        var ports = new List<Port>();
        try
        {
            foreach (var text in specifications) ports.Add(PortSpecification.Open(text, options.Mtu));
            Port.CheckCombination(ports);
            int? fills = s_hardware.FillsLuts(parsed) ? s_hardware.Luts(parsed) : null;
            var compiled = layout is null || fills is not null
                ? ServiceCompiler.Fastest(type, arguments, options, layout, MeasuringFrames.ForRun(
                    arguments, parsed.GetValue(s_in)), fills).Fastest.Compiled
                : ServiceCompiler.Compile(type, arguments, options, layout);
            var title = $"{type.Name} in hardware on {string.Join(", ", ports.Select(p => p.Name))}";
            Run(parsed, title, with, compiled, ports);
        }
        catch (Exception exception) when (exception is BusException or SimulationException or TimeoutException)
        {
            throw CommandException.Failure($"{type.Name}: the simulation failed: {exception.Message}");
        }
        finally
        {
            foreach (var port in ports) port.Dispose();
        }
    }

    private static void Run(ParseResult parsed, string title, string with, CompiledService compiled, List<Port> ports)
    {
        using var waveforms = with == Simulators.Managed && parsed.GetValue(s_vcd) is { } file
            ? new StreamWriter(file)
            : null;
        using var bench = NewBench(
            Simulators.Start(with, compiled.Circuit.Design, parsed.GetValue(s_vcd), waveforms),
            parsed.GetValue(s_stall));
        var device = new SimulatedDevice(bench, compiled.Circuit.Registers, ports, compiled.Compilation.TickInterval);
        using var stop = new StopSignals();
        if (ports[0].IsLive) Console.Error.WriteLine($"ready: {title}");
        var watch = Stopwatch.StartNew();
        using (ports[0].IsLive ? null : Progress.Of("simulating", () => Text(device))) device.Run(stop.Token);

        var end = SimulationSummary.Of(device, with, ports, watch.Elapsed);
        if (parsed.GetValue(s_asJson)) Console.Out.WriteLine(JsonSerializer.Serialize(end, s_json));
        else Console.Error.WriteLine($"{title}: {end}");
    }

    private static string Text(SimulatedDevice device)
    {
        var (frames, sent) = device.Traffic.Aggregate(
            (In: 0UL, Out: 0UL), (sum, port) => (sum.In + port.FramesIn.Value, sum.Out + port.FramesOut.Value));
        return $"{frames:N0} frames in, {sent:N0} out, {device.Cycles:N0} cycles";
    }

    private static Bench NewBench(Simulator simulator, ulong? stall)
    {
        try
        {
            return stall is { } seed
                ? new Bench(
                    simulator,
                    StallPattern.Random(seed, StallProbability),
                    StallPattern.Random(SplitMix64.Draw(seed, 0), StallProbability),
                    seed)
                : new Bench(simulator);
        }
        catch
        {
            simulator.Dispose();
            throw;
        }
    }

    private static string[] Ports(ParseResult parsed)
    {
        var (input, output) = (parsed.GetValue(s_in), parsed.GetValue(s_out));
        var ports = parsed.GetValue(s_ports) ?? [];
        if (ports.Length > 0 && (input ?? output) is not null)
            throw CommandException.Usage(
                "--in and --out are the captures of one port; with --port they stand there: --port pcap:IN,OUT");
        if (ports.Length > HardwareOptions.MaxPorts)
            throw CommandException.Usage($"the hardware has 1 to {HardwareOptions.MaxPorts} ports, not {ports.Length}");
        if (ports.Length > 0) return ports;
        if (input is null)
            throw CommandException.Usage(
                "what comes in is needed: --in FILE, or --port for each port (--help tells more)");
        return [PortSpecification.OfCapture(input, output)];
    }
}
