using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Units;

/// <summary>
/// A loop over a frame's bytes from a constant offset on (<see cref="FrameFold"/>), taken while its beats pass: the
/// turns whose last byte is in a beat are taken together, those before the header window's last beat from the header.
/// </summary>
/// <remarks>
/// A beat's bounds are compared in the mask stage. From the next on its turns are computed, in as many stages as they
/// need, each of which takes a beat a cycle; the last stage joins their outcome with what stood before the beat.
/// </remarks>
internal sealed class PayloadFold : IPayloadUnit, IStageSource
{
    private readonly Netlist _n;
    private readonly HeaderWindow _header;
    private readonly FrameFold _fold;
    private readonly FoldLanes _turns;
    private readonly StageBudget _budget;
    private readonly Delays _delays;
    private readonly int _lanes, _base, _ahead;
    private readonly int _start;
    private readonly IReadOnlyList<Value> _invariants;
    private readonly List<Value> _remaining;
    private readonly FoldLanes.Standing _before;
    private readonly FoldLanes.Outcome _outcome;
    private readonly int _stages;

    private readonly List<Wire> _data, _held, _known;
    private readonly List<List<Wire>> _reached;
    private readonly Wire _isStart, _beat;

    /// <summary>Declares it.</summary>
    /// <param name="netlist">The netlist in which it is made.</param>
    /// <param name="header">The stream.</param>
    /// <param name="options">The device.</param>
    /// <param name="delays">The delays of operations.</param>
    /// <param name="budget">Levels of logic in a stage.</param>
    /// <param name="operation">The operation.</param>
    /// <param name="operands">Its operands; the first is a constant.</param>
    public PayloadFold(
        Netlist netlist, HeaderWindow header, HardwareOptions options, Delays delays, StageBudget budget,
        Operation operation, IReadOnlyList<Value> operands)
    {
        (_n, _header, _fold, _budget, _delays) = (netlist, header, operation.Fold!, budget, delays);
        (_lanes, _base, _ahead) = (options.Lanes, header.LastBeatOffset, _fold.Bytes - 1);
        _turns = new FoldLanes(_n, _fold);
        _start = (int)((Constant)operands[0]).Bits;
        var limits = operands.Skip(1).Take(_fold.Bounds).ToList();
        _invariants = [.. operands.Skip(1 + _fold.Bounds).Take(_fold.Invariants)];
        _before = Before(limits, [.. operands.Skip(_fold.FirstState)]);
        _remaining = limits.ConvertAll(Remaining);
        Wire StandIn(string name, int width) => new(name, FoldingBuilder.Zero(width));
        _data = [.. Enumerable.Range(0, _lanes).Select(_ => StandIn("byte", 8))];
        _held = [.. Enumerable.Range(0, _ahead).Select(_ => StandIn("byte_before", 8))];
        _reached = [.. limits.Select(_ => Enumerable.Range(0, _lanes).Select(_ => StandIn("reached", 1)).ToList())];
        _known = [.. _invariants.Select(value => StandIn("invariant", value.Width))];
        _isStart = StandIn("is_start", 1);
        _beat = StandIn("beat", FrameFold.OffsetBits);
        _outcome = _turns.Of(
            [.. Enumerable.Range(0, _lanes).Select(Lane)],
            [.. _invariants.Zip(_known, (value, known) => value is Constant ? value : known)]);
        Total = StandIn("fold", operation.Width);
        var schedule = new StageSchedule(delays, budget, this, new Substitution());
        _stages = OutcomeValues.Select(schedule.StageOf).Append(0).Max();
    }

    /// <inheritdoc />
    public Wire Total { get; }

    /// <inheritdoc />
    public IReadOnlyList<Value> Operands =>
        [.. _remaining, .. _invariants, .. _before.Values, .. HeldOfHeader];

    /// <inheritdoc />
    public int Latency => JoinStage + 1;

    /// <summary>The stage of the join, counted from the mask stage.</summary>
    private int JoinStage => _stages + 2;

    private IEnumerable<Value> OutcomeValues =>
    [
        _outcome.IsLeft, .. _outcome.Found,
        .. _outcome.Addends.Where(addend => addend is not null).Select(addend => addend!.Value.Addend),
    ];

