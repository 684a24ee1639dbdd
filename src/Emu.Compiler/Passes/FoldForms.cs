using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// The turns of a loop taken at once: a part of the state that each turn only adds something to, by an operation that
/// is associative and commutative, is the same whatever the order of the turns (a reduction; Allen and Kennedy 2002,
/// <em>Optimizing compilers for modern architectures</em>).
/// </summary>
/// <param name="n">Makes values.</param>
internal sealed class FoldForms(FoldingBuilder n)
{
    private readonly Dictionary<(Value, Value), bool> _dependsOn = [];

    /// <summary>True if all turns of a fold can be taken at once.</summary>
    public bool AreParallel(FrameFold fold)
    {
        var (turn, states) = (fold.Turn, fold.StateParameters);
        if (fold.FoundValues.Append(turn.IsLeft).Any(value => states.Any(state => DependsOn(value, state))))
            return false;
        return fold.NextState.Zip(states).All(pair => states.All(other => other == pair.Second
            ? AddendOf(pair.First, other, other.Width) is not null
            : !DependsOn(pair.First, other)));
    }

    /// <summary>
    /// True if turns only add something to a part of the state, and nothing else depends on what it is: then it can
    /// begin with nothing, and its value in front of the loop be added behind it.
    /// </summary>
    public bool IsAddedTo(FrameFold fold, int number)
    {
        var state = fold.StateParameters[number];
        return fold.FoundValues.Append(fold.Turn.IsLeft).Concat(fold.NextState.Where((_, other) => other != number))
                .All(value => !DependsOn(value, state))
            && AddendOf(fold.NextState.ElementAt(number), state, state.Width) is not null;
    }

    /// <summary>
    /// True if a part of a walk's state, to which turns only add, counts those that are passed over, too: where it has
    /// come to. Others do not change in such a turn.
    /// </summary>
    public bool CountsAll(FrameFold walk, int number)
    {
        var state = walk.StateParameters[number];
        return AddendOf(walk.NextState.ElementAt(number), state, state.Width) is (Opcode.Add, { } addend)
            && !DependsOn(addend, walk.StateParameters[0]);
    }

    /// <summary>
    /// The operation by which a value is made of the state, and what it adds; null if it is made otherwise. Of no
    /// operation, the value is the state.
    /// </summary>
    /// <param name="value">The state after the turn.</param>
    /// <param name="state">The state before it.</param>
    /// <param name="width">The low bits of the value that count.</param>
    public (Opcode? Operation, Value? Addend)? AddendOf(Value value, Value state, int width)
    {
        if (value == state) return (null, null);
        if (value is not Operation operation) return null;
        var o = operation.Operands;
        switch (operation.Opcode)
        {
            case Opcode.Extract when operation.Low == 0:
            case Opcode.ZeroExtend or Opcode.Truncate when o[0].Width >= width:
                return AddendOf(o[0], state, width);
            case Opcode.Concat when o[1].Width >= width:
                return AddendOf(o[1], state, width);
            case Opcode.Add or Opcode.Xor or Opcode.Or or Opcode.And:
                var (inner, other) = DependsOn(o[0], state) ? (o[0], o[1]) : (o[1], o[0]);
                if (DependsOn(other, state) || AddendOf(inner, state, width) is not { } of) return null;
                var addend = n.Resize(other, width);
                if (of.Operation is null) return (operation.Opcode, addend);
                return of.Operation == operation.Opcode
                    ? (of.Operation, n.Make(operation.Opcode, width, of.Addend!, addend))
                    : null;
            case Opcode.Subtract when !DependsOn(o[1], state) && AddendOf(o[0], state, width) is { } from:
                var less = n.Subtract(
                    from.Addend ?? FoldingBuilder.Zero(width), n.Resize(o[1], width));
                return from.Operation is null or Opcode.Add ? (Opcode.Add, less) : null;
            case Opcode.Select when !DependsOn(o[0], state):
                return Chosen(o[0], AddendOf(o[1], state, width), AddendOf(o[2], state, width), width);
            default:
                return null;
        }
    }

    /// <summary>The value that adds nothing.</summary>
    public static Constant Identity(Opcode operation, int width) =>
        new(width, operation == Opcode.And ? UInt128.MaxValue : 0);

    private (Opcode? Operation, Value? Addend)? Chosen(
        Value condition, (Opcode? Operation, Value? Addend)? then, (Opcode? Operation, Value? Addend)? otherwise,
        int width)
    {
        if (then is not { } a || otherwise is not { } b) return null;
        if ((a.Operation ?? b.Operation) is not { } operation) return (null, null);
        if (a.Operation is { } one && b.Operation is { } two && one != two) return null;
        var nothing = Identity(operation, width);
        return (operation, n.Select(condition, a.Addend ?? nothing, b.Addend ?? nothing));
    }

    private bool DependsOn(Value value, Value state)
    {
        if (value == state) return true;
        if (value is not Operation operation) return false;
        if (_dependsOn.TryGetValue((value, state), out var known)) return known;
        return _dependsOn[(value, state)] = operation.Operands.Exists(operand => DependsOn(operand, state));
    }
}
