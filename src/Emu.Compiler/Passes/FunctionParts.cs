using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The parts of a function, object by object: by them an analysis knows whether it is of the function as it is now.
/// </summary>
/// <remarks>
/// Nobody has to say that something has changed, which would be forgotten somewhere. A walk over a function costs
/// little beside a fixed point over it.
/// </remarks>
internal static class FunctionParts
{
    /// <summary>All but how blocks end, in the order of the functions.</summary>
    public static List<object> Of(IEnumerable<Function> functions)
    {
        var parts = new Parts(null);
        foreach (var function in functions) parts.TakeAll(function.Blocks(), withEnds: false);
        return parts.Taken;
    }

    /// <summary>True if functions have the parts that <see cref="Of"/> gave before.</summary>
    public static bool AreOf(List<object> before, IEnumerable<Function> functions)
    {
        var parts = new Parts(before);
        foreach (var function in functions)
            if (!parts.TakeAll(function.Blocks(), withEnds: false)) return false;
        return parts.IsEnd;
    }

    /// <summary>All of a function.</summary>
    public static List<object> WithEnds(Function function) => WithEnds(function.Blocks());

    /// <summary>All of some blocks.</summary>
    public static List<object> WithEnds(IReadOnlyList<Block> blocks)
    {
        var parts = new Parts(null);
        parts.TakeAll(blocks, withEnds: true);
        return parts.Taken;
    }

    /// <summary>
    /// True if blocks have the parts that <see cref="WithEnds(IReadOnlyList{Block})"/> gave before.
    /// </summary>
    public static bool AreWithEnds(List<object> before, IReadOnlyList<Block> blocks)
    {
        var parts = new Parts(before);
        return parts.TakeAll(blocks, withEnds: true) && parts.IsEnd;
    }

    /// <summary>
    /// Parts as they come: listed, or compared with those of before, up to the first that is another.
    /// </summary>
    private sealed class Parts(List<object>? before)
    {
        private int _count;

        public List<object> Taken { get; } = [];

        public bool IsEnd => _count == before!.Count;

        public bool TakeAll(IReadOnlyList<Block> blocks, bool withEnds)
        {
            for (var i = 0; i < blocks.Count; i++)
            {
                if (!Take(blocks[i]) || withEnds && !TakeEnds(blocks[i])) return false;
            }
            return true;
        }

        private bool Take(Block block)
        {
            if (!Take((object)block)) return false;
            foreach (var phi in block.Phis)
                if (!Take((object)phi) || !Take(phi.Operands)) return false;
            // Behind it operations begin, which may have the same operands.
            if (!Take((object)block.Operations)) return false;
            foreach (var operation in block.Operations)
                if (!Take((object)operation) || !Take(operation.Operands)) return false;
            return true;
        }

        private bool TakeEnds(Block block)
        {
            foreach (var predecessor in block.Predecessors)
                if (!Take((object)predecessor)) return false;
            return Take((object)block.Terminator!);
        }

        private bool Take(List<Value> values)
        {
            foreach (var value in values)
                if (!Take((object)value)) return false;
            return true;
        }

        private bool Take(object part)
        {
            if (before is not null) return _count < before.Count && ReferenceEquals(before[_count++], part);
            Taken.Add(part);
            return true;
        }
    }
}
