using Emu.Compiler.IR;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// State between frames: reads that are late enough for the writes of the frames ahead, or that have those forwarded.
/// </summary>
internal sealed partial class Pipeline
{
    /// <summary>The levels from the edge to a block RAM's word: about as much time as two levels take.</summary>
    private const int BlockRamLevels = 2 * Delays.Level;

    /// <summary>Stages past which a pipeline has no end, whether its state is in a loop or not.</summary>
    private const int NoEnd = 4 * MaxStages;

    /// <summary>
    /// Memories that have writes forwarded, the nearest first: of the frame <c>interval</c> stages ahead,
    /// the next, and so on.
    /// </summary>
    private readonly Dictionary<Memory, List<ForwardedWrite>> _ahead = [];

    private readonly Dictionary<Value, ForwardedWrite> _aheadOf = new(ReferenceEqualityComparer.Instance);

    /// <summary>The stage in which a frame first looks at a part of a write ahead.</summary>
    private readonly Dictionary<Value, int> _aheadStages = new(ReferenceEqualityComparer.Instance);

    private readonly Queue<(Wire Wire, ForwardedWrite Write, Value Part, int Stage)> _unconnected = [];

    /// <summary>The first stage from which on the distance of two frames stays what it is.</summary>
    private readonly int _firstInStep;

    private StateLoops? _loops;

    /// <summary>True if more has to be forwarded than the dataflow was made for.</summary>
    private bool _isOutgrown;

    /// <summary>The least cycles between two frames that the recurrences allow: at most the interval.</summary>
    private int _distance;

    /// <summary>A stage that waits for the time's quotient takes one frame in two cycles.</summary>
    private int LeastDistance => HasQuotient(_compilation) ? TimeStage + 1 : 1;

    private Dataflow NewDataflow()
    {
        _sums.Clear();
        _sumOf.Clear();
        return new Dataflow(
            _n, _compilation.Fast!, InputOf, _header.Byte, IsWhole, RegisterOf,
            memory => _ahead.GetValueOrDefault(memory) ?? []);
    }

    /// <summary>
    /// Finds stages in which every frame reads what the frames before it have written: a read moves to a later stage
    /// when a write is too late for it, or has the write forwarded.
    /// </summary>
    /// <returns>False when more has to be forwarded than the dataflow was made for.</returns>
    private bool Settle()
    {
        _loops ??= new StateLoops(_dataflow, _registerOf);
        (_isOutgrown, var moves) = (false, true);
        _readStages.Clear();
        _aheadStages.Clear();
        while (moves && !_isOutgrown)
        {
            moves = false;
            _distance = LeastDistance;
            _schedule = NewSchedule();
            foreach (var (register, update) in _dataflow.Updates) moves |= Moves(register, update);
            foreach (var (memory, update) in _dataflow.Writes)
                moves |= _ahead.TryGetValue(memory, out var known)
                    ? Moves(memory, update, known)
                    : Moves(memory, update);
        }
        if (_isOutgrown) return false;
        foreach (var (memory, update) in _dataflow.Writes)
        {
            if (_ahead.TryGetValue(memory, out var known)) Forward(memory, update, known);
        }
        return !_isOutgrown;
    }

    private bool Moves(Register register, RegisterUpdate update)
    {
        if (!_registers.TryGetValue(register, out var read)) return false;
        return Moves(register, StageOfWrite(register, update), _schedule.StageOf(read));
    }

    /// <summary>Moves the reads of a memory that come before a write of the frame ahead.</summary>
    private bool Moves(Memory memory, MemoryUpdate update)
    {
        var write = StageOfWrite(memory, update);
        return _dataflow.Reads.Where(r => r.Memory == memory)
            .Aggregate(false, (moves, read) => moves | Moves(memory, write, AccessStage(read)));
    }

    private bool Moves(StateElement element, int write, int read)
    {
        _distance = Math.Max(_distance, Math.Min(_interval, write - read + 1));
        return write >= read + _interval && Raise(_readStages, element, element, write - _interval + 1);
    }

    /// <summary>Looks at the parts of the writes ahead where they are known.</summary>
    private bool Moves(Memory memory, MemoryUpdate update, List<ForwardedWrite> known)
    {
        var moves = false;
        _distance = _interval;
        foreach (var ahead in known)
        {
            // Behind a flop: known in a stage before.
            foreach (var part in ahead.StandIns)
                moves |= Raise(_aheadStages, part, memory, StageOfPart(ahead, part, update) + 1 - ahead.Distance);
        }
        return moves;
    }

