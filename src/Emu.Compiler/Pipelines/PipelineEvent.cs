using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// A frame's event in a pipeline as expressions: what the service does, and what becomes of the frame.
/// </summary>
internal sealed class PipelineEvent
{
    /// <summary>The most words of a memory that a frame writes, one after the other.</summary>
    private const int MostTurns = 8;

    private readonly PipelineDesign _design;
    private readonly EventInputs _inputs;

    /// <summary>Follows the event.</summary>
    public PipelineEvent(PipelineDesign design, EventInputs inputs)
    {
        (_design, _inputs) = (design, inputs);
        var n = design.Netlist;
        Dataflow = inputs.Follow();
        Checksums = inputs.Checksums;
        n.Location = null;
        var isAdmitted = design.Named("admitted", IsAdmitted());
        var exits = design.Named("exits", n.ReduceOr(Dataflow.SideExits.Select(d => d.Condition)));
        IsDue = design.NextTick is null
            ? FoldingBuilder.Bit(false)
            : design.Named("tick_is_due", design.NextTick.ComesBefore(n, design.Header.Time));
        Exits = design.Named("exits_admitted", n.Or(n.And(isAdmitted, exits), IsDue));
        var isDeferred = inputs.Drains is null ? exits : design.Named("deferred", n.Or(exits, inputs.Drains));
        IsSlow = design.Named("is_slow", n.And(isAdmitted, isDeferred));
        Admits = design.Named("admits", n.And(isAdmitted, n.Not(n.Or(isDeferred, IsDue))));
        Egress = design.Named("egress", n.SelectOneHot(
            design.Options.PortBits,
            Dataflow.Returns.Select(r => (r.Condition, n.Resize(r.Egress, design.Options.PortBits)))));
        Copies = [.. Dataflow.Copies.Select(CopyOf)];
        Length = NewLength();
        if (Length is not null)
        {
            n.Describe(Length, "new_length");
            Egress = IfNotEmpty(Length, Egress);
        }
        IReadOnlyList<LeavingFrame> leaving = [.. Copies.Select(copy => copy.Frame), Dataflow.Frame];
        if (leaving.Any(frame => frame.Maps.Count > 0))
            Unit = new LeavingMap(n, design.Options.Lanes, design.Delays, design.Budget, leaving);
        else if (leaving.Any(frame => frame.Loaded.Count > 0))
        {
            Unit = new LeavingLoads(n, design.Options.Lanes, leaving, design.Options.IsFast)
            {
                SharesState = leaving.SelectMany(frame => frame.Loaded)
                    .Any(load => design.State.Of(load.Table).IsWritten),
            };
        }
        if (leaving.Any(frame => frame.IsComputed)) Rotations = [.. leaving.Select(RotationOf)];
        Shared = SharedSums.Of(n, Results());
        Order = new FoldOrder(this);
    }

    /// <summary>The work of the service.</summary>
    public Dataflow Dataflow { get; }

    /// <summary>The checksums that it asks for.</summary>
    public Checksums Checksums { get; }

    /// <summary>The order in which loops over the frame are done.</summary>
    public FoldOrder Order { get; }

    /// <summary>True if the pipeline serves the frame.</summary>
    public Value Admits { get; }

    /// <summary>True if the slow path serves the frame, as one that is deferred.</summary>
    public Value IsSlow { get; }

    /// <summary>
    /// True if a tick may be due before the frame, which goes the slow path then, be it admitted or not.
    /// </summary>
    public Value IsDue { get; }

    /// <summary>True if it goes there for its own sake, and not for that of one ahead.</summary>
    public Value Exits { get; }

    /// <summary>The ports that the frame leaves by.</summary>
    public Value Egress { get; }

    /// <summary>The length of the frames that leave; null if they all keep theirs, and so do the copies.</summary>
    public Value? Length { get; }

    /// <summary>The copies that leave before the frame, in their order; one without ports does not.</summary>
    public IReadOnlyList<(Value Egress, Value Length, LeavingFrame Frame)> Copies { get; }

    /// <summary>
    /// The loops that write the payload of what leaves, or the tables of which bytes come; null if there are none.
    /// </summary>
    public ILeavingUnit? Unit { get; }

    /// <summary>
    /// The moves of what leaves, where the distance of one is computed: those of the copies, and of the frame behind
    /// them; null if all are constant.
    /// </summary>
    public IReadOnlyList<RotationPlan>? Rotations { get; }

    /// <summary>Sums that are parts of others.</summary>
    public Substitution Shared { get; }

