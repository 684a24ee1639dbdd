using System.CommandLine;
using System.CommandLine.Parsing;
using System.Reflection;
using Emu.Compiler.Devices;
using Emu.Compiler.Layouts;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>The options that say which hardware a service is compiled to.</summary>
internal sealed class HardwareArguments
{
    private const int MaxClock = 1000;
    private const int MaxInterval = 1_000_000;
    private const int DefaultLuts = 50_000, MaxLuts = 100_000_000;

    /// <summary>The rate of a MAC port of which a service's class does not say another, in Gbit/s.</summary>
    private const double LineOfPort = 10;

    /// <summary>By the names that a user gives.</summary>
    private static readonly (string Name, Layout Layout)[] s_layouts =
        [.. Enum.GetValues<Layout>().Select(layout => (ReportBuilder.NameOf(layout), layout))];

    private readonly Option<int> _bus = Number(
        "--bus", "Bits of the bus: 64, 128, 256 or 512", "BITS", new HardwareOptions().BusBits);

    private readonly Option<int> _clock = Number(
        "--clock", "The clock that the logic of a cycle is budgeted for", "MHZ", new HardwareOptions().ClockMHz);

    private readonly Option<string> _device = new("--device")
    {
        Description = $"The family of devices by whose delays it is: {string.Join(", ", Device.Names)}",
        HelpName = "DEVICE",
        DefaultValueFactory = _ => Device.Default.Name,
    };

    private readonly Option<int> _mtu = Number(
        "--mtu", $"The most bytes behind an Ethernet header, up to {FrameLength.MaxMtu}; longer frames are dropped",
        "BYTES", FrameLength.DefaultMtu);

    private readonly Option<string?> _layout = new("--layout")
    {
        Description = "pipeline or engine; the fastest that takes the service when left out",
        HelpName = "LAYOUT",
    };

    private readonly Option<int?> _engines = Number(
        "--engines",
        "The engines to which frames are dealt, of a service that is no pipeline or of a pipeline's slow path; these "
        + "must share nothing but counters (1)",
        "N");

    private readonly Option<int> _lut = Number(
        "--lut",
        "LUTs of six inputs that there are, estimated: a service that is no pipeline gets as many engines as line rate "
        + "needs within them, if this is given; above them the C# that they go to is named",
        "LUTS", DefaultLuts);

    private readonly Option<bool> _example =
        new("--example") { Description = "Use the example arguments of the service's documentation" };

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        foreach (var option in new Option[] { _bus, _device, _clock, _mtu, _layout, _engines, _lut, _example })
            command.Options.Add(option);
    }

    /// <summary>An option with a whole number.</summary>
    public static Option<int> Number(string name, string description, string helpName, int defaultValue) => new(name)
    {
        Description = description,
        HelpName = helpName,
        DefaultValueFactory = _ => defaultValue,
        CustomParser = result => Parse(name, result),
    };

    /// <summary>An option with a whole number, or null when left out.</summary>
    public static Option<int?> Number(string name, string description, string helpName) => new(name)
    {
        Description = description,
        HelpName = helpName,
        CustomParser = result => Parse(name, result),
    };

    /// <summary>The least interval that a user may ask for, checked.</summary>
    public static int Interval(int cycles) => In("--interval", cycles, 1, MaxInterval);

    /// <summary>A number that lies in its bounds.</summary>
    /// <exception cref="CommandException">It does not.</exception>
    public static int In(string option, int number, int least, int most) =>
        number >= least && number <= most
            ? number
            : throw CommandException.Usage($"{option}: {number} is not from {least} to {most}");

    /// <summary>The device.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="ports">Its MAC ports.</param>
    /// <exception cref="CommandException">There is none like that.</exception>
    public HardwareOptions Options(ParseResult parsed, int ports) => new()
    {
        BusBits = HardwareOptions.BusWidths.Contains(parsed.GetValue(_bus))
            ? parsed.GetValue(_bus)
            : throw CommandException.Usage(
                $"--bus: {parsed.GetValue(_bus)} is not one of {string.Join(", ", HardwareOptions.BusWidths)}"),
        Ports = ports,
        Device = Device.Names.Contains(parsed.GetValue(_device))
            ? Device.Of(parsed.GetValue(_device)!)
            : throw CommandException.Usage(
                $"--device: '{parsed.GetValue(_device)}' is none of {string.Join(", ", Device.Names)}"),
        ClockMHz = In("--clock", parsed.GetValue(_clock), 1, MaxClock),
        Mtu = In("--mtu", parsed.GetValue(_mtu), FrameLength.MinMtu, FrameLength.MaxMtu),
        Engines = In("--engines", parsed.GetValue(_engines) ?? 1, 1, HardwareOptions.MaxEngines),
    };

    /// <summary>The LUTs that there are.</summary>
    /// <exception cref="CommandException">The number is none that there can be.</exception>
    public int Luts(ParseResult parsed) => In("--lut", parsed.GetValue(_lut), 1, MaxLuts);

    /// <summary>
    /// True if there are to be as many engines as the LUTs that the user named have room for, and not a given number.
    /// </summary>
    public bool FillsLuts(ParseResult parsed) =>
        parsed.GetResult(_lut) is { Implicit: false } && parsed.GetValue(_engines) is null;

    /// <summary>
    /// The cycles that a frame of 60 bytes may take at line rate: that which the service's class asks for, or else that
    /// of all MAC ports together.
    /// </summary>
    public static int CyclesAtLineRate(Type type, HardwareOptions options)
    {
        var line = type.GetCustomAttribute<LineRateAttribute>()
            ?? new LineRateAttribute(LineOfPort * Math.Min(options.Ports, HardwareOptions.DefaultPorts));
        return Math.Max(1, line.MostCycles(options.ClockMHz));
    }

    /// <summary>True if the user named a clock.</summary>
    public bool HasClock(ParseResult parsed) => parsed.GetResult(_clock) is { Implicit: false };

    /// <summary>The layout asked for; null for the fastest.</summary>
    /// <exception cref="CommandException">There is none of that name.</exception>
    public Layout? LayoutOf(ParseResult parsed)
    {
        if (parsed.GetValue(_layout) is not { } name) return null;
        var known = s_layouts.FirstOrDefault(l => l.Name == name);
        if (known.Name is not null) return known.Layout;
        throw CommandException.Usage(
            $"--layout: '{name}' is none of {string.Join(", ", s_layouts.Select(l => l.Name))}");
    }

    /// <summary>The service's arguments: those behind <c>--</c>, or its example.</summary>
    public IReadOnlyList<string> ServiceArguments(ParseResult parsed, Type type, IReadOnlyList<string> given) =>
        parsed.GetValue(_example) ? new ServiceArguments(type).ExampleArguments : given;

    private static int Parse(string name, ArgumentResult result) => int.TryParse(result.Tokens[0].Value, out var number)
        ? number
        : throw CommandException.Usage($"{name}: '{result.Tokens[0].Value}' is not a whole number");
}
