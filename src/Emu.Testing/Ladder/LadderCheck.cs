using Emu.Compiler.Diagnostics;
using Emu.Compiler.Layouts;
using Emu.Simulation;

namespace Emu.Testing;

/// <summary>One service held to the ladder: <see cref="Ladder.Check"/>.</summary>
internal sealed class LadderCheck(Subject subject, IReadOnlyList<IncomingFrame> frames, LadderOptions options)
{
    private const double StallProbability = 0.5;

    private readonly DotNetRung _first = new();
    private readonly List<string> _ran = [];
    private readonly List<string> _skipped = [];

    /// <summary>Runs it on all rungs that the options ask for.</summary>
    /// <exception cref="TestFailedException">A rung differs.</exception>
    public LadderResult Run()
    {
        var expected = Compare([new InterpreterRung(), new OptimisedRung()], subject, frames);
        var layouts = options.Layouts ?? [Layout.Engine, Layout.Pipeline];
        var circuits = options.BusBits.SelectMany(bits => layouts.Select(layout => (layout, bits))).Where(Has).ToList();
        Compare([.. circuits.SelectMany(c => Circuits(c.layout, c.bits))], subject.Again(), frames);
        List<IncomingFrame> few = [.. frames.Take(options.OutsideFrames)];
        var outside = OutsideSimulator.Of(options.Outside).Where(Has).ToList();
        if (outside.Count > 0)
            Compare(
                [.. outside.SelectMany(simulator => Outside(simulator, circuits, few.Count))], subject.Again(), few);
        foreach (var skipped in _skipped) options.Output($"{subject.Name} is not held to {skipped}");
        return new LadderResult([_first.Name, .. _ran], _skipped, frames.Count, expected.Events.Sum(e => e.Sent.Count));
    }

    /// <summary>Runs it on .NET and on some rungs.</summary>
    /// <returns>The outcome on .NET.</returns>
    /// <exception cref="TestFailedException">A rung differs.</exception>
    public Outcome Compare(IReadOnlyList<Rung> rungs, Subject subject, IReadOnlyList<IncomingFrame> frames)
    {
        var expected = Guarded(_first, () => _first.Run(subject, frames));
        foreach (var rung in rungs)
        {
            if (On(rung) is not null)
            {
                var judge = rung.Patient ?? rung;
                if (On(judge) is { } difference) throw Failure(judge, difference, frames);
            }
            _ran.Add(rung.Name);
        }
        return expected;

        Difference? On(Rung rung) => Difference.Between(
            expected, Guarded(rung, () => rung.Run(subject, frames)), rung.IsInAll, frames);
    }

    private bool Has((Layout Layout, int BusBits) circuit)
    {
        var rung = new HardwareRung(
            Name(circuit.Layout, circuit.BusBits), circuit.Layout, circuit.BusBits, isOptional: options.Layouts is null,
            interval: options.Interval);
        return Has(rung.Name, Guarded(rung, () => rung.WhyNot(subject)));
    }

    private bool Has(OutsideSimulator simulator) => Has(simulator.Name, simulator.WhyNot);

    private bool Has(string name, string? whyNot)
    {
        if (whyNot is not null) _skipped.Add($"{name}: {whyNot}");
        return whyNot is null;
    }

    private IEnumerable<Rung> Circuits(Layout layout, int busBits)
    {
        var name = Name(layout, busBits);
        var engines = EnginesOf(layout);
        yield return new HardwareRung(name, layout, busBits, interval: options.Interval, engines: engines);
        if (options.StallSeed is not { } seed) yield break;
        var (source, sink) = (
            StallPattern.Random(seed, StallProbability),
            StallPattern.Random(SplitMix64.Draw(seed, 0), StallProbability));
        yield return new HardwareRung(
            $"{name} with stalls of seed {seed}", layout, busBits, source, sink, interval: options.Interval,
            engines: engines);
    }

    /// <summary>The circuits for the first of the buses.</summary>
    private IEnumerable<Rung> Outside(
        OutsideSimulator simulator, List<(Layout Layout, int BusBits)> circuits, int count) =>
        circuits
            .Where(c => c.BusBits == circuits[0].BusBits)
            .Select(c => new OutsideRung(
                simulator, c.Layout, $"{Name(c.Layout, c.BusBits)} in {simulator.Name}, the first {count} frames",
                c.BusBits, options.Interval, engines: EnginesOf(c.Layout)));

    private int EnginesOf(Layout layout) => layout == Layout.Engine ? options.Engines : 1;

    private string Name(Layout layout, int busBits) => EnginesOf(layout) is > 1 and var engines
        ? $"{engines} engines on {busBits} bits"
        : $"the {layout.ToString().ToLowerInvariant()} on {busBits} bits";

    /// <summary>Runs a step: an error of the compiler or of a bench fails the test like a difference.</summary>
    private T Guarded<T>(Rung rung, Func<T> run)
    {
        try
        {
            return run();
        }
        catch (CompileException exception)
        {
            var circuit = rung == _first ? "" : $" as {rung.Name}";
            var what = $"{subject.Name} does not compile{circuit}: {exception.Message}";
            throw new TestFailedException($"{what}\n{Again(frames.Count)}");
        }
        catch (Exception exception) when (exception is BusException or SimulationException or TimeoutException)
        {
            throw new TestFailedException($"{subject.Name} on {rung.Name}: {exception.Message}\n{Again(frames.Count)}");
        }
    }

    private TestFailedException Failure(Rung rung, Difference difference, IReadOnlyList<IncomingFrame> frames)
    {
        if (difference.Frame is null) difference = AtItsFrame(difference, rung, frames);
        var again = Again(difference.Frame + 1 ?? 0);
        return new TestFailedException(
            $"{subject.Name} on {rung.Name} differs from {_first.Name} {difference.Text(frames)}\n{again}");
    }

    /// <summary>A difference that shows only after all frames, with the first frame after which it shows.</summary>
    private Difference AtItsFrame(Difference difference, Rung rung, IReadOnlyList<IncomingFrame> frames)
    {
        var (fewest, most) = (0, frames.Count);
        while (fewest < most)
        {
            var middle = (fewest + most) / 2;
            List<IncomingFrame> some = [.. frames.Take(middle)];
            var again = subject.Again();
            if (Difference.Between(_first.Run(again, some), rung.Run(again, some), rung.IsInAll, some)
                is not { } earlier)
                fewest = middle + 1;
            else (most, difference) = (middle, earlier);
        }
        return difference with { Frame = most > 0 ? most - 1 : null };
    }

    private string Again(int enough)
    {
        var origin = (frames as FrameSequence)?.Origin ?? "the frames given";
        var skipped = string.Concat(_skipped.Select(s => $"\nnot held to {s}"));
        return $"again with {origin}"
            + $"{(enough < frames.Count ? $", of which the first {enough} are enough" : "")}{skipped}";
    }
}
