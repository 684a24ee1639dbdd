using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Units;

/// <summary>
/// Loops that write bytes of a frame (<see cref="MappedBytes"/>), done while its beats pass: a beat a cycle, all of its
/// bytes at once, in as many stages as they need.
/// </summary>
/// <remarks>
/// In the cycle in which a beat comes its bounds are compared, and the state before it is there in the next. From then
/// on each lane does what the loops do to its byte, one loop behind the other.
/// </remarks>
internal sealed class PayloadMap : IStageSource
{
    private readonly Netlist _n;
    private readonly int _lanes;
    private readonly Delays _delays;
    private readonly StageBudget _budget;
    private readonly List<Wire> _data;
    private readonly List<Part> _parts;
    private readonly List<Value> _mapped;
    private readonly int _stages;

    /// <summary>Declares it.</summary>
    /// <param name="netlist">The netlist in which it is made.</param>
    /// <param name="lanes">Bytes of a beat.</param>
    /// <param name="delays">The delays of operations.</param>
    /// <param name="budget">Levels of logic in a stage.</param>
    /// <param name="maps">
    /// The loops, each with the offset of the beat with which it begins: that of its first byte, or a later one.
    /// </param>
    public PayloadMap(
        Netlist netlist, int lanes, Delays delays, StageBudget budget,
        IReadOnlyList<(MappedBytes Map, int From)> maps)
    {
        (_n, _lanes, _delays, _budget) = (netlist, lanes, delays, budget);
        _data = [.. Enumerable.Range(0, lanes).Select(_ => StandIn("byte", 8))];
        _parts = [.. maps.Select(each => new Part(netlist, lanes, each.Map, each.From))];
        _mapped = [.. Enumerable.Range(0, lanes).Select(lane =>
            _parts.Aggregate((Value)_data[lane], (octet, part) => part.Lane(lane, octet)))];
        var schedule = Schedule();
        _stages = _mapped.Select(schedule.StageOf).Max();
    }

    /// <summary>The cycles from the one in which a beat comes to the one in which its bytes are there.</summary>
    public int Latency => _stages + 2;

    /// <summary>The values that it needs of a frame, for each of the loops.</summary>
    public IReadOnlyList<IReadOnlyList<Value>> Operands => [.. _parts.Select(part => part.Operands)];

    /// <inheritdoc />
    public (int Stage, int Level) PlaceOf(Value value) => (0, 0);

    /// <inheritdoc />
    public bool IsWord(Value value) => false;

    /// <inheritdoc />
    public bool IsKept(Value value) => false;

    /// <summary>Makes it.</summary>
    /// <param name="data">The bytes of the beat that comes.</param>
    /// <param name="places">For each of the loops, where the beat is.</param>
    /// <param name="operands">For each of the loops its operands, of the frame whose beat comes.</param>
    /// <param name="goes">1 if all beats in it go on; null if they always do.</param>
    /// <returns>The bytes of the beat that came <see cref="Latency"/> cycles before in which all went on.</returns>
    public List<Value> Build(
        IReadOnlyList<Value> data, IReadOnlyList<MapPlace> places, IReadOnlyList<IReadOnlyList<Value>> operands,
        Value? goes)
    {
        var section = _n.Begin("loop that writes the payload");
        var made = new Dictionary<Value, Value>(ReferenceEqualityComparer.Instance);
        for (var lane = 0; lane < _lanes; lane++)
            made[_data[lane]] = _n.RegisteredPart("map_data", -lane, data[lane], goes);
        for (var i = 0; i < _parts.Count; i++) _parts[i].Begin(places[i], operands[i], goes, made);
        var values = new StageValues(_n, Schedule(), new Stages(section, made, goes));
        return [.. _mapped.Select(octet => values.In(octet, _stages + 1))];
    }

    private StageSchedule Schedule() => new(_delays, _budget, this, new Substitution());

    private static Wire StandIn(string name, int width) => new(name, FoldingBuilder.Zero(width));

    /// <summary>One of the loops.</summary>
    private sealed class Part
    {
        private readonly Netlist _n;
        private readonly int _lanes, _from, _ahead;
        private readonly MappedBytes _map;
        private readonly List<Value> _counts;
        private readonly IReadOnlyList<Value> _first;
        private readonly List<List<Wire>> _isBefore;
        private readonly List<Value> _invariants;
        private readonly List<Wire> _now, _earlier;
        private readonly Wire _beat;

        public Part(Netlist n, int lanes, MappedBytes map, int from)
        {
            (_n, _lanes, _map, _from, _ahead) = (n, lanes, map, from, Math.Max(0, map.Start - from));
            _counts = [.. map.Limits.Select(Remaining)];
            _counts[0] = n.Select(map.Condition, _counts[0], FoldingBuilder.Zero(_counts[0].Width));
            _first = map.State.After(n, map.First, Math.Max(0, from - map.Start));
            _isBefore =
                [.. _counts.Select(_ => Enumerable.Range(0, lanes).Select(_ => StandIn("is_before", 1)).ToList())];
            _invariants =
                [.. map.Invariants.Select(value => value is Constant ? value : StandIn("invariant", value.Width))];
            _now = [.. map.First.Select(value => StandIn("state", value.Width))];
            _earlier = [.. map.First.Select(value => StandIn("state_before", value.Width))];
            _beat = StandIn("beat", FrameFold.OffsetBits - LaneBits);
        }

