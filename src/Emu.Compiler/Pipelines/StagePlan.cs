using Emu.Compiler.IR;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// The stage of everything that an event does, given the earliest stages in which it may look at state: what it reads,
/// computes, and writes.
/// </summary>
internal sealed class StagePlan : IStageSource
{
    /// <summary>The levels from the edge to a block RAM's word: about as much time as two levels take.</summary>
    private const int BlockRamLevels = 2 * Delays.Level;

    /// <summary>
    /// The levels from the address to the word of a RAM in LUTs: in the reserve of words of tables, unless all levels
    /// are used.
    /// </summary>
    private int LutRamLevels => _design.Budget.IsForLoops ? Delays.Level : 0;

    /// <summary>The cycles between two frames from which on the queue is worth its flops.</summary>
    private const int LeastHeldBack = 2;

    private readonly PipelineDesign _design;
    private readonly PipelineEvent _event;
    private readonly EventInputs _inputs;
    private readonly Forwarding _forwarding;
    private readonly EarliestLooks _looks;
    private readonly StageSchedule _schedule;
    private readonly IReadOnlyList<RowHazard> _hazards;
    private readonly Dictionary<int, int> _issueStages = [];
    private int? _crossing;

    /// <summary>Begins with nothing scheduled.</summary>
    public StagePlan(
        PipelineDesign design, PipelineEvent frame, EventInputs inputs, Forwarding forwarding, EarliestLooks looks,
        IReadOnlyList<RowHazard> hazards)
    {
        (_design, _event, _inputs, _forwarding, _looks) = (design, frame, inputs, forwarding, looks);
        _hazards = hazards;
        _schedule = new StageSchedule(design.Delays, design.Budget, this, frame.Shared);
    }

    /// <summary>The stages of values.</summary>
    public StageSchedule Schedule => _schedule;

    /// <summary>The first stage that is counted from the last beat; 0 when all are counted from the header.</summary>
    public int Crossing => _crossing ??= _event.Checksums.Payload.Except(_event.Checksums.Late)
        .Select(unit => unit.MaskStage(_schedule.StageOf) + unit.Latency)
        .Append(_event.Checksums.Late.Any() ? PipelineDesign.TimeStage + 1 : 0).Max();

    /// <summary>
    /// The number of queues in which frames wait: one behind each walk over their payload, the last for what frames
    /// ahead may write or for distance as well.
    /// </summary>
    public int Queues => Math.Max(_event.Order.Walks, _hazards.Count > 0 || KeepsDistanceBehindLastBeats ? 1 : 0);

    /// <summary>
    /// The stage that frames enter from the last queue, when no frame ahead may write what they read or is too near,
    /// and the results of loops over their payload are there; 0 without one. All that decides on rows is known in the
    /// stage before, and state that frames share is used behind it only.
    /// </summary>
    public int IssueStage => IssueStageOf(Queues);

    /// <summary>
    /// The stage that frames enter from the queue of a number, when the results of that walk over their payload are
    /// there.
    /// </summary>
    public int IssueStageOf(int queue)
    {
        if (queue == 0) return 0;
        if (_issueStages.TryGetValue(queue, out var known)) return known;
        var begins = _event.Checksums.Late.Where(unit => _event.Order.WalkOf(unit) == queue).Select(BeginOf);
        var hazards = queue == Queues ? _hazards : [];
        return _issueStages[queue] = 1 + hazards.SelectMany(hazard => hazard.Values).Select(_schedule.StageOf)
            .Concat(begins).Append(FirstBehind(queue - 1)).Append(PipelineDesign.TimeStage).Max();
    }

    /// <summary>The stage in which a loop begins that goes over a frame whose header has passed.</summary>
    public int BeginOf(SerialFold unit) =>
        Math.Max(FirstBehind(_event.Order.WalkOf(unit) - 1), unit.MaskStage(_schedule.StageOf));

    /// <summary>The first stage behind a queue, or behind the crossing where that is the number 0.</summary>
    private int FirstBehind(int queue) => queue == 0 ? Crossing : IssueStageOf(queue);

    /// <summary>
    /// True if frames of any length would be held back for cycles that only the shortest need: stages are counted from
    /// last beats, and a frame may end as soon as it has the least. In a queue a long frame waits while its beats come.
    /// </summary>
    private bool KeepsDistanceBehindLastBeats =>
        _event.Checksums.Payload.Count > 0 && _design.Interval - _design.Header.LeastBeats >= LeastHeldBack;

    /// <summary>
    /// The last stage of a frame in which one that enters <see cref="IssueStage"/> behind it would miss a write of it.
    /// </summary>
    public int LastHazardous(RowHazard hazard) => hazard.Memories.Max(LastHazardous);

    /// <summary>
    /// The last stage of a frame in which one that enters <see cref="IssueStage"/> behind it would miss its write.
    /// </summary>
    public int LastHazardous(Memory memory)
    {
        var write = StageOfWrite(memory, Dataflow.Writes.Last(w => w.Memory == memory).Update);
        var read = Dataflow.Reads.Where(r => r.Memory == memory).Min(AccessStage);
        return write - (read - IssueStage) - 1;
    }