    /// <summary>Bytes of the header that turns of its last beat begin with.</summary>
    private IEnumerable<Value> HeldOfHeader => Enumerable.Range(0, _ahead).Select(i => _base - _ahead + i)
        .Where(offset => offset >= _start).Select(_header.Byte);

    /// <inheritdoc />
    public int MaskStage(Func<Value, int> stageOf) => _remaining.Select(value => stageOf(value) + 1)
        .Concat(_invariants.Concat(HeldOfHeader).Select(stageOf))
        .Concat(_before.Values.Select(value => stageOf(value) - JoinStage))
        .Append(1).Max();

    /// <inheritdoc />
    public (int Stage, int Level) PlaceOf(Value value) => (0, Delays.Level);

    /// <inheritdoc />
    public bool IsWord(Value value) => false;

    /// <inheritdoc />
    public bool IsKept(Value value) => false;

    /// <inheritdoc />
    public Value Build(
        int maskStage, Func<Value, int, Value> valueIn, Func<int, Value> passes, IssueQueue? queue)
    {
        var n = _n;
        var section = n.Begin("loop over the payload");
        var first = maskStage + 1;
        var made = Begin(maskStage, valueIn, section);
        var schedule = new StageSchedule(_delays, _budget, this, new Substitution());
        var values = new StageValues(n, schedule, new Stages(section, made));
        Value Joined(Value value) => values.In(value, _stages + 1);
        var outcome = new FoldLanes.Outcome(
            Joined(_outcome.IsLeft), [.. _outcome.Found.Select(Joined)],
            [
                .. _outcome.Addends.Select(each =>
                    each is var (operation, addend) ? (operation, Joined(addend)) : ((Opcode, Value)?)null),
            ]);
        var join = first + _stages + 1;
        var (isValid, isStart) = _header.Payload(join);
        n.Continue(section);
        Flop Held(string name, Value like) => n.AddFlop(name, like.Width, 0);
        var left = Held("fold_left", _before.IsLeft);
        var found = _before.Found.Select(value => Held("fold_found", value)).ToList();
        var state = _before.State.Select(value => Held("fold_state", value)).ToList();
        Value Standing(Value before, Value now) => n.Select(isStart, valueIn(before, join), now);
        var after = _turns.After(
            new FoldLanes.Standing(
                Standing(_before.IsLeft, left), [.. _before.Found.Zip(found, Standing)],
                [.. _before.State.Zip(state, Standing)]),
            outcome);
        foreach (var (flop, next) in found.Concat(state).Prepend(left).Zip(after.Values))
            (flop.Next, flop.Enable) = (next, isValid);
        return found.Concat(_fold.HidesState ? [] : state).Aggregate<Value>(n.Concat);
    }

    /// <summary>The state behind the turns that have all their bytes in front of the header's last beat.</summary>
    private FoldLanes.Standing Before(IReadOnlyList<Value> limits, IReadOnlyList<Value> state)
    {
        var none = new FoldLanes.Standing(
            FoldingBuilder.Bit(false), [.. _fold.FoundValues.Select(value => FoldingBuilder.Zero(value.Width))], state);
        var lanes = Enumerable.Range(_start, Math.Max(0, _base - _ahead - _start)).Select(at =>
            new FoldLanes.Lane(
                FoldingBuilder.Bit(true), [.. Enumerable.Range(at, _fold.Bytes).Select(_header.Byte)], Offset(at),
                [.. limits.Select(limit => _n.Not(_n.Less(Offset(at), limit)))], [])).ToList();
        return lanes.Count == 0 ? none : _turns.After(none, _turns.Of(lanes, _invariants));
    }

    /// <summary>The turns of the header's last beat, and of those behind it, in front of a bound.</summary>
    private Value Remaining(Value limit)
    {
        var ahead = _base - _ahead;
        if (ahead <= 0) return _n.Add(limit, Offset(-ahead));
        return _n.Select(
            _n.Less(limit, Offset(ahead)), FoldingBuilder.Zero(limit.Width), _n.Subtract(limit, Offset(ahead)));
    }

