using Emu.Compiler;
using Emu.Simulation;

namespace Emu.Tool;

/// <summary>Whether a circuit keeps to the interval that the user set as a limit, and if not, why not and what would do.</summary>
internal static class IntervalLimit
{
    /// <summary>Null when it does.</summary>
    /// <param name="compiled">The circuit, made for that interval.</param>
    /// <param name="measured">The same, measured.</param>
    /// <param name="most">The most cycles that the shortest frame may take.</param>
    /// <param name="again">Compiles the service for another interval, and measures it.</param>
    public static CompileException? WhyNot(CompiledService compiled, Measurement measured, int most, Func<int, Measurement> again)
    {
        var shortest = Measurement.Lengths[0];
        var nearest = measured.Intervals[shortest];
        if (nearest <= most) return null;
        if (compiled.LeastInterval is { } least && least < nearest) nearest = Math.Min(nearest, again(least).Intervals[shortest]);
        var why = string.Join("; ", compiled.Bounds.Select(b => b.What));
        var reason = $"no frame of {shortest} bytes every {Cycles(most)}: {why}; --interval {nearest} is the nearest that can be met";
        return new CompileException(DiagnosticNumber.Interval, reason, compiled.Bounds.Select(b => b.Location).FirstOrDefault(l => l is not null));
    }

    private static string Cycles(int count) => count == 1 ? "cycle" : $"{count} cycles";
}
