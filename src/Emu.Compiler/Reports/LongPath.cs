using Emu.Compiler.Devices;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Reports;

/// <summary>
/// Logic between two flops that the clock has no time for: the longest path of a line of C#, or of a part of the
/// layout.
/// </summary>
/// <param name="What">The operation that is most of it, or the part of the circuit.</param>
/// <param name="Levels">Levels of logic, estimated before synthesis.</param>
/// <param name="Picoseconds">The time of the path to the same flop that takes longest, wiring assumed.</param>
/// <param name="ClockMHz">The fastest clock that has time for it.</param>
/// <param name="Location">The user's line; null for a part of the layout.</param>
public sealed record LongPath(
    string What, double Levels, double Picoseconds, int ClockMHz, SourceLocation? Location)
{
    /// <summary>
    /// A path is a line's if that line is so much of it: the rest is what the layout needs around it.
    /// </summary>
    private const double LeastShare = 1 / 3.0;

    /// <summary>
    /// The paths of a circuit that are over the budget, the longest first, each line and each part once.
    /// </summary>
    /// <param name="circuit">The circuit.</param>
    /// <param name="options">The device, with its clock.</param>
    public static IReadOnlyList<LongPath> Of(Circuit circuit, HardwareOptions options)
    {
        ArgumentNullException.ThrowIfNull(circuit);
        ArgumentNullException.ThrowIfNull(options);
        var timing = circuit.Timing;
        return
        [
            .. timing.Ends.Where(end => timing.LevelsOf(end.Value) > options.Levels)
                .OrderByDescending(end => timing.LevelsOf(end.Value))
                .Select(end => Of(timing, options.Device, end.Value, end.Section.Title))
                .DistinctBy(path => (path.Location?.File, path.Location?.Line, path.Location is null ? path.What : "")),
        ];
    }

    /// <summary>The most levels of logic, and the most picoseconds, of a circuit's paths: they may be of two.</summary>
    /// <param name="circuit">The circuit, on the device that it was made for.</param>
    public static (double Levels, double Picoseconds) Longest(Circuit circuit)
    {
        ArgumentNullException.ThrowIfNull(circuit);
        var timing = circuit.Timing;
        return (timing.Longest, timing.Ends.Select(end => timing.PicosecondsOf(end.Value)).Append(0).Max());
    }

    private static LongPath Of(StaticTiming timing, Device device, Value end, string section)
    {
        var (levels, picoseconds) = (timing.LevelsOf(end), timing.PicosecondsOf(end));
        var clock = device.ClockFor(Math.Max(picoseconds, Math.Ceiling(levels) * device.Level));
        var path = timing.PathTo(end);
        var parts = path.Select((value, i) =>
                (Value: value, Levels: timing.LevelsOf(value) - (i == 0 ? 0 : timing.LevelsOf(path[i - 1]))))
            .ToList();
        var line = parts.Where(p => p.Value is Operation { Location: not null })
            .GroupBy(p => ((Operation)p.Value).Location!.Own is var own ? (own.File, own.Line) : default)
            .MaxBy(line => line.Sum(p => p.Levels));
        if (line is null || line.Sum(p => p.Levels) < LeastShare * levels)
            return new LongPath(section, levels, picoseconds, clock, null);
        var most = (Operation)line.MaxBy(p => p.Levels).Value;
        return new LongPath(NameOf(most), levels, picoseconds, clock, most.Location!.Own);
    }

    private static string NameOf(Operation operation) => operation.Opcode switch
    {
        Opcode.DivideUnsigned or Opcode.DivideSigned => $"a division of {operation.Width} bits",
        Opcode.RemainderUnsigned or Opcode.RemainderSigned => $"a remainder of {operation.Width} bits",
        Opcode.Multiply => $"a product of {operation.Width} bits",
        _ => "what is computed",
    };
}
