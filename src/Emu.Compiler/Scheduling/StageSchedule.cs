using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Scheduling;

/// <summary>
/// The stage of each value in a pipeline: as early as its operands and the depth of a stage allow
/// (<see cref="OperatorChaining"/>), words of memories and registers no earlier than is said.
/// </summary>
/// <param name="delays">The delays of operations.</param>
/// <param name="budget">Levels of logic in a stage.</param>
/// <param name="source">The values with which the schedule begins.</param>
/// <param name="shared">Values that are parts of others.</param>
internal sealed class StageSchedule(Delays delays, StageBudget budget, IStageSource source, Substitution shared)
{
    private readonly HashSet<Value> _ofTables = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Value, (int Stage, int Level)> _at = new(ReferenceEqualityComparer.Instance);

    /// <summary>
    /// The stages that a multiplier block takes with registers in its middle and behind it: two at a clock that has no
    /// time for it in one.
    /// </summary>
    private const int StagesOfBlock = 2;

    /// <summary>The value of which another is a part; most are their own.</summary>
    public Value Whole(Value value) => shared.Of(value);

    /// <summary>The stage in which a value is computed.</summary>
    public int StageOf(Value value) => At(value).Stage;

    /// <summary>The stages from the one in which an operation begins to the one in which its result is there.</summary>
    public int StagesFor(Operation operation) =>
        operation.Opcode == Opcode.Multiply && delays.LevelsOf(operation) > budget.Logic
        && delays.IsOneBlock(operation)
            ? StagesOfBlock
            : 0;

    /// <summary>The levels of the stage in which a value is computed.</summary>
    public int BudgetOf(Value value) => IsOfTable(value, At(value).Stage) ? budget.Tables : budget.Logic;

    /// <summary>The stage in which a value is computed, and the levels before it there.</summary>
    public (int Stage, int Level) At(Value value)
    {
        value = shared.Of(value);
        if (value is Constant) return (0, 0);
        if (_at.TryGetValue(value, out var known)) return known;
        if (value is Operation operation) return _at[value] = AfterOperands(operation);
        var place = source.PlaceOf(value);
        if (source.IsWord(value)) _ofTables.Add(value);
        return _at[value] = place;
    }

    private (int Stage, int Level) AfterOperands(Operation operation)
    {
        if (operation
            is { Opcode: Opcode.Extract, Operands: [Operation { Opcode: Opcode.Add or Opcode.Subtract } sum] })
            return AtLowBits(operation, sum);
        // An operation that joins kept values is kept instead of them.
        var isKept = source.IsKept(operation);
        var ready = operation.Operands.ConvertAll(o => Ready(o, isKept));
        var stage = ready.Max(at => at.Stage);
        var level = ready.Max(at => at.Stage == stage ? at.Level : 0);
        var own = delays.LevelsOf(operation);
        // The block takes its factors from flops.
        if (StagesFor(operation) is > 0 and var stages) return (stage + (level > 0 ? 1 : 0) + stages, 0);
        var isOfTable = operation.Operands.Where((_, i) => ready[i].Stage == stage).Any(o => IsOfTable(o, stage));
        var limit = isOfTable ? budget.Tables : budget.Logic;
        if (!OperatorChaining.Fits(hasLogic: level > 0 || IsLongBehindWord(operation, limit), level + own, limit))
            return (stage + 1, own);
        if (isOfTable) _ofTables.Add(operation);
        return (stage, level + own);
    }

    /// <summary>
    /// True if an operation on a word of a table takes, as it is made, longer than the stage in which the word comes.
    /// </summary>
    private bool IsLongBehindWord(Operation operation, int limit) =>
        operation.Operands.Exists(source.IsWord) && Delays.Level + delays.LevelsMadeOf(operation) > limit;

    /// <summary>Low bits of a sum are there before its high ones.</summary>
    private (int Stage, int Level) AtLowBits(Operation bits, Operation sum)
    {
        var (stage, level) = At(sum);
        if (IsOfTable(sum, stage)) _ofTables.Add(bits);
        return (stage, level - delays.LevelsOfSum(sum.Width) + delays.LevelsOfSum(bits.Low + bits.Width));
    }

    /// <summary>
    /// True if a value is computed in a stage from a table's word that comes there,
    /// or from the kept outcome of a comparison with one.
    /// </summary>
    private bool IsOfTable(Value value, int stage) =>
        At(value).Stage == stage ? _ofTables.Contains(shared.Of(value)) : source.IsKept(value);

    /// <summary>
    /// The stage and level at which others can use a value.
    /// A kept value that is not computed from flops at once is ready in the next stage.
    /// </summary>
    private (int Stage, int Level) Ready(Value value, bool joins) =>
        At(value) is var (stage, level) && level > Delays.Gate && !joins && source.IsKept(value)
            ? (stage + 1, 0)
            : At(value);
}
