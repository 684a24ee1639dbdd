using Emu.Compiler;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Layouts;

namespace Emu.Simulation;

/// <summary>
/// The layout of a service that takes the fewest cycles for some frames, and the one that it was chosen before.
/// </summary>
/// <param name="Fastest">The circuit, measured.</param>
/// <param name="Other">The other layout, measured with the same frames; null when it cannot be faster, or there is
/// none.</param>
public sealed record LayoutChoice(Measurement Fastest, Measurement? Other)
{
    /// <summary>Chooses. Of two that take as many cycles the one with fewer LUTs is taken.</summary>
    /// <param name="compile">Compiles the service to a layout; null for a pipeline if there is one, else an
    /// engine.</param>
    /// <param name="traffic">The frames.</param>
    /// <param name="measure">Measures a circuit with frames; null for <see cref="Measurement.Of"/>.</param>
    /// <exception cref="CompileException">The service does not compile.</exception>
    public static LayoutChoice Of(
        Func<Layout?, CompiledService> compile,
        TestTraffic traffic,
        Func<CompiledService, TestTraffic, Measurement>? measure = null)
    {
        ArgumentNullException.ThrowIfNull(compile);
        ArgumentNullException.ThrowIfNull(traffic);
        measure ??= (compiled, frames) => Measurement.Of(compiled, frames);
        var first = measure(compile(null), traffic);
        if (first.Compiled.Layout == Layout.Engine || first.Cycles <= LeastOfEngine(first))
            return new LayoutChoice(first, null);
        var engine = measure(compile(Layout.Engine), first.Traffic);
        return engine.Cycles < first.Cycles || engine.Cycles == first.Cycles && engine.Luts < first.Luts
            ? new LayoutChoice(engine, first)
            : new LayoutChoice(first, engine);
    }

    /// <summary>
    /// An engine receives a frame beat by beat before it does anything, and does something before it receives the next.
    /// </summary>
    private static long LeastOfEngine(Measurement measured)
    {
        var lanes = measured.Compiled.Options.BusBits / 8;
        return measured.Traffic.Frames.Sum(frame => (frame.Bytes.Length + lanes - 1) / lanes + 1L);
    }
}
