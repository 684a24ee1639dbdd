using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Leads the ways into a block that only joins values straight to where it jumps (branch chaining, Wulf, Johnsson,
/// Weinstock, Hobbs and Geschke 1975, <i>The design of an optimizing compiler</i>).
/// </summary>
/// <remarks>
/// Joins in a row are what nested methods leave that return early. A state of an engine begins where several others
/// lead to, so each join would cost a cycle. A pipeline keeps them: a condition is shorter by them.
/// </remarks>
internal static class BranchChaining
{
    public static void Run(Function function)
    {
        while (function.Blocks().Aggregate(false, (any, join) => any | BlockMerging.PassJoinBy(function, join)))
        {
        }
    }
}
