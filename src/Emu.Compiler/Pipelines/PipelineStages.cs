using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// The stages in the circuit: of each a section, a bit that says that a frame is there, and the values of the plan.
/// </summary>
internal sealed class PipelineStages : IStageBuilder
{
    private readonly PipelineDesign _design;
    private readonly PipelinePlan _plan;
    private readonly TimeQuotient? _quotient;
    private readonly SortedDictionary<int, IssueQueue> _queues = [];
    private readonly StageValues _values;
    private readonly List<Section> _sections = [];
    private readonly List<Flop> _occupied = [];
    private readonly List<Value> _inFlight = [];
    private readonly Dictionary<IPayloadUnit, Value> _sums = [];
    private readonly Dictionary<CoreCall, CoreInstance> _cores = [];
    private readonly Queue<(Wire Wire, ForwardedWrite Write, Value Part, int Stage)> _unconnected = [];
    private readonly Value _leavesTimeStage;

    /// <summary>Makes the bits of the stages, the quotient of the time, and the checksums of the payload.</summary>
    /// <param name="design">The pipeline.</param>
    /// <param name="plan">The stages of values.</param>
    /// <param name="verdict">The stage of the verdict.</param>
    public PipelineStages(PipelineDesign design, PipelinePlan plan, int verdict)
    {
        (_design, _plan, Verdict) = (design, plan, verdict);
        var n = design.Netlist;
        _values = new StageValues(n, plan.Stages.Schedule, this, design.Options.LongestCarry);
        IsBusy = FoldingBuilder.Bit(false);
        if (design.Demands.Divisor is { } divisor)
        {
            n.Continue(Section(PipelineDesign.TimeStage));
            var (start, time) = (design.Header.Start, design.Header.Time);
            _quotient = new TimeQuotient(n, divisor, start, time, n.Registered("time", time, 0, start));
            IsBusy = _quotient.IsBusy;
        }
        for (var (queue, before) = (1, 0); queue <= plan.Stages.Queues; queue++)
        {
            var issued = plan.Stages.IssueStageOf(queue);
            // A frame may still come to each stage before the queue, and to the first one is in the header window,
            // another at its door.
            var frames = plan.Event.Checksums.Serial.Where(unit => plan.Event.Order.WalkOf(unit) == queue)
                .Select(unit => unit.Frames).Append(1).Max();
            _queues[issued] = new IssueQueue(n, issued - before + 2, frames, design.Options.IsFast);
            before = issued;
        }
        var nearest = plan.Stages.IssueStage + plan.LeastInterval - 2;
        var last = Math.Max(plan.Stages.LastUse(verdict), nearest);
        for (var stage = 1; stage <= last; stage++)
        {
            n.Continue(Section(stage));
            _occupied.Add(n.AddFlop($"valid_{stage}", 1, 0));
        }
        for (var stage = 1; stage <= last; stage++) Occupied(stage)!.Next = Enters(stage);
        _leavesTimeStage = n.And(Occupied(PipelineDesign.TimeStage)!, n.Not(IsBusy));
        Drains = Drain();
        foreach (var unit in plan.Event.Checksums.Payload.OrderBy(unit => unit is SerialFold { IsLate: true }))
        {
            var (begin, queue) = (plan.Stages.Crossing - unit.Latency, (IssueQueue?)null);
            if (unit is SerialFold serial)
            {
                if (serial.IsLate) begin = plan.Stages.BeginOf(serial);
                queue = _queues[plan.Stages.IssueStageOf(plan.Event.Order.WalkOf(serial))];
            }
            _sums[unit] = unit.Build(begin, In, Passes, queue);
        }
    }

    /// <summary>The stage of the verdict.</summary>
    public int Verdict { get; }

    /// <summary>
    /// 1 from when a frame is deferred until the slow path has served it and all that followed it; null if frames do
    /// not wait for a deferred one.
    /// </summary>
    public Flop? Drains { get; }

    /// <summary>True while the time's quotient is not there; the frame in the stage of the time waits.</summary>
    public Value IsBusy { get; }

    /// <summary>A bit for each stage from the first on: a frame is there. The stage of the time can hold one.</summary>
    public IReadOnlyList<Flop> Occupancy => _occupied;

    /// <summary>Bits that are 1 while something of a frame is on the way beside the stages.</summary>
    public IEnumerable<Value> InFlight => [.. _inFlight, .. _queues.Values.Select(queue => queue.IsOccupied)];

    /// <summary>True if there is room for another beat in front of the stages that use state.</summary>
    public Value HasRoom => _plan.Event.Checksums.Serial.Select(unit => unit.HasRoom)
        .Aggregate(_queues.Values.FirstOrDefault()?.HasRoom ?? FoldingBuilder.Bit(true), _design.Netlist.And);

