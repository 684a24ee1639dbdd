using Emu.Compiler;
using Emu.Compiler.Clocked;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rtl;
using Emu.Compiler.Verilog;
using Emu.Hosting;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Tool;

/// <summary>
/// <c>emu bench clocked</c>: services as circuits of frames, and as programs of the clock level by our compiler and by
/// KiwiC, where a user has it; and programs of the public release, where there is a clone of it, beside the circuits
/// that KiwiC made of them.
/// </summary>
internal sealed class ClockedBenchmark
{
    /// <summary>The variable of the environment that names a clone of the public release.</summary>
    private const string Release = "EMU_LIVE";

    private const string Recorded = "clocked.json";

    private const int BusBits = 64, Shortest = 60, Longest = 1514;
    private const string ByFrames = "frames, ", ByClock = "clock level", ByKiwi = "KiwiC";
    private const string Sources = "kiwi_src";
    private const string Underscore = "'h_", TcpPing = nameof(TcpPing);

    private static readonly string[] s_services = ["LearningSwitch", "IcmpEcho", TcpPing];

    /// <summary>The secret of TcpPing, which draws one without it, and is another circuit each time.</summary>
    private static readonly string[] s_secret = ["--key", "0x1b1a1918131211100b0a090803020100"];

    private static readonly MacAddress s_peerMac = new(0x0200_0000_0001), s_mac = new(0x0200_0000_0002);
    private static readonly IPv4Address s_peer = new(0x0A00_0001), s_address = new(0x0A00_0002);

    private static readonly Packet s_syn = ToHost.Tcp(1024, 80, 17, flags: Packet.Syn);
    private static readonly Packet s_echo = ToHost.IcmpEchoRequest(0x1234, 1);

    /// <summary>
    /// Programs of the release: their folder there, the module's name in the circuit of KiwiC that it has, null where
    /// the user's copy makes one, a frame that is answered, and if its buffer holds a long one.
    /// </summary>
    private static readonly (string Program, string Folder, string? Module, Packet Frame, bool IsLong)[] s_released =
    [
        ("TCP_Ping", "", "EthernetEcho", s_syn, true),
        ("emu_ICMP_echo", Sources, null, s_echo, false),
    ];

    private static Packet ToHost => Packet.Ethernet(s_peerMac, s_mac).IPv4(s_peer, s_address);

    private readonly RecordedFigures<ClockedFigures> _recorded = RecordedFigures<ClockedFigures>.Load(Recorded);
    private readonly string? _synthesis;
    private readonly CellCount _cells = new(Synthesis.Run);
    private readonly List<ClockedFigures> _measured = [];

    private ClockedBenchmark(bool synthesises)
    {
        if (!synthesises) return;
        Prerequisites.Install([("yosys", "yosys")]);
        if (Synthesis.WhyNot is { } why) Console.Error.WriteLine($"cells are not counted: {why}");
        else _synthesis = $"{Synthesis.Tool}, {Synthesis.Recipe}";
    }

    /// <summary>Measures, prints, and compares.</summary>
    /// <param name="only">The programs that are measured; none for all.</param>
    /// <param name="synthesises">True to count cells, if Yosys is there.</param>
    /// <param name="records">True to write the figures to the repository.</param>
    /// <param name="checks">True to fail when a figure got worse, or is not recorded.</param>
    /// <returns>The exit code.</returns>
    public static int Run(IReadOnlyCollection<string> only, bool synthesises, bool records, bool checks)
    {
        var known = s_services.Concat(s_released.Select(released => released.Program));
        if (only.Except(known).FirstOrDefault() is { } unknown)
            throw CommandException.Usage($"the clock level is not measured with a program '{unknown}'");
        var benchmark = new ClockedBenchmark(synthesises);
        foreach (var service in s_services.Where(IsWanted)) benchmark.MeasureService(service);
        foreach (var (program, folder, module, frame, isLong) in s_released.Where(known => IsWanted(known.Program)))
        {
            var kind = new FrameKind(program, (byte[])frame.PaddedTo(Shortest));
            benchmark.MeasureReleased(program, folder, module, kind, isLong);
        }
        foreach (var line in benchmark.Table()) Console.Out.WriteLine(line);
        var worse = benchmark._recorded.Worse(benchmark._measured).ToList();
        foreach (var line in worse) Console.Out.WriteLine(line);
        foreach (var (name, reason) in benchmark._cells.Failures) Console.Error.WriteLine($"emu: {name}: {reason}");
        if (records) benchmark.Record();
        return checks && !records && worse.Count > 0 ? 1 : 0;

        bool IsWanted(string program) => only.Count == 0 || only.Contains(program);
    }

    private void MeasureService(string service)
    {
        var type = ServiceCatalog.All().Single(known => known.Name == service);
        var example = new ServiceArguments(type).ExampleArguments;
        string[] arguments = [.. example, .. service == TcpPing ? s_secret : []];
        var options = new HardwareOptions { BusBits = BusBits };
        using var progress = Progress.Of($"measuring {service}");
        var fastest = HardwareCompiler.Compile(Construction.Call(type, arguments), options);
        var kind = Measurement.Of(fastest, MeasuringFrames.For(arguments, null), progress.Note).Main.Kind;
        var layouts = fastest.Layout == Layout.Engine ? [fastest] : new[]
        {
            fastest, HardwareCompiler.Compile(Construction.Call(type, arguments), options, Layout.Engine),
        };
        foreach (var compiled in layouts)
            Measure(service, ByFrames + ReportBuilder.NameOf(compiled.Layout), compiled.Circuit.Design, kind);

        var folder = Directory.CreateTempSubdirectory("emu-clocked-");
        var file = Path.Combine(folder.FullName, $"{service}.cs");
        File.WriteAllText(file, DialectCompiler.Compile(Construction.Call(type, arguments), options).Source);
        Measure(service, ByClock, OfClockLevel(file), kind);
        MeasureKiwi(service, file, kind);
    }

