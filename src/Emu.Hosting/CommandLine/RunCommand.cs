using System.CommandLine;
using System.Text.Json;

namespace Emu.Hosting;

/// <summary>
/// The options of <c>run</c>, and what it does: a service on ports, until Ctrl-C or the end of its captures.
/// </summary>
public sealed class RunCommand
{
    private static readonly JsonSerializerOptions s_json =
        new() { WriteIndented = true, PropertyNamingPolicy = JsonNamingPolicy.CamelCase };

    internal const string ExampleOption = "--example";

    /// <summary>A second, in microseconds: longer is for ever.</summary>
    private const int MaxSpin = 1_000_000;

    private readonly Option<string[]> _ports = new("--port", "-p")
    {
        // Not required by the parser: what is said first is that the service is unknown.
        Description = $"A port, once for each, numbered in order: {PortSpecification.Kinds} (required)",
        HelpName = "PORT",
        Arity = ArgumentArity.OneOrMore,
    };

    private readonly Option<string?> _in =
        new("--in") { Description = "The capture of the only port, as --port pcap:IN", HelpName = "FILE" };

    private readonly Option<string?> _out =
        new("--out") { Description = "The capture of what leaves, as --port pcap:IN,OUT", HelpName = "FILE" };

    private readonly Option<int> _mtu = new("--mtu")
    {
        Description =
            $"The most bytes behind an Ethernet header, up to {FrameLength.MaxMtu}; longer frames are dropped",
        HelpName = "BYTES",
        DefaultValueFactory = _ => FrameLength.DefaultMtu,
        CustomParser = result => int.TryParse(result.Tokens[0].Value, out var mtu)
            ? mtu
            : throw CommandException.Usage($"--mtu: '{result.Tokens[0].Value}' is not a whole number"),
    };

    private readonly Option<int> _spin = new("--spin")
    {
        Description =
            $"Look for frames for so long after the last one before sleeping, up to {MaxSpin}: "
            + "shorter delays, for a core",
        HelpName = "MICROSECONDS",
        CustomParser = result => int.TryParse(result.Tokens[0].Value, out var spin) && spin is >= 0 and <= MaxSpin
            ? spin
            : throw CommandException.Usage(
                $"--spin: '{result.Tokens[0].Value}' is not a whole number from 0 to {MaxSpin}"),
    };

    private readonly Option<bool> _live =
        new("--live") { Description = "Show ports, counters, rates and latency as they happen" };

    private readonly Option<bool> _trace =
        new("--trace") { Description = "Print a line for each frame, in and out, on standard error" };

    private readonly Option<string?> _record =
        new("--record") { Description = "Record the run as pcapng; it replays exactly", HelpName = "FILE" };

    private readonly Option<string?> _impair = new("--impair")
    {
        Description = $"Impair the frames that arrive, on every port: {Impairments.Forms}",
        HelpName = "LIST",
    };

    private readonly Option<bool> _example =
        new(ExampleOption) { Description = "Use the example arguments of the service's documentation" };

    private readonly Option<bool> _json =
        new("--json") { Description = "Print the final counters as JSON on standard output" };