    /// <summary>The turn whose last byte is a lane's.</summary>
    private FoldLanes.Lane Lane(int lane)
    {
        var at = lane - _ahead;
        var bytes = Enumerable.Range(at, _fold.Bytes).Select(i => (Value)(i < 0 ? _held[_ahead + i] : _data[i]));
        var isTaken = _base + at < _start ? _n.Not(_isStart) : FoldingBuilder.Bit(true);
        var offset = _n.Add(_beat, Offset(at & (int)Arithmetic.Mask(FrameFold.OffsetBits)));
        return new FoldLanes.Lane(isTaken, [.. bytes], offset, [.. _reached.Select(bound => (Value)bound[lane])], []);
    }

    private static Constant Offset(int offset) => new(FrameFold.OffsetBits, (UInt128)offset);

    /// <summary>Makes what the turns of a beat begin with, in the stage behind the mask stage.</summary>
    private Dictionary<Value, Value> Begin(int maskStage, Func<Value, int, Value> valueIn, Section section)
    {
        var (n, first) = (_n, maskStage + 1);
        var made = new Dictionary<Value, Value>(ReferenceEqualityComparer.Instance);
        for (var bound = 0; bound < _remaining.Count; bound++)
        {
            var (isValid, isStart) = _header.Payload(maskStage);
            n.Continue(section);
            var reached = Reached(valueIn(_remaining[bound], maskStage), isValid, isStart);
            for (var lane = 0; lane < _lanes; lane++)
                made[_reached[bound][lane]] = n.Registered("fold_reached", reached[lane]);
        }
        var (comes, begins) = _header.Payload(first);
        var data = _header.PayloadData(first);
        n.Continue(section);
        made[_isStart] = begins;
        for (var i = 0; i < _lanes; i++) made[_data[i]] = data[i];
        // The last first: where turns look at more bytes than a beat has, those before have been held already.
        for (var i = _ahead - 1; i >= 0; i--)
        {
            var next = i + _lanes < _ahead ? made[_held[i + _lanes]] : data[i + _lanes - _ahead];
            Value held = n.Registered("fold_byte", next, enable: comes);
            var offset = _base - _ahead + i;
            made[_held[i]] = offset < _start ? held : n.Select(begins, valueIn(_header.Byte(offset), first), held);
        }
        for (var i = 0; i < _known.Count; i++)
        {
            if (_invariants[i] is Constant) continue;
            var kept = n.AddFlop("fold_invariant", _known[i].Width, null);
            made[_known[i]] = n.AddWire("fold_invariant_now", n.Select(begins, valueIn(_invariants[i], first), kept));
            (kept.Next, kept.Enable) = (made[_known[i]], comes);
        }
        if (!_fold.UsesOffset) return made;
        var beat = n.AddFlop("fold_beat", FrameFold.OffsetBits, 0, "the offset of the next beat");
        made[_beat] = n.Select(begins, Offset(_base), beat);
        (beat.Next, beat.Enable) = (n.Add(made[_beat], Offset(_lanes)), comes);
        return made;
    }

    /// <summary>For each lane of a beat, whether its turn has reached a bound.</summary>
    private List<Value> Reached(Value first, Value isValid, Value isStart)
    {
        var n = _n;
        var remaining = n.AddFlop("fold_remaining", first.Width, 0, "turns in front of the bound from this beat on");
        var now = n.AddWire("fold_turns", n.Select(isStart, first, remaining));
        var laneBits = Interval.Of((UInt128)_lanes).Width - 1;
        var beats = n.Extract(now, laneBits, now.Width - laneBits);
        var isAll = n.Not(n.Equal(beats, FoldingBuilder.Zero(beats.Width)));
        var left = n.Concat(n.Subtract(beats, new Constant(beats.Width, 1)), n.Extract(now, 0, laneBits));
        (remaining.Next, remaining.Enable) = (n.Select(isAll, left, FoldingBuilder.Zero(now.Width)), isValid);
        var low = n.Extract(now, 0, laneBits);
        return [.. Enumerable.Range(0, _lanes).Select(lane =>
            n.Not(n.Or(isAll, n.Less(new Constant(laneBits, (UInt128)lane), low))))];
    }

    /// <summary>The stages of the turns.</summary>
    private sealed class Stages(Section section, Dictionary<Value, Value> made) : IStageBuilder
    {
        public Value Make(Value value, int stage) => made[value];

        public Value Into(int stage, Value before) => before;

        public Value? Enable(int stage) => null;

        public Section Section(int stage) => section;
    }
}
