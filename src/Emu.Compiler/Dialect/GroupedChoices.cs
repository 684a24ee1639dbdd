using Emu.Compiler.IR;

namespace Emu.Compiler.Dialect;

/// <summary>
/// Brings together what one selector chooses, by list scheduling in a block: it is written as one choice then. KiwiC
/// follows each way through a state, and the ways through several choices are the product of theirs.
/// </summary>
internal static class GroupedChoices
{
    /// <summary>Moves the operations of a function.</summary>
    public static void Run(Function function)
    {
        foreach (var block in function.Blocks()) Run(block);
    }

    /// <summary>The value that chooses what an operation does; null where nothing is chosen.</summary>
    public static Value? SelectorOf(Operation operation) => operation switch
    {
        { Opcode: Opcode.Select, Width: > 1 } => operation.Operands[0],
        { Opcode: Opcode.RegisterRead, State.Count: > 1 } => operation.Operands[0],
        { Opcode: Opcode.RegisterWrite or Opcode.MemoryRead, State.Count: > 1 } => operation.Operands[1],
        { Opcode: Opcode.MemoryWrite, State.Count: > 1 } => operation.Operands[2],
        _ => null,
    };

    private static void Run(Block block)
    {
        List<Operation> done = [];
        foreach (var operation in block.Operations)
        {
            var at = SelectorOf(operation) is { } selector ? PlaceIn(done, selector, operation) : done.Count;
            done.Insert(at, operation);
        }
        block.Operations.Clear();
        block.Operations.AddRange(done);
    }

    /// <summary>
    /// The place behind the last group that a value chooses, when what stands behind it does not matter to an
    /// operation: what that is computed from is moved before the group, if it is not computed from the group.
    /// </summary>
    private static int PlaceIn(List<Operation> done, Value selector, Operation operation)
    {
        var end = done.FindLastIndex(o => SelectorOf(o) == selector) + 1;
        if (end == 0 || !done.Skip(end).All(IsPure)) return done.Count;
        var start = end - 1;
        while (start > 0 && SelectorOf(done[start - 1]) == selector) start--;
        var held = new HashSet<Value>(done[start..end], ReferenceEqualityComparer.Instance);
        var (free, bound) = (new List<Operation>(), new List<Operation>());
        foreach (var between in done.Skip(end))
        {
            var isBound = between.Operands.Exists(held.Contains);
            if (isBound) held.Add(between);
            (isBound ? bound : free).Add(between);
        }
        if (operation.Operands.Exists(value => value is Operation of && bound.Contains(of))) return done.Count;
        List<Operation> group = done[start..end];
        done.RemoveRange(start, done.Count - start);
        done.AddRange([.. free, .. group, .. bound]);
        return done.Count - bound.Count;
    }

    /// <summary>True if an operation computes a value from others, and does nothing else.</summary>
    private static bool IsPure(Operation operation) =>
        operation is { State.Count: 0, Callee: null } && OpcodeTable.Of(operation.Opcode).Kind == OpcodeKind.Pure;
}
