using Emu.Compiler;
using Emu.Compiler.Layouts;
using Emu.Direction.Weaving;
using Emu.Hosting;
using Emu.Simulation;

namespace Emu.Tool;

/// <summary>
/// <c>emu bench direction</c>: the cost of direction in circuits, of each command beside the service without any and
/// beside the service with the controller alone.
/// </summary>
internal sealed class DirectionBenchmark
{
    private const string Recorded = "direction.json";
    private const int FrameBytes = 60;
    private const string Unwoven = "", Controller = "status", Unconditional = " --direct-terms 0";
    private static readonly MacAddress s_address = new(0x0200_0000_0002);

    /// <summary>The time that synthesis has for a circuit; of one that takes longer the estimate is all.</summary>
    private static readonly TimeSpan s_longest = TimeSpan.FromMinutes(10);

    private readonly RecordedFigures<DirectionFigures> _recorded = RecordedFigures<DirectionFigures>.Load(Recorded);
    private readonly string? _synthesis;
    private readonly List<DirectionFigures> _measured = [];

    private DirectionBenchmark(bool synthesises)
    {
        if (!synthesises) return;
        Prerequisites.Install([("yosys", "yosys")]);
        if (Synthesis.WhyNot is { } why) Console.Error.WriteLine($"LUTs are not counted: {why}");
        else _synthesis = $"{Synthesis.Tool}, {Synthesis.Recipe}";
    }

    /// <summary>Measures, prints, and compares.</summary>
    /// <param name="only">The services that are measured; none for all.</param>
    /// <param name="synthesises">True to count LUTs, if Yosys is there.</param>
    /// <param name="records">True to write the figures to the repository.</param>
    /// <param name="checks">True to fail when a figure got worse, or is not recorded.</param>
    /// <returns>The exit code.</returns>
    public static int Run(IReadOnlyCollection<string> only, bool synthesises, bool records, bool checks)
    {
        var unknown = only.Except(DirectionSubject.All.Select(subject => subject.Service)).FirstOrDefault();
        if (unknown is not null)
            throw CommandException.Usage($"direction is not measured with a service '{unknown}'");
        var benchmark = new DirectionBenchmark(synthesises);
        foreach (var subject in DirectionSubject.All.Where(s => only.Count == 0 || only.Contains(s.Service)))
            benchmark.Measure(subject);
        foreach (var line in benchmark.Table()) Console.Out.WriteLine(line);
        var worse = benchmark._recorded.Worse(benchmark._measured).ToList();
        foreach (var line in worse) Console.Out.WriteLine(line);
        if (records) benchmark.Record();
        return checks && !records && worse.Count > 0 ? 1 : 0;
    }

    private void Measure(DirectionSubject subject)
    {
        var type = ServiceCatalog.All().Single(known => known.Name == subject.Service);
        string[] arguments = [.. new ServiceArguments(type).ExampleArguments];
        var frames = subject.Frames ?? MeasuringFrames.For(arguments, null);
        var (variable, counted, traced) = (subject.Variable, subject.Counted, subject.Traced);
        string[] features =
        [
            Unwoven, Controller, $"print:{variable}", $"set:{variable}", $"count:{counted}{Unconditional}",
            $"count:{counted}", $"trace:{traced}{Unconditional}", $"trace:{traced}", $"break:Process+{variable}",
        ];
        foreach (var woven in features) _measured.Add(Measure(type, arguments, frames, woven));
    }

    private DirectionFigures Measure(Type type, string[] arguments, TestTraffic frames, string features)
    {
        var isUnconditional = features.EndsWith(Unconditional, StringComparison.Ordinal);
        var options = new WeaveOptions(
            DirectionFeatures.Parse(isUnconditional ? features[..^Unconditional.Length] : features), Key: 1, s_address);
        if (isUnconditional) options = options with { Comparisons = 0 };
        using var progress = Progress.Of($"measuring {type.Name}, {features}");
        var woven = features == Unwoven ? type : WovenService.Load(type, options);
        var compiled = HardwareCompiler.Compile(Construction.Call(woven, arguments), new HardwareOptions());
        var measurement = Measurement.Of(compiled, frames, progress.Note);
        var kind = measurement.Main.Kind;
        using var trial = new MeasurementTrial(compiled, frames.Before);
        var figures = new DirectionFigures(
            type.Name, features, ReportBuilder.NameOf(compiled.Layout), trial.Latency(kind),
            trial.Interval(kind, Math.Max(FrameBytes, kind.Bytes)).Most,
            _synthesis is null ? null : Synthesis.Run(compiled.Circuit.Design, s_longest)?.Lut,
            measurement.Luts);
        var found = figures.All.Where(figure => figure.Value is not null).Select(f => $"{f.Name} {f.Value}");
        Console.Error.WriteLine($"{figures.Name}: {string.Join(", ", found)}");
        return figures;
    }

    /// <summary>The figures as a table of Markdown, with the share of a command less that of the controller.</summary>
    private IEnumerable<string> Table()
    {
        yield return
            "| service | woven with | layout | latency | interval | LUT | less the controller, of the unwoven | "
            + "LUT, estimated | share of these |";
        yield return "|---|---|---|---|---|---|---|---|---|";
        foreach (var now in _measured)
        {
            var woven = now.Features == Unwoven ? "–" : $"`{now.Features}`";
            var latency = now.Latency?.ToString() ?? "–";
            yield return $"| {now.Service} | {woven} | {now.Layout} | {latency} | {now.Interval} | "
                + $"{now.Lut?.ToString() ?? "–"} | {Share(now, figures => figures.Lut)} | "
                + $"{now.Estimate?.ToString() ?? "–"} | {Share(now, figures => figures.Estimate)} |";
        }
    }

    /// <summary>Feature and controller less the controller, plus unwoven, over unwoven, in percent.</summary>
    private string Share(DirectionFigures now, Func<DirectionFigures, long?> luts)
    {
        var (unwoven, controller) = (luts(Of(now.Service, Unwoven)), luts(Of(now.Service, Controller)));
        return now.Features is not (Unwoven or Controller) && luts(now) - controller + unwoven is { } all
            ? $"{100.0 * all / unwoven:N1} %"
            : "–";
    }

    private DirectionFigures Of(string service, string features) =>
        _measured.Single(m => m.Service == service && m.Features == features);

    private void Record()
    {
        var services = _measured.Select(m => m.Service).ToHashSet();
        var kept = _recorded.Circuits.Where(before => !services.Contains(before.Service));
        var measured = _measured.Select(now => now.Lut is null ? now with { Lut = _recorded.Of(now)?.Lut } : now);
        var order = DirectionSubject.All.Select(subject => subject.Service).ToList();
        new RecordedFigures<DirectionFigures>(
            _synthesis ?? _recorded.Synthesis,
            [.. kept.Concat(measured).OrderBy(circuit => order.IndexOf(circuit.Service))]).Save(Recorded);
    }
}
