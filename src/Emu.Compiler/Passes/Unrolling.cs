using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>Writes out loops whose end is decided by constants, iteration by iteration, inner ones first.</summary>
internal static class Unrolling
{
    /// <param name="functions">All functions that share the state:
    /// a word that none of them writes is known once its index is.</param>
    public static void Run(IReadOnlyList<Function> functions)
    {
        var written = ConstantState.Written(functions);
        foreach (var function in functions) Run(function, written);
    }

    private static void Run(Function function, IReadOnlySet<StateElement> written)
    {
        var kept = new HashSet<Block>();
        while (Inner(function, kept) is { Count: > 0 } loops)
        {
            var isWritten = false;
            foreach (var loop in loops)
            {
                if (TryWriteOut(function, loop, written)) isWritten = true;
                else kept.Add(loop.Header);
            }
            if (isWritten) Simplification.Run(function);
        }
    }

    /// <summary>Of the loops that are not kept those that contain no other: no two of them share a block.</summary>
    private static List<Loop> Inner(Function function, HashSet<Block> kept)
    {
        var loops = Loop.All(function).FindAll(loop => !kept.Contains(loop.Header));
        return loops.FindAll(loop => !loops.Exists(other => other != loop && loop.Body.Contains(other.Header)));
    }

    /// <summary>
    /// Writes a loop out by what counts its turns; if that does not decide, by all that may: the place in a program
    /// that the loop interprets, or the state of a parser.
    /// </summary>
    private static bool TryWriteOut(Function function, Loop loop, IReadOnlySet<StateElement> written)
    {
        var body = function.Blocks().Where(loop.Body.Contains).ToList();
        var loops = Loop.All(function).Where(inner => inner.Body.IsSubsetOf(loop.Body)).ToList();
        foreach (var onlyCounted in (bool[])[true, false])
        {
            var values = new StaticValues(loops, body, written, onlyCounted);
            var specialised = new SpecialisedLoop(function, loop, loops, body, values, written, inOrder: true);
            if (specialised.TryWriteOut()) return true;
            if (!specialised.IsOutOfOrder) continue;
            specialised = new SpecialisedLoop(function, loop, loops, body, values, written, inOrder: false);
            if (specialised.TryWriteOut()) return true;
        }
        return false;
    }
}