        /// <summary>The values that it needs of a frame.</summary>
        public IReadOnlyList<Value> Operands => [.. _counts, .. _map.Invariants, .. _first];

        private int LaneBits => System.Numerics.BitOperations.Log2((uint)_lanes);

        /// <summary>A byte as it leaves it.</summary>
        public Value Lane(int lane, Value octet)
        {
            var reached = _isBefore.ConvertAll(bound => _n.Not(bound[lane]));
            var offset = _n.Concat(_beat, new Constant(LaneBits, (UInt128)lane));
            var (state, turns) = lane < _ahead ? (_earlier, lane + _lanes - _ahead) : (_now, lane - _ahead);
            var made = _map.Turn(_n, octet, offset, reached, _invariants, state, turns);
            return _n.Select(_isBefore[0][lane], made, octet);
        }

        /// <summary>Makes what the lanes of a beat begin with, in the cycle behind that in which it comes.</summary>
        public void Begin(MapPlace place, IReadOnlyList<Value> operands, Value? goes, Dictionary<Value, Value> made)
        {
            var n = _n;
            Value Goes(Value when) => goes is null ? when : n.And(goes, when);
            var steps = Goes(place.IsIn);
            for (var bound = 0; bound < _counts.Count; bound++)
            {
                var isBefore = IsBefore(operands[bound], place.IsFirst, steps);
                for (var lane = 0; lane < _lanes; lane++)
                {
                    var isIt = bound > 0 ? isBefore[lane]
                        : n.And(isBefore[lane], lane < _ahead ? n.And(place.IsIn, n.Not(place.IsFirst)) : place.IsIn);
                    made[_isBefore[bound][lane]] = n.RegisteredPart("map_is_before", -lane, isIt, goes);
                }
            }
            var begins = Goes(place.IsStart);
            foreach (var (i, invariant) in _invariants.Index())
                if (invariant is Wire)
                    made[invariant] = n.Registered("map_invariant", operands[_counts.Count + i], enable: begins);
            var state = _now.ConvertAll(now => n.AddFlop("map_state", now.Width, null));
            var next = _map.State.After(n, state, _lanes);
            for (var i = 0; i < state.Count; i++)
            {
                var first = operands[_counts.Count + _invariants.Count + i];
                (state[i].Next, state[i].Enable) = (n.Select(place.IsFirst, first, next[i]), steps);
                made[_now[i]] = state[i];
                made[_earlier[i]] = n.Registered("map_state_before", state[i], enable: steps);
            }
            var beat = n.AddFlop("map_beat", _beat.Width, null, "the number of the beat");
            beat.Next = n.Select(
                place.IsFirst, new Constant(beat.Width, (UInt128)(_from / _lanes)),
                n.Add(beat, new Constant(beat.Width, 1)));
            beat.Enable = steps;
            made[_beat] = beat;
        }

        /// <summary>The bytes from the first beat on that are in front of a bound.</summary>
        private Value Remaining(Value limit)
        {
            if (_from == 0) return limit;
            var from = new Constant(limit.Width, (UInt128)_from);
            return _n.Select(
                _n.Less(limit, from), FoldingBuilder.Zero(limit.Width), _n.Subtract(limit, from));
        }

        /// <summary>For each lane of a beat, whether it is in front of a bound.</summary>
        private List<Value> IsBefore(Value first, Value isFirst, Value steps)
        {
            var n = _n;
            var remaining = n.AddFlop("map_remaining", first.Width, 0, "bytes in front of the bound from this beat on");
            var now = n.AddWire("map_bytes", n.Select(isFirst, first, remaining));
            var beats = n.Extract(now, LaneBits, now.Width - LaneBits);
            var isAll = n.Not(n.Equal(beats, FoldingBuilder.Zero(beats.Width)));
            var low = n.Extract(now, 0, LaneBits);
            var left = n.Concat(n.Subtract(beats, new Constant(beats.Width, 1)), low);
            (remaining.Next, remaining.Enable) = (n.Select(isAll, left, FoldingBuilder.Zero(now.Width)), steps);
            return [.. Enumerable.Range(0, _lanes).Select(lane =>
                n.Or(isAll, n.Less(new Constant(LaneBits, (UInt128)lane), low)))];
        }
    }

    /// <summary>The stages of the lanes.</summary>
    private sealed class Stages(Section section, Dictionary<Value, Value> made, Value? goes) : IStageBuilder
    {
        public Value Make(Value value, int stage) => made[value];

        public Value Into(int stage, Value before) => before;

        public Value? Enable(int stage) => goes;

        public Section Section(int stage) => section;
    }
}