    /// <summary>True if a flop only takes a value from one stage to the next.</summary>
    public bool IsStageFlop(Flop flop) => _values.IsStageFlop(flop);

    /// <summary>A value as it is in a stage, its own or a later one.</summary>
    public Value In(Value value, int stage) => _values.In(value, stage);

    /// <summary>
    /// 1 while a frame is in a stage; null for the first, which it enters when its header is complete.
    /// </summary>
    public Flop? Occupied(int stage) => stage == 0 ? null : _occupied[stage - 1];

    /// <summary>True if a frame is in a stage and does not wait there: once for each frame.</summary>
    public Value Passes(int stage) => stage == PipelineDesign.TimeStage ? _leavesTimeStage : _occupied[stage - 1];

    /// <summary>True if the service's event of a stage counts: a frame passes that was admitted.</summary>
    public Value Counts(int stage) => _design.Netlist.And(Passes(stage), In(_plan.Event.Admits, stage));

    /// <summary>Everything that is made next belongs to a stage.</summary>
    public void Continue(int stage) => _design.Netlist.Continue(Section(stage));

    /// <summary>A value that is known of a frame with its last beat, as it is in a stage.</summary>
    public Value OfLastBeat(string name, Value value, int stage)
    {
        if (_queues.Count == 0) return AfterLastBeat(name, value, stage);
        var first = _queues.Keys.First();
        value = AfterLastBeat(name, value, first - 1);
        for (; first <= stage; first++) value = _design.Netlist.Registered($"{name}_{first}", Into(first, value), 0);
        return value;
    }

    /// <summary>Delays a value that is known of a frame with its last beat, by some cycles.</summary>
    public Value AfterLastBeat(string name, Value value, int cycles)
    {
        for (var i = 1; i <= cycles && value is not Constant; i++)
        {
            value = _design.Netlist.Registered($"{name}_{i}", value, 0);
            _inFlight.Add(value);
        }
        return value;
    }

    /// <summary>Connects the writes of registers and memories.</summary>
    public void WriteState()
    {
        var (n, state, stages) = (_design.Netlist, _design.State, _plan.Stages);
        foreach (var (memory, update) in _plan.Event.Dataflow.Writes)
        {
            var stage = stages.StageOfWrite(memory, update);
            Continue(stage);
            var happens = n.And(Counts(stage), In(update.Condition, stage));
            state.Of(memory).Write(happens, In(update.Index, stage), In(update.Data, stage));
        }
        foreach (var (register, update) in _plan.Event.Dataflow.Updates)
        {
            var stage = stages.StageOfWrite(register, update);
            Continue(stage);
            var flop = state.Of(register);
            (flop.Next, flop.Enable) = (
                n.Resize(In(update.Value, stage), flop.Width), n.And(Counts(stage), In(update.Condition, stage)));
        }
    }

    /// <summary>The modules with state, which the slow path calls when the stages do not.</summary>
    public IReadOnlyDictionary<VerilogCore, CoreInstance> Cores =>
        _plan.Event.Dataflow.CoreCalls.Where(call => call.Core.HasState)
            .ToDictionary(call => call.Core, InstanceOf);

    /// <summary>Connects the cores, which are cleared with the rest of the state.</summary>
    /// <param name="clears">1 while memories are cleared.</param>
    public void ConnectCores(Value clears)
    {
        foreach (var call in _plan.Event.Dataflow.CoreCalls)
        {
            var (instance, stage) = (InstanceOf(call), _plan.Stages.StageOfCall(call));
            Continue(stage);
            instance.Clear = clears;
            var happens = call.Core.HasState
                ? _design.Netlist.And(Counts(stage), In(call.Condition, stage))
                : Passes(stage);
            _design.Netlist.Call(instance, happens, [.. call.Operands.Select(operand => In(operand, stage))]);
        }
    }

    private CoreInstance InstanceOf(CoreCall call)
    {
        if (_cores.TryGetValue(call, out var known)) return known;
        Continue(_plan.Stages.StageOfCall(call));
        return _cores[call] = _design.Netlist.AddCore(call.Core);
    }

    /// <summary>Connects what frames see of the frames ahead: their own values, some stages on.</summary>
    public void ConnectForwarded()
    {
        var n = _design.Netlist;
        var updates = _plan.Event.Dataflow.Writes.Where(w => _plan.Forwarding.Has(w.Memory))
            .ToDictionary(w => w.Memory, w => w.Update);
        while (_unconnected.TryDequeue(out var item))
        {
            var (wire, ahead, part, stage) = item;
            var (update, theirs) = (updates[ahead.Memory], stage + ahead.Distance);
            wire.Source = part == ahead.Happens
                ? n.And(Counts(theirs), In(update.Condition, theirs))
                : n.Resize(In(part == ahead.Address ? update.Index : update.Data, theirs), part.Width);
        }
    }

