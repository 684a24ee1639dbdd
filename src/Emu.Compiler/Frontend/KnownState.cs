using System.Diagnostics.CodeAnalysis;
using Emu.Compiler.IR;

namespace Emu.Compiler.Frontend;

/// <summary>
/// The numbers that registers and memories hold on the one way that a thread takes before its first pause: a read gives
/// what was written there last, and a write is put off until the way parts.
/// </summary>
/// <param name="register">The number of a register at first.</param>
/// <param name="element">The number of an element of a memory at first.</param>
internal sealed class KnownState(Func<Register, UInt128> register, Func<Memory, int, UInt128> element)
{
    private readonly Dictionary<(StateElement Place, int Index), (Value Value, Operation? Write)> _known = [];

    private readonly HashSet<StateElement> _unknown = new(ReferenceEqualityComparer.Instance);

    /// <summary>Registers and memories that were read or written.</summary>
    public HashSet<StateElement> Used { get; } = new(ReferenceEqualityComparer.Instance);

    /// <summary>The result of an operation on state that need not be done now; null for one that has to be.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="into">The block that takes what was put off, if that has to be done before.</param>
    public Value? TryDo(Operation operation, Block into)
    {
        if (operation.State.Count == 0) return null;
        Used.UnionWith(operation.State);
        var o = operation.Operands;
        var result = operation.Opcode switch
        {
            Opcode.RegisterRead => Read(Chosen(operation, 0), 0),
            Opcode.RegisterWrite => Write(Chosen(operation, 1), 0, o[0], operation),
            Opcode.MemoryRead when o[0] is Constant index => Read(Chosen(operation, 1), (int)index.Bits),
            Opcode.MemoryWrite when o[0] is Constant index =>
                Write(Chosen(operation, 2), (int)index.Bits, o[1], operation),
            _ => null,
        };
        if (result is not null) return result;
        Flush(into);
        if (operation.IsEffect) _unknown.UnionWith(operation.State);
        return null;
    }

    /// <summary>Does what was put off.</summary>
    public void Flush(Block into)
    {
        foreach (var (place, (value, write)) in _known.ToList())
        {
            if (write is null) continue;
            into.Operations.Add(write);
            _known[place] = (value, null);
        }
    }

    private Value? Read(StateElement? place, int index)
    {
        if (!IsKnown(place, index)) return null;
        if (_known.TryGetValue((place, index), out var known)) return known.Value;
        var first = place is Memory memory
            ? new Constant(memory.Width, element(memory, index))
            : new Constant(((Register)place).Width, register((Register)place));
        _known[(place, index)] = (first, null);
        return first;
    }

    private Constant? Write(StateElement? place, int index, Value value, Operation write)
    {
        if (!IsKnown(place, index)) return null;
        _known[(place, index)] = (value, write);
        return new Constant(write.Width, 0);
    }

    private bool IsKnown([NotNullWhen(true)] StateElement? place, int index) =>
        place is not null && !_unknown.Contains(place)
        && !(place is Memory { Depth: var depth } && (uint)index >= depth);

    /// <summary>The register or memory that a selector counts to: the first without one, or beyond.</summary>
    private static StateElement? Chosen(Operation operation, int selector)
    {
        if (operation.Operands.Count <= selector || operation.State.Count == 1) return operation.State[0];
        if (operation.Operands[selector] is not Constant number) return null;
        return operation.State[number.Bits < (UInt128)operation.State.Count ? (int)number.Bits : 0];
    }
}
