using Emu.Compiler.Layouts;

namespace Emu.Compiler.Reports;

/// <summary>The gain and the cost of one more engine, estimated: engines have the same size, and take turns.</summary>
/// <param name="Engines">The engines that there would be.</param>
/// <param name="IntervalCycles">Cycles from one of the shortest measured frames to the next.</param>
/// <param name="Luts">LUTs of six inputs that are added.</param>
public sealed record OneMoreEngine(int Engines, long IntervalCycles, long Luts)
{
    /// <summary>The titles of those parts of a circuit of one engine that are no part of the engine.</summary>
    private static readonly string[] s_beside = ["AXI4-Lite registers", "counters"];

    /// <summary>Estimates it.</summary>
    /// <param name="circuit">The circuit as it is.</param>
    /// <param name="engines">The engines that it has.</param>
    /// <param name="intervalCycles">Cycles from one of those frames to the next as it is.</param>
    /// <param name="beats">The beats of such a frame, as it comes or leaves: cycles that it takes at least.</param>
    public static OneMoreEngine Of(Circuit circuit, int engines, long intervalCycles, long beats)
    {
        ArgumentNullException.ThrowIfNull(circuit);
        var luts = Cost.Of(circuit).Where(cost => cost.Depth == 0 && IsOfEngine(cost, engines))
            .Sum(cost => cost.Luts);
        return new OneMoreEngine(
            engines + 1,
            Math.Max(beats, (intervalCycles * engines + engines) / (engines + 1)),
            (luts + engines - 1) / engines);
    }

    private static bool IsOfEngine(Cost cost, int engines) =>
        !cost.IsLayout || (engines == 1
            ? !s_beside.Contains(cost.Name)
            : cost.Name.StartsWith("each engine", StringComparison.Ordinal));
}
