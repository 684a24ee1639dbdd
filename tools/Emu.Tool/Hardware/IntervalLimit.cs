using Emu.Compiler.Diagnostics;
using Emu.Simulation;

namespace Emu.Tool;

/// <summary>
/// The check that a circuit keeps to the interval that the user set as a limit;
/// if not, it says why not and what would do.
/// </summary>
internal static class IntervalLimit
{
    /// <summary>Null when it does.</summary>
    /// <param name="chosen">The circuit, made for that interval.</param>
    /// <param name="most">The most cycles that the shortest frame may take.</param>
    /// <param name="again">Compiles the service for another interval, and measures it.</param>
    public static CompileException? WhyNot(LayoutChoice chosen, int most, Func<int, LayoutChoice> again)
    {
        var measured = chosen.Fastest;
        var main = measured.Main;
        if (main.Interval <= most) return null;
        var (nearest, shortest) = (main.Interval, main.Kind.Bytes);
        if (measured.Compiled.LeastInterval is { } least && least < nearest)
            nearest = Math.Min(nearest, again(least).Fastest.Main.Interval);
        var bounds = ReportBuilder.Bounds(measured, chosen.Other).ToList();
        if (bounds.Count == 0) bounds.AddRange(measured.Compiled.Bounds);
        var why = string.Join("; ", bounds.Select(b => b.What));
        var reason =
            $"no frame of {shortest} bytes every {Cycles(most)}: {why}; "
            + $"--interval {nearest} is the nearest that can be met";
        return new CompileException(
            DiagnosticNumber.Interval, reason, bounds.Select(b => b.Location).FirstOrDefault(l => l is not null));
    }

    private static string Cycles(int count) => count == 1 ? "cycle" : $"{count} cycles";
}
