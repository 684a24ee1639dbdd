using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>
/// Values spread over the stages of a pipeline: each as early as its operands and the depth of a stage allow, words of
/// memories and registers no earlier than is said. Gives a value at any stage from its own on, by flops.
/// </summary>
internal sealed class StageSchedule
{
    private readonly Netlist _n;
    private readonly Delays _delays;
    private readonly StageBudget _budget;
    private readonly HashSet<Value> _ofTables = new(ReferenceEqualityComparer.Instance);
    private readonly Func<Value, bool> _isWord;
    private readonly Dictionary<Value, (int Stage, int Level)> _at = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<(Value, int), Value> _made = [];
    private readonly Dictionary<Flop, (string Name, int Place)> _carried = [];
    private readonly SortedDictionary<int, List<Operation>> _done = [];
    private readonly Func<Value, (int Stage, int Level)?> _source;
    private readonly Func<Value, int, Value> _make;
    private readonly Func<int, Value?> _enable;
    private readonly Func<int, Section> _section;
    private readonly Func<Value, bool> _isKept;
    private readonly Substitution _shared;

    /// <summary>Begins with nothing scheduled.</summary>
    /// <param name="netlist">The netlist in which the stages' values are made.</param>
    /// <param name="delays">The delays of operations.</param>
    /// <param name="budget">Levels of logic in a stage.</param>
    /// <param name="isWord">True if a value is a word of a table.</param>
    /// <param name="source">The stage and level at which a value comes that is no operation of others;
    /// null if it is one.</param>
    /// <param name="make">Makes such a value at its stage.</param>
    /// <param name="enable">The condition under which the flops into a stage take something; null for always.</param>
    /// <param name="section">The section in which the flops into a stage are declared.</param>
    /// <param name="isKept">True if a value is used from flops only,
    /// in the stage after the one that computes it.</param>
    /// <param name="shared">Values that are parts of others.</param>
    public StageSchedule(
        Netlist netlist, Delays delays, StageBudget budget, Func<Value, bool> isWord,
        Func<Value, (int Stage, int Level)?> source, Func<Value, int, Value> make, Func<int, Value?> enable,
        Func<int, Section> section, Func<Value, bool> isKept, Substitution shared) =>
        (_n, _delays, _budget, _isWord, _source, _make, _enable, _section, _isKept, _shared) =
            (netlist, delays, budget, isWord, source, make, enable, section, isKept, shared);

    /// <summary>True if a flop only takes a value from one stage to the next.</summary>
    public bool IsStageFlop(Flop flop) => _carried.ContainsKey(flop);

    /// <summary>The operations made in a stage so far.</summary>
    public IReadOnlyList<Operation> Done(int stage) => _done.GetValueOrDefault(stage) ?? [];

    /// <summary>The values of the circuit that a stage computes.</summary>
    public IEnumerable<Value> Made(int stage) =>
        _made.Where(made => made.Key.Item2 == stage).Select(made => made.Value);

    /// <summary>The stage in which a value is computed.</summary>
    public int StageOf(Value value) => At(value).Stage;

    /// <summary>The stage in which a value is computed, and the levels before it there.</summary>
    public (int Stage, int Level) At(Value value)
    {
        value = _shared.Of(value);
        if (value is Constant) return (0, 0);
        if (_at.TryGetValue(value, out var known)) return known;
        if (_source(value) is { } given)
        {
            if (_isWord(value)) _ofTables.Add(value);
            return _at[value] = given;
        }
        var operation = (Operation)value;
        if (operation
            is { Opcode: Opcode.Extract, Operands: [Operation { Opcode: Opcode.Add or Opcode.Subtract } sum] })
            return _at[value] = AtLowBits(operation, sum);
        // An operation that joins kept values is kept instead of them.
        var isKept = _isKept(operation);
        var stage = operation.Operands.Max(o => Ready(o, isKept).Stage);
        var level = operation.Operands.Max(o => Ready(o, isKept) is var at && at.Stage == stage ? at.Level : 0);
        var own = _delays.LevelsOf(operation);
        var isOfTable = operation.Operands.Exists(o => Ready(o, isKept).Stage == stage && IsOfTable(o, stage));
        if (level > 0 && level + own > (isOfTable ? _budget.Tables : _budget.Logic))
            return _at[value] = (stage + 1, own);
        if (isOfTable) _ofTables.Add(value);
        return _at[value] = (stage, level + own);
    }

