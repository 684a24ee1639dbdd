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
        while (Loop.All(function).Where(loop => !kept.Contains(loop.Header)).MinBy(loop => loop.Body.Count) is { } loop)
        {
            if (new BlockCopy(function, loop.Header, loop.Body, written).TryUnroll()) Simplification.Run(function);
            else kept.Add(loop.Header);
        }
    }
}
