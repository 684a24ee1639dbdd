using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// The parts of an event that are known before any state is looked at: of its header, and of checksums of its payload.
/// </summary>
internal sealed class EarlyValues(Netlist n, PipelineEvent frame)
{
    /// <summary>
    /// The most cases of one index that are tried: a table in which both sides of a connection find it has some 400.
    /// </summary>
    private const int MostTrialsOfRow = 2048;

    /// <summary>The most cases that are tried for two conditions.</summary>
    private const int MostTrialsOfPair = 128;

    /// <summary>The most rows of one index.</summary>
    private const int MostRows = 12;

    private readonly Dictionary<Value, bool> _isEarly = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<(Value, Value), IReadOnlyList<Row>?> _rows = [];
    private readonly Dictionary<(Value, Value), bool> _excluded = [];
    private readonly Dictionary<(Value Choice, bool Outcome), Dictionary<Value, Value>> _cofactors = [];

    /// <summary>True if a value is computed without state.</summary>
    public bool Has(Value value)
    {
        value = frame.Shared.Of(value);
        if (value is Constant) return true;
        if (_isEarly.TryGetValue(value, out var known)) return known;
        return _isEarly[value] = value is Operation operation
            ? operation.Operands.All(Has)
            : !frame.IsState(value);
    }

    /// <summary>
    /// A condition of early values alone: one that holds whenever the condition does, or one that holds only then.
    /// </summary>
    public Value Bound(Value condition, bool isNecessary) => Conditions.Of(condition, isNecessary);

    private ConditionBounds Conditions => field ??= new ConditionBounds(n, Has);

    /// <summary>True if two early conditions are seen to exclude one another, by trying the parts of both.</summary>
    public bool Exclude(Value one, Value other)
    {
        if (_excluded.TryGetValue((one, other), out var known)) return known;
        return _excluded[(one, other)] = IsNever(n.And(one, other));
    }

    /// <summary>
    /// The early numbers of which an index without low bits is one whenever a condition holds, each with an early
    /// condition that holds when it is that one; null if it is none of a few.
    /// </summary>
    public IReadOnlyList<Row>? Rows(Value index, Value condition)
    {
        if (_rows.TryGetValue((index, condition), out var known)) return known;
        return _rows[(index, condition)] = FindRows(index, condition);
    }

    /// <summary>
    /// Tries the late conditions by which the index is chosen, one after the other. Both it and its condition are
    /// simplified by each outcome, so a case that cannot be is seen to be none.
    /// </summary>
    private List<Row>? FindRows(Value index, Value condition)
    {
        var found = new List<Row>();
        var seen = new HashSet<(Value, Value)>();
        var open = new Stack<(Value Index, Value Condition)>([(index, condition)]);
        while (open.TryPop(out var next))
        {
            if (Constant.Is(next.Condition, 0) || !seen.Add(next)) continue;
            if (Has(next.Index))
            {
                Add(found, next.Index, Bound(next.Condition, isNecessary: true));
            }
            else if (seen.Count > MostTrialsOfRow || found.Count > MostRows || LateChoice(next.Index) is not { } choice)
                return null;
            else
            {
                open.Push(Case(next, choice, false));
                open.Push(Case(next, choice, true));
            }
        }
        return found;
    }

    /// <summary>Adds a row, without what its condition makes of it.</summary>
    private void Add(List<Row> rows, Value index, Value when)
    {
        if (Constant.Is(when, 0)) return;
        index = With(Known(when, true), index, isFixed: _ => false);
        var at = rows.FindIndex(row => Constant.AreSame(row.Index, index));
        if (at < 0) rows.Add(new Row(index, when));
        else rows[at] = new Row(index, n.Or(rows[at].When, when));
    }

    private (Value Index, Value Condition) Case((Value Index, Value Condition) of, Value choice, bool outcome)
    {
        // What a value is by an outcome is asked for again by other indices, and by cases that have it in common.
        if (!_cofactors.TryGetValue((choice, outcome), out var known))
            _cofactors[(choice, outcome)] = known = Known(choice, outcome);
        return (With(known, of.Index, Has), With(known, of.Condition, Has));
    }

    /// <summary>True if a condition never holds, as far as a few trials of its parts show.</summary>
    private bool IsNever(Value condition)
    {
        var trials = 0;
        var open = new Stack<Value>([condition]);
        while (open.TryPop(out var next))
        {
            if (Constant.Is(next, 0)) continue;
            if (next is Constant || ++trials > MostTrialsOfPair) return false;
            var part = next;
            while (part is Operation { Opcode: Opcode.And or Opcode.Or or Opcode.Xor or Opcode.Select } gate)
                part = gate.Operands.Find(operand => operand is not Constant)!;
            open.Push(With(Known(part, false), next, isFixed: value => value.Width > 1));
            open.Push(With(Known(part, true), next, isFixed: value => value.Width > 1));
        }
        return true;
    }

    /// <summary>The outcome of a condition, and what follows for its parts.</summary>
    private static Dictionary<Value, Value> Known(Value condition, bool outcome)
    {
        var known = new Dictionary<Value, Value>(ReferenceEqualityComparer.Instance);
        Know(condition, outcome, known);
        return known;
    }

    private static void Know(Value condition, bool outcome, Dictionary<Value, Value> known)
    {
        known[condition] = FoldingBuilder.Bit(outcome);
        if (condition is not Operation { Width: 1, Operands: [var a, var b] } operation) return;
        if (operation.Opcode == Opcode.Equal && outcome && a is not Constant && b is Constant) known[a] = b;
        else if (operation.Opcode == Opcode.Xor && b is Constant) Know(a, !outcome, known);
        else if (operation.Opcode == (outcome ? Opcode.And : Opcode.Or))
        {
            Know(a, outcome, known);
            Know(b, outcome, known);
        }
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
            if (operation.Opcode == Opcode.Select && !Has(operation.Operands[0])) return PartOf(operation.Operands[0]);
            if (operation is { Opcode: Opcode.And or Opcode.Or, Width: 1 }) bit = operation;
            else operation.Operands.ForEach(open.Push);
        }
        return bit is null ? null : PartOf(bit);
    }

    /// <summary>
    /// The part of a late condition that others of the same event have in common with it: what is left without early
    /// parts, and one of several of which one has to hold.
    /// </summary>
    private Value PartOf(Value condition)
    {
        if (condition is not Operation { Width: 1 } operation) return condition;
        var late = operation.Operands.Where(operand => !Has(operand)).ToList();
        return operation.Opcode switch
        {
            Opcode.And when late.Count > 1 => condition,
            Opcode.And or Opcode.Or or Opcode.Xor or Opcode.Select => PartOf(late[0]),
            Opcode.Extract when late[0] is Operation { Opcode: Opcode.Select } choice && !Has(choice.Operands[0]) =>
                PartOf(choice.Operands[0]),
            _ => condition,
        };
    }

    /// <summary>A value as it is where others are known, of which fixed ones have nothing inside.</summary>
    private Value With(Dictionary<Value, Value> known, Value value, Predicate<Value> isFixed)
    {
        if (known.TryGetValue(value, out var done)) return done;
        if (value is not Operation operation || isFixed(value)) return value;
        var operands = operation.Operands.ConvertAll(operand => With(known, operand, isFixed));
        return known[value] = operands.SequenceEqual(operation.Operands)
            ? value
            : n.Make(new Operation(operation.Opcode, operation.Width, operands)
            {
                Low = operation.Low,
                Location = operation.Location,
            });
    }
}