    /// <summary>Looks at something of a state object in a later stage, as long as there is hope.</summary>
    private bool Raise<TKey>(Dictionary<TKey, int> stages, TKey key, StateElement element, int stage)
        where TKey : notnull
    {
        if (_isOutgrown || stage <= stages.GetValueOrDefault(key)) return false;
        stages[key] = stage;
        if (stage > MaxStages) EndLoop(element, stage);
        return true;
    }

    /// <summary>
    /// A loop that does not end when what is on it is read ever later may end when memories on it have
    /// writes forwarded.
    /// </summary>
    /// <exception cref="NoPipelineException">They have already.</exception>
    private void EndLoop(StateElement element, int stage)
    {
        var loop = _loops!.Of(element);
        var isDriven = loop.Count == 0
            || _loops.Before(element).Any(other => !loop.Contains(other) && LatestLook(other) > MaxStages / 2);
        if (stage <= NoEnd && isDriven) return; // by another's loop
        var memories = loop.OfType<Memory>().Where(m => !_ahead.ContainsKey(m)).ToList();
        if (memories.Count == 0) throw Recurrence(element);
        foreach (var memory in memories) _ahead[memory] = [];
        _isOutgrown = true;
    }

    /// <summary>The latest stage that a state object was moved to.</summary>
    private int LatestLook(StateElement element) =>
        _aheadStages.Where(a => _aheadOf[a.Key].Memory == element)
            .Select(a => a.Value).Append(_readStages.GetValueOrDefault(element)).Max();

    /// <summary>Forwards all writes of a memory to its reads that come before them.</summary>
    private void Forward(Memory memory, MemoryUpdate update, List<ForwardedWrite> known)
    {
        var last = _dataflow.Reads.Where(r => r.Memory == memory)
            .Select(r => StageOfWrite(memory, update) - AccessStage(r)).DefaultIfEmpty().Max();
        var ram = _state.Of(memory).Ram;
        for (var distance = _interval + known.Count; distance <= last; distance++)
        {
            var ahead = new ForwardedWrite(
                memory, distance, update, ram.AddressWidth, ram.Width, !_loops!.HasDataFromLoop(memory));
            foreach (var part in ahead.StandIns) _aheadOf[part] = ahead;
            known.Add(ahead);
            _isOutgrown = true;
        }
        var bits = _ahead.Sum(ahead => ahead.Value.Count * _state.Of(ahead.Key).Ram.Width
            * _dataflow.Reads.Count(read => read.Memory == ahead.Key));
        if (bits > _options.MaxForwardedBits) throw TooMuchForwarded(memory);
    }

    /// <summary>
    /// The stage at whose end a frame writes a word: not before it has read all of the memory's,
    /// which are those before the frame.
    /// </summary>
    private int StageOfWrite(Memory memory, MemoryUpdate update)
    {
        var reads = _dataflow.Reads.Where(r => r.Memory == memory).Select(AccessStage).ToList();
        var stage = reads.Append(StageOfWrite(update.Condition, update.Index, update.Data)).Max();
        return _ahead.ContainsKey(memory)
            ? stage
            : FromFlops(stage, reads, update.Condition, update.Index, update.Data);
    }

    /// <summary>The stage at whose end a register is written.</summary>
    private int StageOfWrite(Register register, RegisterUpdate update) =>
        FromFlops(
            StageOfWrite(update.Condition, update.Value),
            _registers.TryGetValue(register, out var read) ? [_schedule.StageOf(read)] : [],
            update.Condition, update.Value);

    /// <summary>
    /// A stage later, if what is written comes from logic, and no frame has to keep more distance for that.
    /// </summary>
    private int FromFlops(int stage, List<int> reads, params IEnumerable<Value> values)
    {
        var isLate = values.Append(_admits).Any(value =>
            value is not Constant && _schedule.At(value) is var (known, level) && known == stage && level > 0);
        return isLate && reads.TrueForAll(read => stage + 1 < read + LeastDistance) ? stage + 1 : stage;
    }

    /// <summary>
    /// The stage at whose end something is written: all is known, and the frame does not wait any more.
    /// </summary>
    private int StageOfWrite(params IEnumerable<Value> values) =>
        values.Append(_admits).Select(_schedule.StageOf).Append(TimeStage).Max();

    /// <summary>The stage in which a part of a write is known.</summary>
    private int StageOfPart(ForwardedWrite ahead, Value part, MemoryUpdate update) =>
        part == ahead.Happens ? Math.Max(_schedule.StageOf(update.Condition), _schedule.StageOf(_admits))
            : _schedule.StageOf(part == ahead.Address ? update.Index : update.Data);

