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
    /// <summary>All but how blocks end, in the order of the function.</summary>
    public static List<object> Of(IEnumerable<Function> functions)
    {
        var parts = new List<object>();
        foreach (var block in functions.SelectMany(function => function.Blocks())) Add(block, parts);
        return parts;
    }

    /// <summary>All of a function.</summary>
    public static List<object> WithEnds(Function function) => WithEnds(function.Blocks());

    /// <summary>All of some blocks.</summary>
    public static List<object> WithEnds(IReadOnlyList<Block> blocks)
    {
        var parts = new List<object>();
        foreach (var block in blocks)
        {
            Add(block, parts);
            parts.AddRange(block.Predecessors);
            parts.Add(block.Terminator!);
        }
        return parts;
    }

    /// <summary>True if two lists have the same objects.</summary>
    public static bool AreSame(List<object> some, List<object> others)
    {
        if (some.Count != others.Count) return false;
        for (var i = 0; i < some.Count; i++)
            if (!ReferenceEquals(some[i], others[i])) return false;
        return true;
    }

    private static void Add(Block block, List<object> parts)
    {
        parts.Add(block);
        foreach (var phi in block.Phis)
        {
            parts.Add(phi);
            parts.AddRange(phi.Operands);
        }
        // Behind it operations begin, which may have the same operands.
        parts.Add(block.Operations);
        foreach (var operation in block.Operations)
        {
            parts.Add(operation);
            parts.AddRange(operation.Operands);
        }
    }
}