    /// <summary>The reason for which no pipeline computes this; null if none is known yet.</summary>
    public PipelineObstacle? Obstacle()
    {
        if (Dataflow.Collisions.FirstOrDefault(each => Dataflow.TurnsOf(each.Memory) > _design.Interval)
            is { Memory: { } memory, Update: var write })
            return ObstacleOfPort(memory, write);
        if (Checksums.Late.SelectMany(unit => SourcesOf(unit.Operands)).Any(IsShared)
            || Checksums.Payload.Except(Checksums.Late).SelectMany(sum => sum.Operands).Any(DependsOnStages))
            return new PipelineObstacle(Checksums.Payload.Any(unit => unit is PayloadFold)
                ? "a loop over the payload, or a checksum, depends on state or on another"
                : "how many bytes a checksum covers depends on another checksum", null);
        return ObstacleOfCores();
    }

    /// <summary>A memory that an event writes more often than its port has cycles between two frames.</summary>
    private PipelineObstacle ObstacleOfPort(Memory memory, MemoryUpdate write)
    {
        var turns = Dataflow.TurnsOf(memory);
        var places = turns > 2 ? $"{turns}" : "two";
        return new PipelineObstacle(
            $"{memory.Name} is written at {places} places by one frame, and it has one write port", write.Location)
        {
            IsRecurrence = turns <= MostTurns,
        };
    }

    /// <summary>The reason for which no pipeline calls the cores as it is asked to; null if there is none.</summary>
    private PipelineObstacle? ObstacleOfCores()
    {
        if (Dataflow.TwiceCalled is { } twice)
            return new PipelineObstacle($"{twice.Core.Name} is called twice by one frame", twice.Location);
        if (Dataflow.CoreCalls.FirstOrDefault(call => call.Core.HasHandshake) is { } slow)
            return new PipelineObstacle($"{slow.Core.Name} takes as long as it takes, and a stage never waits",
                slow.Location);
        if (Dataflow.CoreCalls.FirstOrDefault(call =>
            DependsOn(Admits, value => ReferenceEquals(value, call.Results))) is { } deciding)
            return new PipelineObstacle($"a result of {deciding.Core.Name} decides which frames the slow path takes",
                deciding.Location);
        return Dataflow.CoreCalls.FirstOrDefault(call => call.Core.HasState && call.Core.Interval > _design.Interval)
            is { } often
            ? new PipelineObstacle(
                $"{often.Core.Name} takes a call every {often.Core.Interval} cycles", often.Location)
            {
                IsRecurrence = true,
            }
            : null;
    }

    /// <summary>All values that are asked for.</summary>
    private IEnumerable<Value> Results() =>
    [
        Admits, IsSlow, IsDue, Exits, Egress, .. Length is null ? [] : new[] { Length },
        .. Copies.SelectMany(copy => new[] { copy.Egress, copy.Length }.Concat(ValuesOf(copy.Frame))),
        .. ValuesOf(Dataflow.Frame), .. Unit?.Operands ?? [],
        .. Rotations?.SelectMany(rotation => rotation.Values) ?? [],
        .. Dataflow.Reads.Select(r => r.Index),
        .. Dataflow.Writes.SelectMany(w => new[] { w.Update.Condition, w.Update.Index, w.Update.Data }),
        .. Dataflow.Updates.SelectMany(u => new[] { u.Update.Condition, u.Update.Value }),
        .. Dataflow.Counts.Select(c => c.Amount), .. Dataflow.Faults.Values,
        .. Checksums.Payload.SelectMany(s => s.Operands), .. Dataflow.CoreCalls.SelectMany(call => call.Inputs),
    ];

    /// <summary>All values that say how a frame leaves.</summary>
    public static IEnumerable<Value> ValuesOf(LeavingFrame frame) =>
        frame.Bytes.SelectMany(b => new[] { b.Condition, b.Byte }).Concat(frame.Moves.Select(m => m.Condition))
            .Concat(frame.Placed.SelectMany(placed => placed.Values))
            .Concat(frame.Cleared is { } cleared ? [cleared] : []);

    private int LengthBits => Interval.Of((UInt128)_design.Options.Capacity).Width;

    private (Value Egress, Value Length, LeavingFrame Frame) CopyOf(SentCopy copy)
    {
        var n = _design.Netlist;
        var length = n.Extract(copy.Length, 0, LengthBits);
        var ports = n.Resize(copy.Egress, _design.Options.PortBits);
        var none = FoldingBuilder.Zero(ports.Width);
        return (IfNotEmpty(length, n.Select(copy.Condition, ports, none)), length, copy.Frame);
    }

