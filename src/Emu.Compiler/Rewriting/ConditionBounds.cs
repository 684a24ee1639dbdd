using Emu.Compiler.IR;

namespace Emu.Compiler.Rewriting;

/// <summary>
/// Weakens or strengthens conditions to such as ask for some values alone: a necessary condition is true whenever the
/// condition is, a sufficient one only then.
/// </summary>
/// <param name="n">Makes the conditions.</param>
/// <param name="isAsked">True of values that may be asked for; so may operations on them alone.</param>
internal sealed class ConditionBounds(FoldingBuilder n, Predicate<Value> isAsked)
{
    private readonly Dictionary<Value, bool> _has = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<(Value, bool), Value> _bounds = [];

    /// <summary>A condition that asks for such values alone.</summary>
    public Value Of(Value condition, bool isNecessary)
    {
        if (Has(condition)) return condition;
        if (_bounds.TryGetValue((condition, isNecessary), out var known)) return known;
        Value Part(Value part) => Of(part, isNecessary);
        return _bounds[(condition, isNecessary)] = condition switch
        {
            Operation { Opcode: Opcode.And, Operands: [var a, var b] } => n.And(Part(a), Part(b)),
            Operation { Opcode: Opcode.Or, Operands: [var a, var b] } => n.Or(Part(a), Part(b)),
            Operation { Opcode: Opcode.Xor, Operands: [var a, Constant] } => n.Not(Of(a, !isNecessary)),
            Operation { Opcode: Opcode.Select, Operands: [var choice, var then, var otherwise] } when Has(choice) =>
                n.Select(choice, Part(then), Part(otherwise)),
            Operation { Opcode: Opcode.Select, Operands: [_, var then, var otherwise] } =>
                isNecessary ? n.Or(Part(then), Part(otherwise)) : n.And(Part(then), Part(otherwise)),
            _ => FoldingBuilder.Bit(isNecessary),
        };
    }

    private bool Has(Value value)
    {
        if (value is Constant) return true;
        if (_has.TryGetValue(value, out var known)) return known;
        return _has[value] = isAsked(value) || value is Operation operation && operation.Operands.TrueForAll(Has);
    }
}
