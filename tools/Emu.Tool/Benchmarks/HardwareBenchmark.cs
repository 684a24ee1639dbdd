using System.Diagnostics;
using Emu.Compiler;
using Emu.Compiler.Layouts;
using Emu.Hosting;
using Emu.Simulation;

namespace Emu.Tool;

/// <summary>
/// <c>emu bench hardware</c>: every service in every layout that takes it, and every sample in its fastest, beside what
/// was recorded.
/// </summary>
internal sealed class HardwareBenchmark
{
    /// <summary>In bytes without FCS.</summary>
    private static readonly IReadOnlyList<int> s_lengths = [60, 64, 128, 256, 512, 1024, 1514];

    private readonly RecordedHardware _recorded;
    private readonly List<Type> _services;
    private readonly HashSet<Type> _samples;
    private readonly string? _synthesis;
    private readonly CellCount _cells = new(Synthesis.Run);
    private readonly List<HardwareFigures> _measured = [];
    private readonly List<string> _broken = [];

    private HardwareBenchmark(string against, IReadOnlyCollection<string> only, bool synthesises)
    {
        _recorded = RecordedHardware.Load(against);
        _samples = [.. ServiceCatalog.Samples()];
        _services = [.. ServiceCatalog.All(), .. _samples];
        if (only.Count > 0)
        {
            var unknown = only.Except(_services.Select(type => type.Name)).FirstOrDefault();
            if (unknown is not null)
                throw CommandException.Usage($"there is no service '{unknown}' here; ./emu list has their names");
            _services = [.. _services.Where(type => only.Contains(type.Name))];
            var circuits = _recorded.Circuits.Where(circuit => only.Contains(circuit.Service));
            _recorded = _recorded with { Circuits = [.. circuits] };
        }
        if (!synthesises) return;
        Prerequisites.Install([("yosys", "yosys")]);
        if (Synthesis.WhyNot is { } why) Console.Error.WriteLine($"cells are not counted: {why}");
        else _synthesis = $"{Synthesis.Tool}, {Synthesis.Recipe}";
    }

    /// <summary>Measures, prints, and compares.</summary>
    /// <param name="against">The file with the figures to compare with.</param>
    /// <param name="only">The services whose circuits are measured; none for all.</param>
    /// <param name="synthesises">True to count cells, if Yosys is there.</param>
    /// <param name="records">True to write the figures to the repository.</param>
    /// <param name="checks">True to fail when a figure got worse, or is not recorded.</param>
    /// <returns>The exit code.</returns>
    public static int Run(
        string against, IReadOnlyCollection<string> only, bool synthesises, bool records, bool checks)
    {
        var benchmark = new HardwareBenchmark(against, only, synthesises);
        foreach (var (type, arguments) in benchmark.Subjects()) benchmark.Measure(type, arguments);

        var comparison = new HardwareComparison(benchmark._recorded, benchmark._measured, benchmark._synthesis);
        foreach (var line in comparison.Table()) Console.Out.WriteLine(line);
        foreach (var line in comparison.Changes) Console.Out.WriteLine(line);
        foreach (var line in benchmark._broken) Console.Error.WriteLine($"emu: {line}");
        foreach (var (name, reason) in benchmark._cells.Failures) Console.Error.WriteLine($"emu: {name}: {reason}");
        if (records)
        {
            // A row whose cells could not be counted stays as it was: half of a row would be of another circuit.
            var whole = benchmark._measured.Where(row => !benchmark._cells.Failures.ContainsKey(row.Name));
            RecordedHardware.Save(
                benchmark._services, benchmark._synthesis, [.. whole], benchmark._cells.Failures.Keys);
        }
        var failed = benchmark._broken.Count > 0 || benchmark._cells.Failures.Count > 0;
        return failed || checks && !records && comparison.IsWorse ? 1 : 0;
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

    private void Measure(Type type, string[] arguments)
    {
        var fastest = Compile(type, arguments, null);
        Measure(fastest, arguments);
        if (_samples.Contains(type) || fastest.Layout == Layout.Engine) return;
        Measure(Compile(type, arguments, Layout.Engine), arguments);
    }

    private void Measure(CompiledService compiled, string[] arguments)
    {
        var promised = ServiceCompiler.Measure(compiled, MeasuringFrames.For(arguments, null));
        using var progress = Progress.Of($"measuring {compiled.Service}, {ReportBuilder.NameOf(compiled.Layout)}");
        progress.Note("once more, by another bench");
        using var trial = new MeasurementTrial(compiled);
        var kind = promised.Main.Kind;
        var figures = new HardwareFigures(
            compiled.Service, string.Join(' ', arguments), compiled.Options.BusBits,
            ReportBuilder.NameOf(compiled.Layout), trial.Latency(kind),
            s_lengths.ToDictionary(
                length => length, length => length < kind.Bytes ? null : (long?)trial.Interval(kind, length).Most),
            null);
        progress.Note("synthesising");
        if (_synthesis is not null) figures = figures with { Cells = _cells.Of(compiled.Circuit.Design, figures.Name) };
        _measured.Add(figures);
        progress.Note("what was promised, by another bench");
        _broken.AddRange(trial.BrokenPromises(promised).Select(promise => $"{figures.Name}: {promise}"));
    }

    private static CompiledService Compile(Type type, string[] arguments, Layout? layout)
    {
        var (watch, before) = (Stopwatch.StartNew(), Environment.CpuUsage.TotalTime);
        var name = string.Join(' ', (string[])[type.Name, .. arguments]);
        using var progress = Progress.Of($"compiling {name}");
        var compiled = HardwareCompiler.Compile(
            Construction.Call(type, arguments), new HardwareOptions(), layout, (pass, _) => progress.Note(pass));
        var (elapsed, busy) = (watch.Elapsed.TotalSeconds, (Environment.CpuUsage.TotalTime - before).TotalSeconds);
        Console.Error.WriteLine(
            $"{name}, {ReportBuilder.NameOf(compiled.Layout)}: compiled in {elapsed:N1} s, {busy:N1} s of a processor");
        return compiled;
    }
}
