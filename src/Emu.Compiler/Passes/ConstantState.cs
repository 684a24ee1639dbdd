using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Reads of state that nothing writes become constants: registers, and memories at a constant index or with one number
/// everywhere. Of several registers they become a choice of constants.
/// </summary>
internal static class ConstantState
{
    public static void Run(IReadOnlyList<Function> functions)
    {
        var written = Written(functions);
        foreach (var function in functions)
        {
            var known = new Substitution();
            foreach (var block in function.Blocks())
            {
                var operations = block.Operations.ToList();
                block.Operations.Clear();
                foreach (var operation in operations)
                {
                    if (Value(operation, written) is { } bits)
                        known.Add(operation, new Constant(operation.Width, bits));
                    else if (operation.Opcode == Opcode.RegisterRead && !operation.State.Any(written.Contains))
                        known.Add(operation, Choice(operation, block.Operations));
                    block.Operations.Add(operation);
                }
            }
            known.Apply(function);
        }
    }

    /// <summary>The state that the functions write; all else is as the constructor left it.</summary>
    public static HashSet<StateElement> Written(IEnumerable<Function> functions) =>
        Written(functions.SelectMany(f => f.Blocks()));

    /// <summary>The state that some blocks write.</summary>
    public static HashSet<StateElement> Written(IEnumerable<Block> blocks) => new(
        blocks.SelectMany(b => b.Operations).Where(o => o.WritesState).SelectMany(o => o.State),
        ReferenceEqualityComparer.Instance);

    /// <summary>
    /// The number that an operation reads, if nothing ever writes there and the place is known; else null.
    /// </summary>
    public static UInt128? Value(Operation operation, IReadOnlySet<StateElement> written)
    {
        if (operation.Opcode is not (Opcode.RegisterRead or Opcode.MemoryRead)) return null;
        if (operation.State.Any(written.Contains)) return null;
        switch (operation.Opcode)
        {
            case Opcode.RegisterRead:
                return Selected(
                    operation,
                    operation.Operands.Count == 0 ? null : operation.Operands[0],
                    element => ((Register)element).Reset);
            case Opcode.MemoryRead:
                var selector = operation.Operands.Count > 1 ? operation.Operands[1] : null;
                return Selected(operation, selector, element => Element((Memory)element, operation.Operands[0]));
            default:
                return null;
        }
    }

    /// <summary>The constant of the register that a number selects.</summary>
    private static Value Choice(Operation read, List<Operation> operations)
    {
        Operation Add(Opcode opcode, int width, params Value[] operands)
        {
            operations.Add(new Operation(opcode, width, operands) { Location = read.Location });
            return operations[^1];
        }
        var selector = read.Operands[0];
        Value choice = new Constant(read.Width, ((Register)read.State[0]).Reset);
        for (var i = 1; i < read.State.Count; i++)
        {
            var isThis = Add(Opcode.Equal, 1, selector, new Constant(selector.Width, (UInt128)i));
            choice = Add(
                Opcode.Select, read.Width, isThis, new Constant(read.Width, ((Register)read.State[i]).Reset), choice);
        }
        return choice;
    }

    /// <summary>The number that all elements that can be selected agree on; null when they differ.</summary>
    private static UInt128? Selected(Operation operation, Value? selector, Func<StateElement, UInt128?> read)
    {
        if (selector is Constant index && index.Bits < (UInt128)operation.State.Count)
            return read(operation.State[(int)index.Bits]);
        var first = read(operation.State[0]);
        return operation.State.All(element => read(element) == first) ? first : null;
    }

    private static UInt128? Element(Memory memory, Value index)
    {
        if (index is Constant at) return at.Bits < (UInt128)memory.Depth ? memory.Reset[(int)at.Bits] : null;
        return memory.Depth > 0 && memory.Reset.All(bits => bits == memory.Reset[0]) ? memory.Reset[0] : null;
    }
}