    /// <summary>The moves of a frame that leaves, whichever is made.</summary>
    private RotationPlan RotationOf(LeavingFrame frame)
    {
        var (n, bits, lanes) = (_design.Netlist, LengthBits, _design.Options.Lanes);
        return RotationPlan.Chosen(n, bits, lanes, [.. frame.Moves.Select(move => (
            move.Condition, move.Computed is var (from, to)
                ? RotationPlan.ToFront(n, lanes, n.Extract(from, 0, bits), n.Extract(to, 0, bits))
                : RotationPlan.Of(bits, lanes, move.Start, move.Distance)))]);
    }

    /// <summary>The ports by which a frame of a length leaves.</summary>
    private Value IfNotEmpty(Value length, Value egress) => _design.Netlist.Select(
        _design.Netlist.Equal(length, FoldingBuilder.Zero(length.Width)), FoldingBuilder.Zero(egress.Width), egress);

    private Value? NewLength()
    {
        var (n, bits) = (_design.Netlist, LengthBits);
        var lengths = Dataflow.Returns.Where(r => !Constant.Is(r.Egress, 0))
            .Select(r => (r.Condition, Length: n.Extract(r.Length, 0, bits))).ToList();
        var came = n.Extract(_design.Header.Length, 0, bits);
        var isResized = lengths.Exists(l => l.Length != came) || IsMade(Dataflow.Frame)
            || Copies.Any(copy => copy.Length != came || IsMade(copy.Frame));
        bool IsMade(LeavingFrame frame) => frame.Moves.Count > 0 || frame.Cleared is not null;
        return isResized ? n.SelectOneHot(bits, lengths) : null;
    }

    /// <summary>True if the service sees the frame: it has a right length and comes from a port.</summary>
    private Value IsAdmitted()
    {
        var (n, header, options) = (_design.Netlist, _design.Header, _design.Options);
        var type = n.Concat(header.Byte(VlanTag.TypeOffset), header.Byte(VlanTag.TypeOffset + 1));
        var isTagged = n.ReduceOr(VlanTag.Types.Select(tag => n.Equal(type, new Constant(16, tag))));
        var length = header.Length;
        Value AtMost(int limit) => n.Not(n.Less(new Constant(length.Width, (UInt128)limit), length));
        var fits = n.Or(AtMost(options.Capacity - VlanTag.Length), n.And(isTagged, AtMost(options.Capacity)));
        var isLong = n.Not(n.Less(length, new Constant(length.Width, FrameLength.Header)));
        var sources = new Constant(8, (UInt128)StreamUserLayout.BitsOf(options.Ports));
        var hasSource = n.Not(n.Equal(n.And(header.Source, sources), FoldingBuilder.Zero(8)));
        return n.And(n.And(fits, isLong), hasSource);
    }

    /// <summary>
    /// True if a value is known only behind the crossing: it is computed from state, or from a checksum of the payload.
    /// </summary>
    private bool DependsOnStages(Value value) => DependsOn(value, ComesLate);

    /// <summary>True if a value is computed from one of a kind, through modules and tables as well.</summary>
    private bool DependsOn(Value value, Predicate<Value> isSource) => SourcesOf([value]).Any(value => isSource(value));

    /// <summary>
    /// The sources of values, besides operations: words of tables, and behind them those of their indices, and so on.
    /// </summary>
    public IEnumerable<Value> SourcesOf(IEnumerable<Value> values)
    {
        var seen = new HashSet<Value>(ReferenceEqualityComparer.Instance);
        var open = new Stack<Value>(values);
        while (open.TryPop(out var next))
        {
            next = Shared.Of(next);
            if (!seen.Add(next)) continue;
            if (next is Operation operation)
            {
                operation.Operands.ForEach(open.Push);
                continue;
            }
            yield return next;
            if (Dataflow.CallOf(next) is { } call) foreach (var input in call.Inputs) open.Push(input);
            else if (Dataflow.ReadOf(next) is { } read) open.Push(read.Index);
        }
    }

    /// <summary>True if a value is state that frames share, so that it is there behind all walks only.</summary>
    private bool IsShared(Value value) =>
        ComesLate(value) && Checksums.UnitOf(value) is null
        && (Dataflow.ReadOf(value) is not { } read || _design.State.Of(read.Memory).IsWritten);

    /// <summary>
    /// True if a value is state, of the service or that frames drain, or else not there before a frame is issued.
    /// </summary>
    public bool IsState(Value value) => ComesLate(value) && Checksums.UnitOf(value) is null or SerialFold;

    /// <summary>
    /// True if a value is state, a checksum of the payload, or says that frames drain: it is not there with the header.
    /// </summary>
    public bool ComesLate(Value value) =>
        Checksums.UnitOf(value) is not null
        || ReferenceEquals(value, _inputs.Drains)
        || _inputs.RegisterOf.ContainsKey(value)
        || _inputs.IsForwarded(value)
        || Dataflow.CallOf(value) is not null
        || Dataflow.ReadOf(value) is not null;
}
