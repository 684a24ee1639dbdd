using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The state that frames share: all that they write, except what they only add to, in any order. State that nothing
/// writes is the same for all frames, as the constructor left it.
/// </summary>
internal static class SharedState
{
    /// <summary>The elements that some functions share, as often as they use them.</summary>
    public static IEnumerable<StateElement> Of(IReadOnlyList<Function> functions)
    {
        var written = ConstantState.Written(functions);
        return functions
            .SelectMany(function => function.Blocks())
            .SelectMany(block => block.Operations)
            .Where(operation => operation.Opcode != Opcode.Count)
            .SelectMany(operation => operation.State)
            .Where(element => written.Contains(element) && element is not VerilogCore { HasState: false });
    }

    /// <summary>True if two functions use an element that one of them writes.</summary>
    public static bool IsBetween(Function one, Function other)
    {
        var shared = Of([one, other]).ToHashSet();
        return UsedBy(one).Intersect(UsedBy(other)).Any(shared.Contains);
    }

    private static IEnumerable<StateElement> UsedBy(Function function) =>
        function.Blocks().SelectMany(block => block.Operations).SelectMany(operation => operation.State);
}
