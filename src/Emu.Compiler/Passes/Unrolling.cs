using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>Writes out loops whose end is decided by constants, iteration by iteration, inner ones first.</summary>
internal static class Unrolling
{
    /// <param name="functions">All functions that share the state:
    /// a word that none of them writes is known once its index is.</param>
    /// <param name="mayGoOn">True where a loop that is written out need not be sure to end in any one turn.</param>
    public static void Run(IReadOnlyList<Function> functions, bool mayGoOn = false)
    {
        var written = ConstantState.Written(functions);
        foreach (var function in functions) Run(function, written, mayGoOn, new KeptLoops());
    }

    /// <param name="function">One of the functions.</param>
    /// <param name="written">The state that some function writes.</param>
    /// <param name="mayGoOn">As above.</param>
    /// <param name="before">The loops that could not be written out before.</param>
    public static void Run(Function function, IReadOnlySet<StateElement> written, bool mayGoOn, KeptLoops before)
    {
        var (kept, ofWritten) = (new HashSet<Block>(), Fingerprint.Of(written));
        while (true)
        {
            var blocks = function.Blocks();
            var loops = Loop.All(blocks);
            var inner = Inner(loops, kept);
            if (inner.Count == 0) return;
            var order = blocks.Index().ToDictionary(entry => entry.Item, entry => entry.Index);
            var places = loops.Index().ToDictionary(entry => entry.Item.Header, entry => entry.Index);
            var isWritten = false;
            // Writing one out leaves the blocks of the others, and their order, as they are.
            foreach (var loop in inner)
            {
                List<Block> body = [.. loop.Body.OrderBy(block => order[block])];
                if (!before.Has(loop.Header, body, ofWritten))
                {
                    if (TryWriteOut(function, loop, Inside(loop, loops, places), body, written, mayGoOn))
                    {
                        isWritten = true;
                        continue;
                    }
                    before.Add(loop.Header, body, ofWritten);
                }
                kept.Add(loop.Header);
            }
            if (isWritten) Simplification.Run(function);
        }
    }

    /// <summary>Of the loops that are not kept those that contain no other: no two of them share a block.</summary>
    private static List<Loop> Inner(List<Loop> all, HashSet<Block> kept)
    {
        var loops = all.FindAll(loop => !kept.Contains(loop.Header));
        var headers = loops.Select(loop => loop.Header).ToHashSet();
        return loops.FindAll(loop => !loop.Body.Any(block => block != loop.Header && headers.Contains(block)));
    }

    /// <summary>A loop and those inside it.</summary>
    private static List<Loop> Inside(Loop loop, List<Loop> all, Dictionary<Block, int> places) =>
    [
        .. loop.Body.Where(places.ContainsKey).Select(header => places[header]).Order().Select(place => all[place])
            .Where(inner => inner.Body.IsSubsetOf(loop.Body)),
    ];

    /// <summary>
    /// Writes a loop out by what counts its turns; if that does not decide, by all that may: the place in a program
    /// that the loop interprets, or the state of a parser.
    /// </summary>
    private static bool TryWriteOut(
        Function function, Loop loop, List<Loop> loops, List<Block> body, IReadOnlySet<StateElement> written,
        bool mayGoOn)
    {
        foreach (var onlyCounted in (bool[])[true, false])
        {
            var values = new StaticValues(loops, body, written, onlyCounted);
            var specialised = new SpecialisedLoop(function, loop, loops, body, values, written, inOrder: true, mayGoOn);
            if (specialised.TryWriteOut()) return true;
            if (!specialised.IsOutOfOrder) continue;
            specialised = new SpecialisedLoop(function, loop, loops, body, values, written, inOrder: false, mayGoOn);
            if (specialised.TryWriteOut()) return true;
        }
        return false;
    }
}