    /// <summary>The stage in which a memory is asked for a word.</summary>
    private int AccessStage(MemoryAccess read)
    {
        var ports = _state.Of(read.Memory);
        var (stage, level) = _schedule.At(read.Index);
        // A distributed RAM's address comes from flops: its word is there in the same stage.
        // A block RAM has a stage of its own for it.
        var isReady = read.Index is Constant || ports.IsRegistered && level <= _budget.Tables / 2;
        var first = Math.Max(Crossing, ports.IsRegistered || _ahead.ContainsKey(read.Memory) ? _firstInStep : 0);
        return Math.Max(isReady ? stage : stage + 1, Math.Max(first, _readStages.GetValueOrDefault(read.Memory)));
    }

    /// <summary>The stage and level at which a value comes that is not computed from others.</summary>
    private (int Stage, int Level)? SourceOf(Value value)
    {
        if (value is Operation) return null;
        if (_sums.Exists(sum => sum.Total == value)) return (Crossing, 0);
        if (ReferenceEquals(value, _quotientInput)) return (TimeStage, 0);
        if (_registerOf.TryGetValue(value, out var register))
            return (Math.Max(Math.Max(Crossing, _firstInStep), _readStages.GetValueOrDefault(register)), 0);
        if (_aheadOf.TryGetValue(value, out var ahead))
            return (
                Math.Max(Math.Max(Crossing, _firstInStep), _aheadStages.GetValueOrDefault(value)),
                value == ahead.Happens ? Delays.Gate : 0);
        if (_dataflow.Reads.Find(r => r.Word == value) is not { } read) return (0, 0);
        return _state.Of(read.Memory).IsRegistered ? (AccessStage(read) + 1, BlockRamLevels) : (AccessStage(read), 0);
    }

    /// <summary>Makes such a value in its stage.</summary>
    private Value Make(Value value, int stage)
    {
        if (ReferenceEquals(value, _quotientInput)) return _quotient!.Quotient;
        if (_sums.Find(sum => sum.Total == value) is { } payload) return _totals[payload];
        if (_registerOf.TryGetValue(value, out var register)) return _n.Resize(_state.Of(register), register.Width);
        if (_aheadOf.TryGetValue(value, out var ahead))
        {
            _n.Continue(SectionOf(stage));
            var wire = (Wire)_n.DeclareWire(((Wire)value).Name, value.Width);
            _unconnected.Enqueue((wire, ahead, value, stage));
            return wire;
        }
        if (_dataflow.Reads.Find(r => r.Word == value) is not { } read) return value;
        var ports = _state.Of(read.Memory);
        var asked = AccessStage(read);
        var address = ports.Address(_schedule.In(read.Index, asked));
        _n.Continue(SectionOf(asked));
        return ports.Element(_n.AddRead($"{ports.Ram.Name}_read", ports.Ram, address, ports.IsRegistered));
    }

    /// <summary>Connects what frames see of the frames ahead: their own values, some stages on.</summary>
    private void ConnectAhead()
    {
        var updates = _dataflow.Writes.ToDictionary(w => w.Memory, w => w.Update);
        while (_unconnected.TryDequeue(out var item))
        {
            var (wire, ahead, part, stage) = item;
            var (update, theirs) = (updates[ahead.Memory], stage + ahead.Distance);
            wire.Source = part == ahead.Happens
                ? _n.And(Counts(theirs), _schedule.In(update.Condition, theirs))
                : _n.Resize(_schedule.In(part == ahead.Address ? update.Index : update.Data, theirs), part.Width);
        }
    }

    /// <summary>The last stage in which something is written, or looked at by a frame behind.</summary>
    private int Writes(int last)
    {
        foreach (var (memory, update) in _dataflow.Writes) last = Math.Max(last, StageOfWrite(memory, update));
        foreach (var (register, update) in _dataflow.Updates) last = Math.Max(last, StageOfWrite(register, update));
        foreach (var counted in _dataflow.Counts.Select(c => c.Amount).Concat(_dataflow.Faults.Values))
            last = Math.Max(last, CountStage(counted));
        foreach (var (part, ahead) in _aheadOf) last = Math.Max(last, _schedule.StageOf(part) + ahead.Distance);
        return last;
    }

    private void WriteState()
    {
        foreach (var (memory, update) in _dataflow.Writes)
        {
            var stage = StageOfWrite(memory, update);
            _n.Continue(SectionOf(stage));
            var happens = _n.And(Counts(stage), _schedule.In(update.Condition, stage));
            _state.Of(memory).Write(happens, _schedule.In(update.Index, stage), _schedule.In(update.Data, stage));
        }
        foreach (var (register, update) in _dataflow.Updates)
        {
            var stage = StageOfWrite(register, update);
            _n.Continue(SectionOf(stage));
            var flop = _state.Of(register);
            (flop.Next, flop.Enable) = (
                _n.Resize(_schedule.In(update.Value, stage), flop.Width),
                _n.And(Counts(stage), _schedule.In(update.Condition, stage)));
        }
    }
}