    /// <summary>The help text on a service: what it does, and its own arguments.</summary>
    public static string Description(Type type)
    {
        var arguments = new ServiceArguments(type);
        var lines = arguments.Parameters.Select(p => $"  {p.Form,-26} {p.Text}");
        return string.Join(
                '\n',
                [arguments.Summary, "", $"Arguments of {type?.Name}, behind --:", .. lines.DefaultIfEmpty("  none")])
            + (arguments.Example.Length > 0 ? $"\n\nExample (--example): -- {arguments.Example}" : "");
    }

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        ArgumentNullException.ThrowIfNull(command);
        foreach (var option in new Option[]
            { _ports, _in, _out, _mtu, _spin, _live, _trace, _record, _impair, _example, _json })
            command.Options.Add(option);
    }

    /// <summary>True if a port is an interface and not a capture.</summary>
    public bool IsLive(ParseResult parsed) => Ports(parsed).Any(port => !PortSpecification.IsCapture(port));

    /// <summary>The arguments of a service: those behind <c>--</c>, or its example.</summary>
    /// <param name="parsed">The command line before <c>--</c>.</param>
    /// <param name="type">The service.</param>
    /// <param name="given">The command line behind <c>--</c>.</param>
    public IReadOnlyList<string> ArgumentsOf(ParseResult parsed, Type type, IReadOnlyList<string> given)
    {
        ArgumentNullException.ThrowIfNull(parsed);
        return parsed.GetValue(_example) ? new ServiceArguments(type).ExampleArguments : given;
    }

    /// <summary>Runs a service as the options say.</summary>
    /// <param name="parsed">The command line before <c>--</c>.</param>
    /// <param name="type">The service.</param>
    /// <param name="serviceArguments">The command line behind <c>--</c>.</param>
    /// <returns>The exit code: 0.</returns>
    /// <exception cref="CommandException">It did not work out, or an argument is wrong.</exception>
    public int Execute(ParseResult parsed, Type type, IReadOnlyList<string> serviceArguments)
    {
        ArgumentNullException.ThrowIfNull(parsed);
        ArgumentNullException.ThrowIfNull(type);
        var mtu = parsed.GetValue(_mtu);
        if (mtu is < FrameLength.MinMtu or > FrameLength.MaxMtu)
            throw CommandException.Usage($"--mtu: {mtu} is not from {FrameLength.MinMtu} to {FrameLength.MaxMtu}");
        var specifications = Ports(parsed);
        PortSpecification.CheckTogether(specifications, parsed.GetValue(_record));
        var arguments = new ServiceArguments(type);
        var service = arguments.Construct(ArgumentsOf(parsed, type, serviceArguments));

        var ports = new List<Port>();
        try
        {
            foreach (var text in specifications)
                ports.Add(Decorate(PortSpecification.Open(text, mtu), parsed, mtu, ports.Count));
            using var recording = Recording(parsed, ports);
            using var runner = new ServiceRunner(service, ports, mtu, recording, (ulong)parsed.GetValue(_spin) * 1000);
            Run(parsed, $"{type.Name} on {string.Join(", ", ports.Select(p => p.Name))}", service, ports, runner);
        }
        finally
        {
            foreach (var port in ports) port.Dispose();
        }
        return 0;
    }

    private string[] Ports(ParseResult parsed)
    {
        var (input, output, ports) = (parsed.GetValue(_in), parsed.GetValue(_out), parsed.GetValue(_ports) ?? []);
        if (ports.Length > 0 && (input ?? output) is not null)
            throw CommandException.Usage(
                "--in and --out are the captures of one port; with --port they stand there: --port pcap:IN,OUT");
        if (ports.Length > 0) return ports;
        if (input is null)
        {
            throw CommandException.Usage(
                $"a port is needed: --port PORT, once for each: {PortSpecification.Kinds} (--help tells more)");
        }
        return [PortSpecification.OfCapture(input, output)];
    }

    private Port Decorate(Port port, ParseResult parsed, int mtu, int index)
    {
        if (parsed.GetValue(_impair) is { } text)
        {
            var impairments = Impairments.Parse(text);
            // Each port draws from a sequence of its own.
            port = new ImpairedPort(
                port, impairments with { Seed = SplitMix64.Draw(impairments.Seed, (ulong)index) }, mtu);
        }
        if (parsed.GetValue(_trace)) port = new TracingPort(port, Console.Error, Protocols.PacketText.Describe);
        return port;
    }

    private RunRecording? Recording(ParseResult parsed, List<Port> ports) =>
        parsed.GetValue(_record) is { } file ? new RunRecording(file, ports.Select(p => p.Name)) : null;

    private void Run(ParseResult parsed, string title, Service service, List<Port> ports, ServiceRunner runner)
    {
        using var stop = new StopSignals();
        RunSnapshot Look() => RunSnapshot.Of(service, ports, runner);
        if (ports[0].IsLive) Console.Error.WriteLine($"ready: {title}");
        if (parsed.GetValue(_live)) LiveView.RunWith(title, runner, Look, stop.Token);
        else
        {
            using var progress = ports[0].IsLive
                ? null
                : Progress.Of("running", () => $"{runner.Sequence.FramesIn.Value:N0} frames");
            runner.Run(stop.Token);
        }

        var end = Look();
        if (parsed.GetValue(_json)) Console.Out.WriteLine(JsonSerializer.Serialize(end, s_json));
        else
            Console.Error.WriteLine(
                $"{title}: {end.FramesIn} frames in, {end.FramesOut} out, {end.Drops} dropped{Details(end)}");
    }

    private static string Details(RunSnapshot end) =>
        string.Concat(
            end.Counters.Concat(end.Faults.Select(f => KeyValuePair.Create("fault " + f.Key, f.Value)))
                .Concat(end.Ports.Select(p => KeyValuePair.Create("not sent by " + p.Name, p.SendDrops)))
                .Where(c => c.Value > 0)
                .Select(c => $"; {c.Key} {c.Value}"));
}