    /// <summary>Low bits of a sum are there before its high ones.</summary>
    private (int Stage, int Level) AtLowBits(Operation bits, Operation sum)
    {
        var (stage, level) = At(sum);
        if (IsOfTable(sum, stage)) _ofTables.Add(bits);
        return (stage, level - _delays.LevelsOfSum(sum.Width) + _delays.LevelsOfSum(bits.Low + bits.Width));
    }

    /// <summary>The levels of the stage in which a value is computed.</summary>
    public int BudgetOf(Value value) => IsOfTable(value, At(value).Stage) ? _budget.Tables : _budget.Logic;

    /// <summary>
    /// True if a value is computed in a stage from a table's word that comes there,
    /// or from the kept outcome of a comparison with one.
    /// </summary>
    private bool IsOfTable(Value value, int stage) =>
        At(value).Stage == stage ? _ofTables.Contains(_shared.Of(value)) : _isKept(value);

    /// <summary>
    /// The stage and level at which others can use a value.
    /// A kept value that is not computed from flops at once is ready in the next stage.
    /// </summary>
    private (int Stage, int Level) Ready(Value value, bool joins) =>
        At(value) is var (stage, level) && level > Delays.Gate && !joins && _isKept(value) ? (stage + 1, 0) : At(value);

    /// <summary>A value as it is in a stage, its own or a later one.</summary>
    public Value In(Value value, int stage)
    {
        value = _shared.Of(value);
        if (value is Constant) return value;
        if (_made.TryGetValue((value, stage), out var known)) return known;
        var own = At(value).Stage;
        if (stage < own) throw new InvalidOperationException($"a value of stage {own} is asked for in stage {stage}");
        Value made;
        if (stage > own)
        {
            made = Delayed(In(value, stage - 1), stage);
        }
        else if (_source(value) is not null)
        {
            made = _make(value, stage);
        }
        else
        {
            var operation = (Operation)value;
            if (!_done.TryGetValue(stage, out var done)) _done[stage] = done = [];
            done.Add(operation);
            var operands = operation.Operands.Select(o => In(o, stage)).ToList();
            made = operation.Opcode == Opcode.Extract
                ? _n.BitsOf(operands[0], operation.Low, operation.Width)
                : _n.Make(new Operation(operation.Opcode, operation.Width, operands) { Location = operation.Location });
        }
        return _made[(value, stage)] = made;
    }

    private Value Delayed(Value before, int stage)
    {
        if (before is Constant) return before;
        // Zeros and fields of others need no flops of their own.
        if (before is Operation { Opcode: Opcode.Concat } concat)
        {
            return FoldingBuilder.IsScattered(concat)
                ? DelayedBits(concat, stage)
                : _n.Concat(Delayed(concat.Operands[0], stage), Delayed(concat.Operands[1], stage));
        }
        if (before is Operation { Opcode: Opcode.Xor, Operands: [var bits, Constant inverted] }
            && FoldingBuilder.IsScattered(bits))
            return _n.Make(Opcode.Xor, before.Width, Delayed(bits, stage), inverted);
        if (_made.TryGetValue((before, -stage), out var delayed)) return delayed;
        _n.Continue(_section(stage));
        _n.Location = before switch
        {
            Operation operation => operation.Location,
            Flop carried => carried.Location,
            _ => null,
        };
        var (name, place) = before is Flop held && _carried.TryGetValue(held, out var known) ? known : NameOf(before);
        var flop = _n.RegisteredPart(name, place, before, _enable(stage), stage);
        _carried[flop] = (name, place);
        return _made[(before, -stage)] = flop;
    }

    /// <summary>Bits that only change places do so behind the flops, which are words then.</summary>
    private Value DelayedBits(Operation concat, int stage)
    {
        var parts = FoldingBuilder.PartsOf(concat);
        var bits = parts.OfType<Operation>().Where(part => part.Opcode == Opcode.Extract).ToList();
        var areWords =
            bits.Select(part => part.Operands[0]).Distinct().Sum(word => word.Width) <= bits.Sum(part => part.Width);
        return parts.Select(part => areWords && part is Operation { Opcode: Opcode.Extract } bit
            ? _n.Extract(Delayed(bit.Operands[0], stage), bit.Low, bit.Width)
            : Delayed(part, stage)).Aggregate(_n.Concat);
    }

    /// <summary>The name of a value in C#; of a word of a memory the memory's, of a register its own.</summary>
    private (string Name, int Place) NameOf(Value value)
    {
        var (name, place) = _n.NameOf(value);
        var suffix = value switch
        {
            Flop => "_reg",
            RamRead => "_read",
            _ => "",
        };
        return (name.EndsWith(suffix, StringComparison.Ordinal) ? name[..^suffix.Length] : name, place);
    }
}