    private void MeasureKiwi(string program, string file, FrameKind kind, bool isLong = true)
    {
        if (CompileByKiwi(file, out var why) is { } verilog)
            Measure(program, ByKiwi, OfKiwi(verilog, Path.GetFileNameWithoutExtension(file)), kind, isLong);
        else
            Console.Error.WriteLine($"{program}, {ByKiwi}: not measured: {why}");
    }

    /// <summary>The file with KiwiC's Verilog; null, with the reason, where it is not there or has failed.</summary>
    private static string? CompileByKiwi(string file, out string? why)
    {
        try
        {
            return KiwiCompiler.Find(out why)?.Compile(file);
        }
        catch (CommandException failure)
        {
            why = failure.Message;
            return null;
        }
    }

    private void MeasureReleased(string program, string folder, string? module, FrameKind kind, bool isLong)
    {
        if (Environment.GetEnvironmentVariable(Release) is not { Length: > 0 } clone)
        {
            Console.Error.WriteLine($"{program}: not measured: {Release} does not name a clone of the public release");
            return;
        }
        var file = Path.Combine(clone, folder, program + ".cs");
        Measure(program, ByClock, OfClockLevel(file), kind, isLong);
        if (module is not null)
        {
            Measure(program, ByKiwi, OfKiwi(Path.Combine(clone, "out", program + ".v"), module), kind, isLong);
            return;
        }
        // What is compiled lies beside the program, so this is a copy.
        var copy = Path.Combine(Directory.CreateTempSubdirectory("emu-clocked-").FullName, program + ".cs");
        File.Copy(file, copy);
        MeasureKiwi(program, copy, kind, isLong);
    }

    private static Design OfClockLevel(string file) => ClockedCompiler.Compile(
        ClockedCatalog.Find(file) ?? throw CommandException.Failure($"{file} is no program of the clock level")).Design;

    /// <summary>
    /// The Verilog of KiwiC as it is, but for hexadecimal digits that begin with an underscore, which Verilog does
    /// not have (IEEE 1364-2005 §3.5.1): Icarus and Yosys take no such number.
    /// </summary>
    private static Design OfKiwi(string file, string module)
    {
        var text = File.ReadAllText(file);
        if (text.Contains(Underscore, StringComparison.Ordinal))
            Console.Error.WriteLine($"{file}: read with 'h in place of {Underscore}, which is no Verilog");
        return ForeignVerilog.Read(
            text.Replace(Underscore, "'h", StringComparison.Ordinal), module, ClockPorts.Plain)
            ?? throw CommandException.Failure($"{file} has no module {module}");
    }

    private void Measure(string program, string compiler, Design design, FrameKind kind, bool isLong = true)
    {
        using var progress = Progress.Of($"measuring {program}, {compiler}");
        var trial = new StreamTrial(() => SimulatorOf(design), kind);
        var (latency, shortest) = (trial.Latency(), trial.Interval(Shortest));
        long? longest = isLong ? trial.Interval(Longest) : null;
        progress.Note("synthesising");
        var cells = _synthesis is null ? null : _cells.Of(design, $"{program}, {compiler}");
        _measured.Add(new ClockedFigures(
            program, compiler, latency, shortest, longest, cells?.Lut, cells?.LutRam, cells?.Ff, cells?.Depth));
        Console.Error.WriteLine($"{program}, {compiler}: measured");
    }

    private static Simulator SimulatorOf(Design design)
    {
        Simulator simulator = design.Source is null ? new ManagedSimulator(design) : new VerilatorSimulator(design);
        return design.Inputs.Exists(port => port.Name == "s_axis_tuser_low")
            ? new JoinedUserSimulator(simulator)
            : simulator;
    }

    /// <summary>The figures as a table of Markdown.</summary>
    private IEnumerable<string> Table()
    {
        yield return "| program | compiler | latency | 60 B | 1514 B | LUT | LUT as RAM | FF | depth |";
        yield return "|---|---|---|---|---|---|---|---|---|";
        foreach (var now in _measured)
            yield return $"| {now.Program} | {now.Compiler} | "
                + $"{string.Join(" | ", now.All.Select(figure => figure.Value?.ToString() ?? "–"))} |";
    }

    private void Record()
    {
        var names = _measured.Select(now => now.Name).ToHashSet();
        var kept = _recorded.Circuits.Where(before => !names.Contains(before.Name));
        var measured = _measured.Select(now => now.Lut is null && _recorded.Of(now) is { } before
            ? now with { Lut = before.Lut, LutRam = before.LutRam, Ff = before.Ff, Depth = before.Depth }
            : now);
        var order = s_services.Concat(s_released.Select(released => released.Program)).ToList();
        new RecordedFigures<ClockedFigures>(
            _synthesis ?? _recorded.Synthesis,
            [.. kept.Concat(measured).OrderBy(circuit => order.IndexOf(circuit.Program))]).Save(Recorded);
    }
}