    /// <summary>The first stage in which state may be used.</summary>
    public int FirstOfState => Math.Max(Crossing, IssueStage);

    private Dataflow Dataflow => _event.Dataflow;

    /// <summary>The stage in which a memory is asked for a word.</summary>
    public int AccessStage(MemoryAccess read)
    {
        var ports = _design.State.Of(read.Memory);
        var (stage, level) = _schedule.At(read.Index);
        // A distributed RAM's address comes from flops: its word is there in the same stage.
        // A block RAM has a stage of its own for it.
        var isReady = read.Index is Constant || ports.IsRegistered && level <= _design.Budget.Tables / 2;
        var isInStep = ports.IsRegistered || _forwarding.Has(read.Memory);
        var behind = _event.Order.WalkBehind(read) is { } walk ? FirstBehind(walk - 1) : FirstOfState;
        var first = Math.Max(behind, isInStep ? _design.FirstInStep : 0);
        return Math.Max(isReady ? stage : stage + 1, Math.Max(first, _looks.At(read.Memory)));
    }

    /// <summary>
    /// The stage at whose end a frame writes a word: not before it has read all of the memory's,
    /// which are those before the frame.
    /// </summary>
    public int StageOfWrite(Memory memory, MemoryUpdate update)
    {
        var reads = Dataflow.Reads.Where(r => r.Memory == memory).Select(AccessStage).ToList();
        if (Dataflow.TurnsOf(memory) > 1) return FirstTurn(memory, reads) + TurnOf(memory, update);
        var stage = reads.Append(StageOfWrite(update.Condition, update.Index, update.Data)).Max();
        return _forwarding.Has(memory)
            ? stage
            : FromFlops(stage, reads, update.Condition, update.Index, update.Data);
    }

    /// <summary>
    /// The stage at whose end a frame writes the first of several words of a memory, the others in the stages behind:
    /// frames are at least as many cycles apart, so one of them has the port at a time.
    /// </summary>
    private int FirstTurn(Memory memory, List<int> reads)
    {
        List<MemoryUpdate> turns = [.. Dataflow.Writes.Where(w => w.Memory == memory).Select(w => w.Update)];
        var first = turns.Index().Select(turn =>
            StageOfWrite(turn.Item.Condition, turn.Item.Index, turn.Item.Data) - turn.Index)
            .Concat(reads).Append(FirstOfState).Max();
        // The port is behind a choice of whose turn it is.
        return reads.TrueForAll(read => first + turns.Count < read + _design.Interval) ? first + 1 : first;
    }

    private int TurnOf(Memory memory, MemoryUpdate update) =>
        Dataflow.Writes.Where(w => w.Memory == memory).Index().First(w => w.Item.Update == update).Index;

    /// <summary>The stage at whose end a register is written: not before the frame has read it.</summary>
    public int StageOfWrite(Register register, RegisterUpdate update)
    {
        List<int> reads = _inputs.ReadOf(register) is { } read ? [_schedule.StageOf(read)] : [];
        var stage = reads.Append(StageOfWrite(update.Condition, update.Value)).Max();
        return FromFlops(stage, reads, update.Condition, update.Value);
    }

    /// <summary>
    /// The stage in which a frame calls a core: its operands come from flops, since nobody knows what is behind its
    /// ports, and frames are in step, so that calls come in their order.
    /// </summary>
    public int StageOfCall(CoreCall call)
    {
        var inputs = call.Inputs.Append(_event.Admits).Where(value => value is not Constant).ToList();
        var stage = InStep(StageOfWrite(inputs));
        return inputs.Exists(value => _schedule.At(value) is var (known, level) && known == stage && level > 0)
            ? stage + 1
            : stage;
    }

    /// <summary>
    /// The stage in which it is known of a frame that it is deferred, for its own sake or with one ahead.
    /// </summary>
    public int DeferringStage => Math.Max(PipelineDesign.TimeStage, _schedule.StageOf(_event.Exits));

    /// <summary>
    /// True if the door is closed behind a frame that is deferred alone before the header of another is complete.
    /// </summary>
    public bool ClosesInTime => !_design.Demands.DefersAlone || DeferringStage < _design.Header.LeastBeats
        || KeepsIntervalAtDoor && DeferringStage < _design.Interval;

    /// <summary>
    /// The cycles between two frames that are asked for at the door, where a frame may be deferred alone.
    /// </summary>
    public int IntervalToClose => _design.Demands.DefersAlone && KeepsIntervalAtDoor ? DeferringStage + 1 : 1;

    private bool KeepsIntervalAtDoor => _event.Checksums.Payload.Count == 0 && IssueStage == 0;

    /// <summary>The stage in which an amount is counted.</summary>
    public int StageOfCount(Value amount) =>
        Math.Max(PipelineDesign.TimeStage, Math.Max(_schedule.StageOf(_event.Admits), _schedule.StageOf(amount)));

    /// <summary>The stage in which a part of a write is known.</summary>
    public int StageOfPart(ForwardedWrite ahead, Value part, MemoryUpdate update) =>
        part == ahead.Happens ? Math.Max(_schedule.StageOf(update.Condition), _schedule.StageOf(_event.Admits))
            : _schedule.StageOf(part == ahead.Address ? update.Index : update.Data);

