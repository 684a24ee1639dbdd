using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Takes counts out of loops over the frame's bytes: they are added up from turn to turn, and to the counter behind the
/// loop (<see cref="CountPromotion"/>). So a loop that counts kinds of bytes only computes.
/// </summary>
internal static class CountedLoops
{
    /// <summary>Takes them out of all loops that are folds then.</summary>
    /// <param name="compilation">The service; what it does with a frame is changed.</param>
    /// <param name="blocks">The blocks in which loops are looked for.</param>
    /// <returns>True if there were any.</returns>
    public static bool Run(Compilation compilation, IReadOnlySet<Block> blocks)
    {
        var (function, changed) = (compilation.Process, false);
        foreach (var loop in Loop.Outermost(function).Where(loop => blocks.Contains(loop.Header)))
        {
            if (!loop.Body.Any(block => block.Operations.Exists(CountPromotion.IsCount))
                || !loop.Body.All(block => block.Operations.TrueForAll(
                    operation => ByteLoop.OnlyComputes(operation) || CountPromotion.IsCount(operation))))
                continue;
            var body = function.Blocks().FindAll(loop.Body.Contains);
            var outside = loop.Header.Predecessors.FindAll(from => !loop.Body.Contains(from));
            var counts = new CountPromotion(body, outside, compilation.Capacity + 1);
            if (FoldedLoop.Of(compilation, loop) is null) counts.Set(isPromoted: false);
            else changed = true;
        }
        if (changed) Verifier.Verify(function, "counts are taken out of loops");
        return changed;
    }
}
