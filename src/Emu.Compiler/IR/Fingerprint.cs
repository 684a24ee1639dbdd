using System.Runtime.CompilerServices;

namespace Emu.Compiler.IR;

/// <summary>
/// A number of 64 bits by which functions that do the same in the same way are told from others: equal ones have equal
/// numbers, and of different ones next to none do.
/// </summary>
internal sealed class Fingerprint
{
    private const ulong Prime = 0x9FB2_1C65_1E98_DF25;

    private ulong _hash;

    private Fingerprint()
    {
    }

    /// <summary>The number of some functions; it numbers their values.</summary>
    public static ulong Of(IEnumerable<Function> functions)
    {
        var made = new Fingerprint();
        foreach (var function in functions)
        {
            foreach (var block in function.Numbered()) made.Add(block);
        }
        return made._hash;
    }

    /// <summary>The number of a set of state elements, in whatever order.</summary>
    public static ulong Of(IReadOnlySet<StateElement> elements)
    {
        var sum = 0UL;
        foreach (var element in elements) sum += Of((ulong)RuntimeHelpers.GetHashCode(element), 1);
        return sum;
    }

    /// <summary>The number of some numbers in their order.</summary>
    public static ulong Of(params ReadOnlySpan<ulong> numbers)
    {
        var made = new Fingerprint();
        foreach (var number in numbers) made.Mix(number);
        return made._hash;
    }

    private void Add(Block block)
    {
        foreach (var predecessor in block.Predecessors) Add(predecessor.Number);
        foreach (var phi in block.Phis)
        {
            Add(phi.Width);
            foreach (var operand in phi.Operands) Add(operand);
        }
        foreach (var operation in block.Operations)
        {
            Add((int)operation.Opcode << 16 | operation.Width);
            Add(operation.Low << 8 | (int)operation.Input);
            foreach (var operand in operation.Operands) Add(operand);
            for (var i = 0; i < operation.State.Count; i++) Add(RuntimeHelpers.GetHashCode(operation.State[i]));
            if (operation.Fold is { } fold) Add(RuntimeHelpers.GetHashCode(fold));
            if (operation.Callee is { } callee) Add(RuntimeHelpers.GetHashCode(callee));
        }
        Add(block.Terminator!);
    }

    private void Add(Terminator terminator)
    {
        Add(terminator switch
        {
            Fault fault => (int)fault.Kind,
            SideExit exit => exit.Reason.GetHashCode(StringComparison.Ordinal),
            _ => terminator.GetType().GetHashCode(),
        });
        foreach (var value in Verifier.UsedBy(terminator)) Add(value);
        foreach (var successor in terminator.Successors) Add(successor.Number);
    }

    private void Add(Value value)
    {
        if (value is Constant { Bits: var bits })
        {
            Add(value.Width);
            Mix((ulong)bits);
            Mix((ulong)(bits >> 64));
        }
        else Mix(~(ulong)value.Number);
    }

    private void Add(int number) => Mix((ulong)number);

    private void Mix(ulong number)
    {
        _hash = (_hash ^ number) * Prime;
        _hash ^= _hash >> 29;
    }
}
