using Emu.Compiler.Diagnostics;
using Emu.Compiler.Layouts;
using Emu.Compiler.Reports;

namespace Emu.Tool;

/// <summary>Warnings about a circuit that was made: it is larger, or slower, than its user may expect.</summary>
internal static class CircuitWarnings
{
    /// <summary>The diagnostic about logic that the clock has no time for.</summary>
    public static readonly string LongPathNumber = $"EMU{DiagnosticNumber.LongPath:D4}";

    private static readonly string s_sizeNumber = $"EMU{DiagnosticNumber.Size:D4}";

    /// <summary>Lines that are named: those with the most LUTs.</summary>
    private const int MostLines = 5;

    /// <summary>The paths that are over the budget of the clock, the longest first.</summary>
    public static IEnumerable<Diagnostic> OfTiming(Circuit circuit, HardwareOptions options) =>
        LongPath.Of(circuit, options).Select(path => new Diagnostic(
            LongPathNumber,
            path.Location?.File ?? "",
            path.Location?.Line ?? 0,
            $"{path.What}: {path.Levels:0.#} levels of logic, {path.Picoseconds:0} ps, in one cycle, and "
                + $"{options.ClockMHz} MHz on {options.Device.Title} has time for {options.Levels}, "
                + $"{options.LogicTime:0} ps; {path.ClockMHz} MHz is left"));

    /// <summary>
    /// A warning about a circuit that is too large, with its size and the lines that need most of it;
    /// nothing for others.
    /// </summary>
    /// <param name="circuit">The circuit.</param>
    /// <param name="luts">Its LUTs, estimated.</param>
    /// <param name="most">The most that nothing is said of.</param>
    public static IEnumerable<Diagnostic> OfSize(Circuit circuit, long luts, int most)
    {
        if (luts <= most) yield break;
        var lines = Cost.ByLine(circuit);
        var layout = luts - lines.Sum(line => line.Luts);
        yield return new Diagnostic(
            s_sizeNumber, "", 0,
            $"about {luts:N0} LUT, more than {most:N0} (--lut); {layout:N0} of them are of the layout itself");
        foreach (var line in lines.Take(MostLines))
        {
            var copies = line.Copies > 1
                ? $", which is there {line.Copies:N0} times, once for each way to call it"
                : "";
            yield return new Diagnostic(
                s_sizeNumber, line.Line.File, line.Line.Line,
                $"{line.Luts:N0} of them are of this line of {line.Line.Method}{copies}");
        }
    }
}
