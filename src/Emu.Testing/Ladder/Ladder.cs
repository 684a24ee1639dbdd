using Emu.Simulation;

namespace Emu.Testing;

/// <summary>
/// Every way to run a service: .NET, its IR, its IR after the optimisations, its circuits cycle by cycle, their Verilog
/// in simulators of the field. All must do with the same frames what .NET does, and be left in the same state.
/// </summary>
public static class Ladder
{
    private const int DefaultFrames = 1000;

    /// <summary>The rungs of the random programs; the first is what the others are held against.</summary>
    internal static IReadOnlyList<Rung> Rungs { get; } =
    [
        new DotNetRung(),
        new InterpreterRung(),
        new OptimisedRung(),
        // Before the engine: where it is one, that is the same circuit.
        new HardwareRung(
            "the fastest layout, with stalls",
            null,
            source: StallPattern.Random(3, 0.3),
            sink: StallPattern.Random(5, 0.4)),
        new HardwareRung("the engine", Compiler.Layouts.Layout.Engine),
    ];

    /// <summary>Holds a service to the ladder.</summary>
    /// <param name="construct">Makes the service anew, equal each time: <c>() => new LearningSwitch()</c>.</param>
    /// <param name="frames">The frames that it receives, in order;
    /// 1,000 of <see cref="FrameSequence.Random"/> when left out.</param>
    /// <param name="options">The rungs and other options; all rungs when left out.</param>
    /// <returns>The rungs on which it ran, and those on which it did not, with the reason.</returns>
    /// <exception cref="TestFailedException">
    /// A rung differs from .NET, or the service does not compile: the frame and the packets by field.
    /// </exception>
    /// <exception cref="ArgumentException">A frame arrives at a port that the device does not have.</exception>
    public static LadderResult Check(
        Func<Service> construct, IReadOnlyList<IncomingFrame>? frames = null, LadderOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(construct);
        options ??= new LadderOptions();
        frames ??= FrameSequence.Random(DefaultFrames, ports: options.Ports);
        if (frames.FirstOrDefault(f => f.Port < 0 || f.Port >= options.Ports) is { } stray)
            throw new ArgumentException(
                $"a frame arrives at port {stray.Port} of a device with {options.Ports} ports", nameof(frames));
        return new LadderCheck(new Subject(construct, options.Ports), frames, options).Run();
    }

    /// <summary>Runs a service on every rung of the random programs.</summary>
    /// <returns>The first difference, with what was expected; null when there is none.</returns>
    internal static string? Difference(Func<Service> construct, IReadOnlyList<IncomingFrame> frames) =>
        Difference(new Subject(construct), frames, Rungs);

    /// <summary>Runs a service on some rungs.</summary>
    /// <returns>The first difference from the first of them, with what was expected; null when there is none.</returns>
    internal static string? Difference(Subject subject, IReadOnlyList<IncomingFrame> frames, IReadOnlyList<Rung> rungs)
    {
        var expected = rungs[0].Run(subject, frames);
        foreach (var rung in rungs.Skip(1).Where(r => r.WhyNot(subject) is null))
        {
            var difference = On(rung);
            if (difference is not null && rung.Patient is { } patient) difference = On(patient);
            if (difference is not null) return $"{rung.Name} differs from {rungs[0].Name} {difference.Text(frames)}";
        }
        return null;

        Difference? On(Rung rung) =>
            Testing.Difference.Between(expected, rung.Run(subject, frames), rung.IsInAll, frames);
    }
}