    /// <summary>
    /// Connects the queues of frames that wait for loops over their payload, or for what frames ahead may write.
    /// </summary>
    public void ConnectQueues()
    {
        Value hasRoom = FoldingBuilder.Bit(true);
        foreach (var (number, queue) in _queues.Values.Index().Reverse())
        {
            new IssueStage(_design, _plan, this, number + 1, queue).Build(hasRoom);
            hasRoom = queue.HasRoom;
        }
    }

    /// <summary>The stages' work, as it is in the circuit.</summary>
    public IReadOnlyList<CircuitStep> Steps(StaticTiming timing) =>
        [.. Enumerable.Range(0, _occupied.Count + 1).Select(stage => new CircuitStep(
            $"stage {stage}",
            _values.Operations(stage),
            [.. _plan.Event.Dataflow.Accesses.Where(access => _plan.Stages.StageOf(access) == stage)],
            stage < _occupied.Count ? [stage + 1] : [],
            _values.Made(stage).Select(timing.LevelsOf).Append(0).Max(),
            _values.Made(stage).Select(timing.PicosecondsOf).Append(0).Max(),
            Occupied(stage)))];

    /// <summary>
    /// Puts over each stage the lines of C# whose operations stand there: those that make its registers, and over the
    /// last stage also what is made of them.
    /// </summary>
    public void PutLinesOverStages()
    {
        for (var stage = 0; stage < _sections.Count; stage++)
        {
            IReadOnlyList<Operation> own = stage == _sections.Count - 1 ? _values.Operations(stage) : [];
            _sections[stage].Lines =
                SourceLines.Of(_values.Operations(stage - 1).Concat(own).Select(operation => operation.Location));
        }
    }

    /// <inheritdoc />
    public Section Section(int stage)
    {
        while (_sections.Count <= stage) _sections.Add(_design.Netlist.Begin($"stage {_sections.Count}"));
        return _sections[stage];
    }

    /// <inheritdoc />
    public Value? Enable(int stage) => _plan.Event.Checksums.Payload.Count == 0
        ? stage == PipelineDesign.TimeStage ? _design.Header.Start : null
        : stage == _plan.Stages.Crossing ? Passes(stage - 1) : null;

    /// <inheritdoc />
    public Value Into(int stage, Value before) =>
        _queues.TryGetValue(stage, out var queue) ? queue.Head(before) : before;

    /// <inheritdoc />
    public Value Make(Value value, int stage)
    {
        var (n, state) = (_design.Netlist, _design.State);
        if (_plan.Inputs.IsQuotient(value)) return _quotient!.Quotient;
        if (ReferenceEquals(value, _plan.Inputs.Drains)) return Drains!;
        if (_plan.Event.Checksums.UnitOf(value) is { } sum) return _sums[sum];
        if (_plan.Inputs.RegisterOf.TryGetValue(value, out var register))
            return n.Resize(state.Of(register), register.Width);
        if (_plan.Forwarding.WriteOf(value) is { } ahead)
        {
            Continue(stage);
            var wire = n.DeclareWire(((Wire)value).Name, value.Width);
            _unconnected.Enqueue((wire, ahead, value, stage));
            return wire;
        }
        if (_plan.Event.Dataflow.CallOf(value) is { } call) return InstanceOf(call);
        if (_plan.Event.Dataflow.ReadOf(value) is not { } read) return value;
        var ports = state.Of(read.Memory);
        var asked = _plan.Stages.AccessStage(read);
        var address = ports.Address(In(read.Index, asked));
        Continue(asked);
        return ports.Element(n.AddRead($"{ports.Ram.Name}_read", ports.Ram, address, ports.IsRegistered));
    }

    /// <summary>A bit that a deferred frame sets.</summary>
    private Flop? Drain()
    {
        if (!_design.Demands.HoldsFollowers) return null;
        var stage = _plan.Stages.DeferringStage;
        Continue(stage);
        return _design.Netlist.AddFlop("drains", 1, 0, "frames go the slow path, and none begins, until it is done");
    }

    /// <summary>1 when a frame enters a stage, or stays in it.</summary>
    private Value Enters(int stage)
    {
        var n = _design.Netlist;
        if (_queues.TryGetValue(stage, out var queue)) return queue.Issues;
        if (stage == _plan.Stages.Crossing) return AfterLastBeat("ends", _design.Header.Ends, stage - 1);
        if (stage == PipelineDesign.TimeStage)
            return n.Or(_design.Header.Start, n.And(_occupied[stage - 1], IsBusy));
        var before = _occupied[stage - 2];
        return stage == PipelineDesign.TimeStage + 1 ? n.And(before, n.Not(IsBusy)) : before;
    }
}
