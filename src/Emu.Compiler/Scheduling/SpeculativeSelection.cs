using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>
/// Operations on a value that is selected late are done speculatively on each of the values that it may be, and their
/// outcomes are selected: so an operation need not wait until the condition is known.
/// </summary>
/// <remarks>
/// That is Shannon's expansion of an operation by the condition: <c>f = c ? f[c = 1] : f[c = 0]</c>. An event's own
/// writes are selected so whatever the operation is; words of the frames ahead, and of several memories, only where
/// copies of the operation cost less than the wait.
/// </remarks>
internal sealed class SpeculativeSelection(Netlist n)
{
    /// <summary>
    /// For how many values at most an operation is done before one is selected.
    /// With each operation their number may become its square.
    /// </summary>
    private const int MaxCopies = 64;

    /// <summary>An operation is not done more often than that to be done before a selection of writes ahead.</summary>
    private const int MaxOutcomes = 16;

    private readonly HashSet<Value> _own = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<Value> _late = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<Value> _ofMemories = new(ReferenceEqualityComparer.Instance);

    /// <summary>Says that a value is selected from a word and a write of the event itself.</summary>
    public void AddOwn(Value value) => _own.Add(value);

    /// <summary>Says that a value is selected from a word and a write of a frame ahead.</summary>
    public void AddAhead(Value value) => _late.Add(value);

    /// <summary>
    /// Says that a value is one of the words of several memories. These are compared each: the selection is of one bit
    /// then, and the comparison earlier.
    /// </summary>
    public void AddOfMemories(Value value)
    {
        if (value is not Operation { Opcode: Opcode.Select } selection || !_ofMemories.Add(selection)) return;
        _late.Add(selection);
        AddOfMemories(selection.Operands[1]);
        AddOfMemories(selection.Operands[2]);
    }

    /// <summary>An operation on operands of which some may be such selections.</summary>
    public Value Compute(Operation operation, List<Value> operands)
    {
        if (operands.Find(_own.Contains) is Operation { Opcode: Opcode.Select } own && Copies(operands) <= MaxCopies)
        {
            List<Value> With(Value value) => [.. operands.Select(o => o == own ? value : o)];
            return Select(
                _own,
                own.Operands[0],
                Compute(operation, With(own.Operands[1])),
                Compute(operation, With(own.Operands[2])));
        }
        if (operands.Find(o => IsBetterBefore(operation, o, operands)) is { } late)
        {
            var condition = ConditionOf(late)!;
            var (then, @else) = (
                Compute(operation, Cofactors(condition, true, operands)),
                Compute(operation, Cofactors(condition, false, operands)));
            var selected = Select(_late, condition, then, @else);
            if (operation.Opcode == Opcode.Extract && _ofMemories.Contains(late)) _ofMemories.Add(selected);
            return selected;
        }
        return n.Make(new Operation(operation.Opcode, operation.Width, operands)
        {
            Low = operation.Low,
            Location = operation.Location,
        });
    }

    private Value Select(HashSet<Value> selections, Value condition, Value then, Value @else)
    {
        var selected = n.Select(condition, then, @else);
        selections.Add(selected);
        return selected;
    }

    /// <summary>
    /// The number of copies of an operation that it takes to apply it to all values that own writes may have left.
    /// </summary>
    private int Copies(List<Value> operands) => operands.Distinct(ReferenceEqualityComparer.Instance).Cast<Value>()
        .Aggregate(1, (copies, o) => Math.Min(copies * Copies(o, MaxCopies + 1), MaxCopies + 1));

    /// <summary>The number of values from which an own write is selected, counted up to a limit.</summary>
    private int Copies(Value value, int most)
    {
        if (!_own.Contains(value) || value is not Operation { Opcode: Opcode.Select } selection) return 1;
        var copies = Copies(selection.Operands[1], most);
        return copies >= most ? most : Math.Min(most, copies + Copies(selection.Operands[2], most - copies));
    }

    /// <summary>True if an operand is selected late, and the operation is better done before the selection.</summary>
    private bool IsBetterBefore(Operation operation, Value operand, List<Value> operands)
    {
        if (!_late.Contains(operand) || ConditionOf(operand) is null) return false;
        var isForComparison = operation.Opcode is Opcode.Equal
            or Opcode.LessUnsigned or Opcode.LessSigned or Opcode.Extract;
        if (_ofMemories.Contains(operand) && !isForComparison) return false;
        // Of a single bit a gate costs less than the selection that it would be done before.
        var isGate = operand.Width == 1 && operation.Opcode is Opcode.And or Opcode.Or or Opcode.Xor or Opcode.Select;
        return !isGate && Outcomes(operands) <= MaxOutcomes;
    }

    /// <summary>
    /// The number of copies of an operation that it takes to do it before all late selections.
    /// Any number above the limit counts as one more than the limit.
    /// </summary>
    private int Outcomes(List<Value> operands)
    {
        if (operands.Where(_late.Contains).Select(ConditionOf).FirstOrDefault(c => c is not null) is not { } condition)
            return 1;
        var outcomes = Outcomes(Cofactors(condition, true, operands));
        return outcomes > MaxOutcomes
            ? outcomes
            : Math.Min(MaxOutcomes + 1, outcomes + Outcomes(Cofactors(condition, false, operands)));
    }

    /// <summary>
    /// The condition of the selection that a value is, or that a part of it is; null if there is none.
    /// </summary>
    private static Value? ConditionOf(Value value) => value switch
    {
        Operation { Opcode: Opcode.Select } selection => selection.Operands[0],
        Operation { Opcode: Opcode.Concat } concat =>
            ConditionOf(concat.Operands[0]) ?? ConditionOf(concat.Operands[1]),
        _ => null,
    };

    private List<Value> Cofactors(Value condition, bool holds, List<Value> operands) =>
        [.. operands.Select(o => _late.Contains(o) ? Cofactor(condition, holds, o) : o)];

    /// <summary>The cofactor of a selection, or of what has selections for parts, by a condition.</summary>
    private Value Cofactor(Value condition, bool holds, Value value)
    {
        var cofactor = value switch
        {
            Operation { Opcode: Opcode.Select } selection when selection.Operands[0] == condition =>
                selection.Operands[holds ? 1 : 2],
            Operation { Opcode: Opcode.Concat } concat => n.Concat(
                Cofactor(condition, holds, concat.Operands[0]), Cofactor(condition, holds, concat.Operands[1])),
            _ => value,
        };
        _late.Add(cofactor);
        return cofactor;
    }
}
