using Emu.Compiler.Reports;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Clocked;

/// <summary>
/// Chooses how each thread keeps its state: as a number, or with a flop for each state. Which of them is fewer LUTs
/// depends on what is decided by the state, and is estimated.
/// </summary>
internal static class StateEncoding
{
    /// <summary>The states up to which a number takes no more than a LUT input or two.</summary>
    private const int Few = 3;

    /// <summary>The circuit with the encodings that make it smallest, thread by thread.</summary>
    /// <param name="threads">The threads.</param>
    /// <param name="build">Builds the circuit, with flops for each state of some threads.</param>
    public static Design Smallest(
        IReadOnlyList<ThreadCycles> threads, Func<IReadOnlySet<ThreadCycles>, Design> build)
    {
        var oneHot = new HashSet<ThreadCycles>();
        var best = build(oneHot);
        var candidates = threads.Where(thread => thread.Cycles.Count > Few).ToList();
        var least = candidates.Count > 0 ? new LogicEstimate(best).Luts : 0;
        foreach (var thread in candidates)
        {
            oneHot.Add(thread);
            var design = build(oneHot);
            var luts = new LogicEstimate(design).Luts;
            if (luts < least) (best, least) = (design, luts);
            else oneHot.Remove(thread);
        }
        return best;
    }
}
