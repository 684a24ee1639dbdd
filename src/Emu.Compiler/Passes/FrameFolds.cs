using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Makes one operation of a loop that goes over bytes of the frame, one after the other, and does nothing but compute:
/// a <see cref="FrameFold"/>, which a unit takes as the bytes pass.
/// </summary>
internal static class FrameFolds
{
    /// <summary>Makes operations of all loops of a kind.</summary>
    /// <param name="compilation">The service; what it does with a frame is changed.</param>
    /// <param name="blocks">The blocks in which loops are looked for.</param>
    public static bool Run(Compilation compilation, IReadOnlySet<Block> blocks)
    {
        var function = compilation.Process;
        var changed = false;
        foreach (var loop in Loop.Outermost(function).Where(loop => blocks.Contains(loop.Header)))
        {
            if (FoldedLoop.Of(compilation, loop) is not { } folded) continue;
            folded.Replace();
            changed = true;
        }
        if (changed)
        {
            Edges.ForgetUnreachable(function);
            Verifier.Verify(function, "loops over the frame's bytes are folds");
            Simplification.Run(function);
        }
        return changed;
    }
}
