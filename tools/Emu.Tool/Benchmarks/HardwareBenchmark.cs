using System.Diagnostics;
using Emu.Compiler;
using Emu.Compiler.Layouts;
using Emu.Hosting;
using Emu.Simulation;

namespace Emu.Tool;

/// <summary><c>emu bench hardware</c>: every service in every layout that takes it, beside what was recorded.</summary>
internal sealed class HardwareBenchmark
{
    /// <summary>
    /// A circuit that synthesis does not come to an end with has no cells, and the others still have theirs.
    /// </summary>
    private static readonly TimeSpan s_synthesisLimit = TimeSpan.FromMinutes(10);

    /// <summary>In bytes without FCS.</summary>
    private static readonly IReadOnlyList<int> s_lengths = [60, 64, 128, 256, 512, 1024, 1514];

    private readonly RecordedHardware _recorded;
    private readonly List<Type> _services;
    private readonly string? _synthesis;
    private readonly List<HardwareFigures> _measured = [];
    private readonly List<string> _broken = [];

    private HardwareBenchmark(string against, string? service, bool synthesises)
    {
        _recorded = RecordedHardware.Load(against);
        _services = [.. ServiceCatalog.All()];
        if (service is not null)
        {
            _services = [.. _services.Where(type => type.Name == service)];
            if (_services.Count == 0)
                throw CommandException.Usage($"there is no service '{service}' here; ./emu list has their names");
            var circuits = _recorded.Circuits.Where(circuit => circuit.Service == service);
            _recorded = _recorded with { Circuits = [.. circuits] };
        }
        if (!synthesises) return;
        Prerequisites.Install([("yosys", "yosys")]);
        if (Synthesis.WhyNot is { } why) Console.Error.WriteLine($"cells are not counted: {why}");
        else _synthesis = $"{Synthesis.Tool}, {Synthesis.Recipe}";
    }

    /// <summary>Measures, prints, and compares.</summary>
    /// <param name="against">The file with the figures to compare with.</param>
    /// <param name="service">The service whose circuits are measured; null for all.</param>
    /// <param name="synthesises">True to count cells, if Yosys is there.</param>
    /// <param name="records">True to write the figures to the repository.</param>
    /// <param name="checks">True to fail when a figure got worse, or is not recorded.</param>
    /// <returns>The exit code.</returns>
    public static int Run(string against, string? service, bool synthesises, bool records, bool checks)
    {
        if (records && service is not null)
            throw CommandException.Usage("--record writes the figures of all services; leave out --service");
        var benchmark = new HardwareBenchmark(against, service, synthesises);
        foreach (var (type, arguments) in benchmark.Subjects())
            foreach (var layout in Enum.GetValues<Layout>()) benchmark.Measure(type, arguments, layout);

        var comparison = new HardwareComparison(benchmark._recorded, benchmark._measured, benchmark._synthesis);
        foreach (var line in comparison.Table()) Console.Out.WriteLine(line);
        foreach (var line in comparison.Changes) Console.Out.WriteLine(line);
        foreach (var line in benchmark._broken) Console.Error.WriteLine($"emu: {line}");
        if (records) benchmark._recorded.Save(benchmark._synthesis, benchmark._measured);
        return benchmark._broken.Count > 0 || checks && !records && comparison.IsWorse ? 1 : 0;
    }

    /// <summary>
    /// The services with arguments: those recorded, and for a service that is new those of its manual page.
    /// </summary>
    private IEnumerable<(Type Type, string[] Arguments)> Subjects() => _services.SelectMany(type =>
    {
        var recorded = _recorded.Circuits.Where(c => c.Service == type.Name)
            .Select(c => c.Arguments).Distinct().ToList();
        IEnumerable<string[]> variants =
            recorded.Count > 0
                ? recorded.Select(a => a.Split(' ', StringSplitOptions.RemoveEmptyEntries))
                : [[.. new ServiceArguments(type).ExampleArguments]];
        return variants.Select(arguments => (type, arguments));
    });

    private void Measure(Type type, string[] arguments, Layout layout)
    {
        var watch = Stopwatch.StartNew();
        if (Compile(type, arguments, layout) is not { } compiled) return;
        var seconds = watch.Elapsed.TotalSeconds;
        var promised = Measurement.Of(compiled, MeasuringFrames.For(arguments, null));
        using var trial = new MeasurementTrial(compiled);
        var kind = promised.Main.Kind;
        var figures = new HardwareFigures(
            compiled.Service, string.Join(' ', arguments), compiled.Options.BusBits, ReportBuilder.NameOf(layout),
            trial.Latency(kind),
            s_lengths.ToDictionary(length => length, length => trial.Interval(kind, length).Most), null);
        if (_synthesis is not null) figures = figures with { Cells = Synthesise(compiled, figures.Name) };
        Console.Error.WriteLine($"{figures.Name}: compiled in {seconds:N1} s");
        _measured.Add(figures);
        _broken.AddRange(trial.BrokenPromises(promised).Select(promise => $"{figures.Name}: {promise}"));
    }

    /// <summary>Null when the layout does not take the service.</summary>
    private static CompiledService? Compile(Type type, string[] arguments, Layout layout)
    {
        // The fastest is a pipeline if there is one, whatever its interval.
        var compiled = HardwareCompiler.Compile(
            Construction.Call(type, arguments), new HardwareOptions(), layout == Layout.Pipeline ? null : layout);
        return compiled.Layout == layout ? compiled : null;
    }

    private static SynthesisFigures? Synthesise(CompiledService compiled, string name)
    {
        try
        {
            var cells = Synthesis.Run(compiled.Circuit.Design, s_synthesisLimit);
            if (cells is null) Console.Error.WriteLine(
                $"{name}: cells are not counted: synthesis did not end in {s_synthesisLimit.TotalMinutes:0} minutes");
            return cells;
        }
        catch (SimulationException exception)
        {
            throw CommandException.Failure($"{name}: {exception.Message.ReplaceLineEndings(" ")}");
        }
    }
}
