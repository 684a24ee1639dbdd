namespace Emu.Compiler.IR;

/// <summary>The state that a procedure may change, by the procedures that it calls as well.</summary>
/// <param name="Written">The registers and memories that it may write.</param>
/// <param name="WritesFrame">True if it may change bytes of the frame.</param>
internal sealed record CallEffects(IReadOnlySet<StateElement> Written, bool WritesFrame)
{
    /// <summary>Looks through a procedure; none calls itself.</summary>
    public static CallEffects Of(Function procedure)
    {
        var written = new HashSet<StateElement>(ReferenceEqualityComparer.Instance);
        var writesFrame = false;
        foreach (var operation in procedure.Blocks().SelectMany(block => block.Operations))
        {
            if (operation.Callee is { } callee)
            {
                var inner = Of(callee);
                written.UnionWith(inner.Written);
                writesFrame |= inner.WritesFrame;
            }
            else if (operation.WritesFrame) writesFrame = true;
            else if (operation.IsEffect) written.UnionWith(operation.State);
        }
        return new CallEffects(written, writesFrame);
    }
}