    /// <summary>The stage of an access to state; null if none is left of it.</summary>
    public int? StageOf(StateAccess access) => (access.Element, access.IsWrite) switch
    {
        (Memory memory, true) => StageOfWrite(memory, Dataflow.Writes.Last(w => w.Memory == memory).Update),
        (Memory memory, false) =>
            Dataflow.Reads.Where(r => r.Memory == memory).Select(r => (int?)_schedule.StageOf(r.Word)).Max(),
        (Register register, false) => _inputs.ReadOf(register) is { } read ? _schedule.StageOf(read) : null,
        (Register register, true)
            when Dataflow.Updates.FirstOrDefault(u => u.Register == register) is { Update: { } update }
            => StageOfWrite(register, update),
        (VerilogCore core, _) => Dataflow.CoreCalls.Where(c => c.Core == core).Select(c => (int?)StageOfCall(c)).Max(),
        (Register register, true) => StageOfCount(Dataflow.Counts.Single(c => c.Register == register).Amount),
        _ => null,
    };

    /// <summary>
    /// The last of some stages and of those in which state is written or looked at by a frame behind.
    /// </summary>
    public int LastUse(int last)
    {
        foreach (var (memory, update) in Dataflow.Writes) last = Math.Max(last, StageOfWrite(memory, update));
        foreach (var (register, update) in Dataflow.Updates) last = Math.Max(last, StageOfWrite(register, update));
        foreach (var counted in Dataflow.Counts.Select(c => c.Amount).Concat(Dataflow.Faults.Values))
            last = Math.Max(last, StageOfCount(counted));
        foreach (var (part, write) in _forwarding.StandIns)
            last = Math.Max(last, _schedule.StageOf(part) + write.Distance);
        foreach (var hazard in _hazards) last = Math.Max(last, LastHazardous(hazard));
        foreach (var call in Dataflow.CoreCalls) last = Math.Max(last, StageOfCall(call) + call.Core.Latency);
        return last;
    }

    /// <inheritdoc />
    public (int Stage, int Level) PlaceOf(Value value)
    {
        if (_event.Checksums.UnitOf(value) is { } unit)
            return (unit is SerialFold serial ? IssueStageOf(_event.Order.WalkOf(serial)) : Crossing, 0);
        if (_inputs.IsQuotient(value)) return (PipelineDesign.TimeStage, 0);
        if (ReferenceEquals(value, _inputs.Drains)) return (DeferringStage, 0);
        if (_inputs.RegisterOf.TryGetValue(value, out var register)) return (InStep(_looks.At(register)), 0);
        if (_forwarding.WriteOf(value) is { } ahead)
            return (InStep(_looks.At(value)), value == ahead.Happens ? Delays.Gate : 0);
        if (Dataflow.CallOf(value) is { } call) return (StageOfCall(call) + call.Core.Latency, BlockRamLevels);
        if (Dataflow.ReadOf(value) is not { } read) return (0, 0);
        var stage = AccessStage(read);
        return _design.State.Of(read.Memory).IsRegistered ? (stage + 1, BlockRamLevels) : (stage, LutRamLevels);
    }

    /// <inheritdoc />
    public bool IsWord(Value value) =>
        value is Operation { Opcode: Opcode.Extract } part
            ? IsWord(part.Operands[0])
            : Dataflow.ReadOf(value) is not null;

    /// <inheritdoc />
    /// <remarks>
    /// Kept is the outcome of a comparison with words of tables. Such comparisons are long, and the values chosen by
    /// several of them are wide; synthesis would pay for both in one cycle with wide multiplexers.
    /// </remarks>
    public bool IsKept(Value value) => !_design.Budget.IsForLoops && IsOutcome(value);

    private bool IsOutcome(Value value) => value is Operation operation && operation.Opcode switch
    {
        Opcode.And => operation.Width == 1 && operation.Operands.All(IsOutcome),
        Opcode.Equal or Opcode.LessUnsigned or Opcode.LessSigned =>
            _design.Delays.LevelsOf(operation) >= 2 * Delays.Level && operation.Operands.Any(IsWord),
        _ => false,
    };

    private int InStep(int stage) => Math.Max(Math.Max(FirstOfState, _design.FirstInStep), stage);

    /// <summary>
    /// The stage at whose end something is written: all is known, and the frame does not wait any more.
    /// </summary>
    private int StageOfWrite(params IEnumerable<Value> values) =>
        values.Append(_event.Admits).Select(_schedule.StageOf).Append(PipelineDesign.TimeStage).Max();

    /// <summary>
    /// A stage later, if what is written comes from logic, and no frame has to keep more distance for that.
    /// </summary>
    private int FromFlops(int stage, List<int> reads, params IEnumerable<Value> values)
    {
        var isLate = values.Append(_event.Admits).Any(value =>
            value is not Constant && _schedule.At(value) is var (known, level) && known == stage && level > 0);
        return isLate && reads.TrueForAll(read => stage + 1 < read + _design.ResourceInterval) ? stage + 1 : stage;
    }
}
