using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Scheduling;

/// <summary>Bytes of a frame that a loop writes, each as what it was says (<see cref="Opcode.FrameMap"/>).</summary>
/// <param name="Fold">The turn.</param>
/// <param name="Condition">True if the event comes to the loop.</param>
/// <param name="Operands">The operands of the operation; the first is a constant.</param>
internal sealed record MappedBytes(FrameFold Fold, Value Condition, IReadOnlyList<Value> Operands)
{
    /// <summary>The state of its turns.</summary>
    public AffineState State { get; } = AffineState.Of(Fold)!;

    /// <summary>The offset of the first byte.</summary>
    public int Start { get; } = (int)((Constant)Operands[0]).Bits;

    /// <summary>The bounds, of which the first is the map's end.</summary>
    public IEnumerable<Value> Limits => Operands.Skip(1).Take(Fold.Bounds);

    /// <summary>The values that are the same in all turns.</summary>
    public IReadOnlyList<Value> Invariants => [.. Operands.Skip(1 + Fold.Bounds).Take(Fold.Invariants)];

    /// <summary>The state before the first turn.</summary>
    public IReadOnlyList<Value> First => [.. Operands.Skip(Fold.FirstState)];

    /// <summary>All values that it is computed from.</summary>
    public IEnumerable<Value> Values => Operands.Skip(1).Prepend(Condition);

    /// <summary>A byte at an offset as the map leaves it.</summary>
    /// <param name="n">Makes values.</param>
    /// <param name="offset">The offset.</param>
    /// <param name="octet">The byte as it was.</param>
    public Value At(FoldingBuilder n, int offset, Value octet)
    {
        if (offset < Start) return octet;
        var at = new Constant(FrameFold.OffsetBits, (UInt128)offset);
        List<Value> reached = [.. Limits.Select(limit => n.Not(n.Less(at, limit)))];
        var made = Turn(n, octet, at, reached, Invariants, First, offset - Start);
        return n.Select(n.And(Condition, n.Not(reached[0])), made, octet);
    }

    /// <summary>The byte that a turn makes.</summary>
    /// <param name="n">Makes values.</param>
    /// <param name="octet">The byte as it was.</param>
    /// <param name="offset">Its offset.</param>
    /// <param name="reached">A bit for each bound.</param>
    /// <param name="invariants">The values that are the same in all turns.</param>
    /// <param name="state">The state some turns before.</param>
    /// <param name="turns">How many turns before.</param>
    public Value Turn(
        FoldingBuilder n, Value octet, Value offset, IReadOnlyList<Value> reached, IReadOnlyList<Value> invariants,
        IReadOnlyList<Value> state, int turns)
    {
        var made = State.Leaves(n, state, turns);
        foreach (var (phi, value) in Fold.Body.Phis.Zip([octet, offset, .. reached, .. invariants]))
            made[phi] = value;
        Value Of(Value value)
        {
            if (value is Constant) return value;
            if (made.TryGetValue(value, out var known)) return known;
            var operation = (Operation)value;
            n.Location = operation.Location;
            return made[value] = n.Make(
                new Operation(operation.Opcode, operation.Width, [.. operation.Operands.Select(Of)])
                {
                    Low = operation.Low,
                    Location = operation.Location,
                });
        }
        return Of(Fold.Turn.Values[0]);
    }
}
