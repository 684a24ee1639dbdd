using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Pipelines;

/// <summary>The parts of an event that are known of its header alone, before any state is looked at.</summary>
/// <param name="n">The netlist.</param>
/// <param name="frame">The event.</param>
internal sealed class EarlyValues(Netlist n, PipelineEvent frame)
{
    /// <summary>The most conditions that are tried for one value.</summary>
    private const int MostTrials = 64;

    private readonly Dictionary<Value, bool> _isEarly = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Value, IReadOnlyList<Value>?> _alternatives = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<(Value, bool), Value> _bounds = [];

    /// <summary>True if a value is computed from the header alone.</summary>
    public bool Has(Value value)
    {
        value = frame.Shared.Of(value);
        if (value is Constant) return true;
        if (_isEarly.TryGetValue(value, out var known)) return known;
        return _isEarly[value] = value is Operation operation
            ? operation.Operands.All(Has)
            : !frame.ComesLate(value);
    }

    /// <summary>
    /// A condition of early values alone: one that holds whenever the condition does, or one that holds only then.
    /// </summary>
    public Value Bound(Value condition, bool isNecessary)
    {
        if (Has(condition)) return condition;
        if (_bounds.TryGetValue((condition, isNecessary), out var known)) return known;
        Value Of(Value part) => Bound(part, isNecessary);
        return _bounds[(condition, isNecessary)] = condition switch
        {
            Operation { Opcode: Opcode.And, Operands: [var a, var b] } => n.And(Of(a), Of(b)),
            Operation { Opcode: Opcode.Or, Operands: [var a, var b] } => n.Or(Of(a), Of(b)),
            Operation { Opcode: Opcode.Xor, Operands: [var a, Constant] } => n.Not(Bound(a, !isNecessary)),
            Operation { Opcode: Opcode.Select, Operands: [var choice, var then, var otherwise] } when Has(choice) =>
                n.Select(choice, Of(then), Of(otherwise)),
            _ => FoldingBuilder.Bit(isNecessary),
        };
    }

    /// <summary>
    /// The early values of which a value is one, whatever the late conditions are by which it is chosen; null if it is
    /// none of a few.
    /// </summary>
    public IReadOnlyList<Value>? Alternatives(Value value)
    {
        if (_alternatives.TryGetValue(value, out var known)) return known;
        return _alternatives[value] = FindAlternatives(value);
    }

    private List<Value>? FindAlternatives(Value value)
    {
        var found = new List<Value>();
        var seen = new HashSet<Value>(ReferenceEqualityComparer.Instance);
        var open = new Stack<Value>([value]);
        while (open.TryPop(out var next))
        {
            if (!seen.Add(next)) continue;
            if (Has(next))
            {
                if (!found.Exists(other => Constant.AreSame(other, next))) found.Add(next);
            }
            else if (seen.Count > MostTrials || LateChoice(next) is not { } choice) return null;
            else
            {
                open.Push(With(choice, false, next, new(ReferenceEqualityComparer.Instance)));
                open.Push(With(choice, true, next, new(ReferenceEqualityComparer.Instance)));
            }
        }
        return found;
    }

    /// <summary>
    /// A late condition on which a value depends: that of a choice, or else one that is data itself; null if there is
    /// none.
    /// </summary>
    private Value? LateChoice(Value value)
    {
        Value? bit = null;
        var seen = new HashSet<Value>(ReferenceEqualityComparer.Instance);
        var open = new Stack<Value>([value]);
        while (open.TryPop(out var next))
        {
            if (Has(next) || !seen.Add(next) || next is not Operation operation) continue;
            if (operation.Opcode == Opcode.Select && !Has(operation.Operands[0])) return operation.Operands[0];
            if (operation is { Opcode: Opcode.And or Opcode.Or, Width: 1 }) bit = operation;
            else operation.Operands.ForEach(open.Push);
        }
        return bit;
    }

    /// <summary>A value as it is where the outcome of a condition is known.</summary>
    private Value With(Value condition, bool outcome, Value value, Dictionary<Value, Value> done)
    {
        if (value == condition) return FoldingBuilder.Bit(outcome);
        if (value is not Operation operation || Has(value)) return value;
        if (done.TryGetValue(value, out var known)) return known;
        var operands = operation.Operands.ConvertAll(operand => With(condition, outcome, operand, done));
        return done[value] = operands.SequenceEqual(operation.Operands)
            ? value
            : n.Make(new Operation(operation.Opcode, operation.Width, operands)
            {
                Low = operation.Low,
                Location = operation.Location,
            });
    }
}
