using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// Gives the turns of a fold group by group: a beat is shifted by a group's bytes each time, and the next follows when
/// it is used up, or at once when the frame's loop has been left.
/// </summary>
internal sealed class FoldFetch
{
    private readonly Netlist _n;
    private readonly FrameFold _fold;
    private readonly FoldInputs _inputs;
    private readonly int _lanes, _turns, _ahead, _first;
    private readonly Wire _isFirst, _isEnd, _offset, _untaken;
    private readonly List<Wire> _window, _remaining;
    private readonly List<Value> _invariants, _initial;

    /// <summary>Declares it.</summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="lanes">The bytes of a beat.</param>
    /// <param name="fold">The fold.</param>
    /// <param name="inputs">The values that it begins with.</param>
    /// <param name="turns">The turns of a group, a divisor of the lanes.</param>
    public FoldFetch(Netlist n, int lanes, FrameFold fold, FoldInputs inputs, int turns)
    {
        (_n, _lanes, _fold, _inputs, _turns) = (n, lanes, fold, inputs, turns);
        (_ahead, _first) = (fold.Bytes - 1, inputs.Start - inputs.Start % turns);
        Wire StandIn(string name, int width) => new(name, FoldingBuilder.Zero(width));
        Value Kept(string name, Value value) => value is Constant ? value : StandIn(name, value.Width);
        (_isFirst, _isEnd) = (StandIn("is_first", 1), StandIn("is_end", 1));
        _offset = StandIn("offset", FrameFold.OffsetBits);
        _untaken = StandIn("untaken", Math.Max(1, Interval.Of((UInt128)Untaken).Width));
        _window = [.. Enumerable.Range(0, _ahead + turns).Select(_ => StandIn("byte", 8))];
        _remaining = [.. inputs.Limits.Select(_ => StandIn("remaining", FrameFold.OffsetBits))];
        _invariants = [.. inputs.Invariants.Select(value => Kept("invariant", value))];
        _initial = [.. inputs.State.Select(value => Kept("initial", value))];
        Group = new FoldGroup(
            _isFirst, _isEnd, _initial, _invariants, [.. Enumerable.Range(0, turns).Select(Lane)]);
    }

    /// <summary>A group of turns.</summary>
    public FoldGroup Group { get; }

    /// <summary>The number of the first beat of a frame that is looked at.</summary>
    public int FirstBeat => _first / _lanes;

    /// <summary>The values of the header that a frame's turns need, besides whether there are any.</summary>
    public IReadOnlyList<Value> Operands =>
        [.. Remaining, .. _inputs.Invariants.Concat(_inputs.State).Where(value => value is not Constant)];

    /// <summary>For each bound the lanes in front of it, from the first group on.</summary>
    private IEnumerable<Value> Remaining => _inputs.Limits.Select(limit => _n.Add(limit, Offset(_ahead - _first)));

    /// <summary>The lanes from the first group on in which the last byte of no turn is.</summary>
    private int Untaken => _inputs.Start + _ahead - _first;

    private int Groups => _lanes / _turns;

    /// <summary>Makes it.</summary>
    /// <param name="beats">The beats from <see cref="FirstBeat"/> on, or a shorter frame's last.</param>
    /// <param name="isLast">True if the beat ahead is its frame's last.</param>
    /// <param name="operands">Of each frame <see cref="Operands"/>, and behind them whether there are turns.</param>
    /// <param name="mayGive">True if a group may be given.</param>
    /// <param name="hasLeft">True if the loop of the frame of a number has been left.</param>
    public FoldFlow Build(
        WordQueue beats, Value isLast, WordQueue operands, Value mayGive, Func<Value, Value> hasLeft)
    {
        var n = _n;
        var (hasBeat, isLastBeat) = (n.AddFlop("fold_has_beat", 1, 0), n.AddFlop("fold_is_last", 1, 0));
        var (isNew, isFirst) = (n.AddFlop("fold_is_new", 1, 1, "the next beat is a frame's first"), Bit("is_first"));
        var (needs, done) = (Bit("needs"), Bit("is_done"));
        var frame = n.AddFlop("fold_frame", FoldFlow.FrameBits, 0, "counts frames");
        var isDone = n.AddWire("fold_stops", n.Or(done, hasLeft(frame)));
        var gives = n.AddWire("fold_gives", n.And(n.And(hasBeat, mayGive), n.Not(isDone)), "a group of turns goes on");
        var loads = n.DeclareWire("fold_loads", 1, "a beat is taken");
        var begins = n.AddWire("fold_begins", n.And(loads, isNew));
        var isLastGroup = Behind(isLastBeat, Position(loads, begins, gives), loads, gives);
        var isUsed = n.Or(
            n.And(hasBeat, isDone), n.And(gives, n.Or(isLastGroup, n.Not(needs))));
        loads.Source = n.And(
            n.And(beats.IsOccupied, n.Or(n.Not(isNew), operands.IsOccupied)), n.Or(n.Not(hasBeat), isUsed));
        (beats.Pop.Source, operands.Pop.Source) = (loads, begins);
        hasBeat.Next = n.Or(loads, n.And(hasBeat, n.Not(isUsed)));
        (isLastBeat.Next, isLastBeat.Enable) = (isLast, loads);
        (isNew.Next, isNew.Enable) = (isLast, loads);
        isFirst.Next = n.Or(begins, n.And(isFirst, n.Not(gives)));
        done.Next = n.And(n.Not(begins), n.Or(isDone, n.And(gives, n.Not(needs))));
        (needs.Next, needs.Enable) = (operands.Head[^1], begins);
        (frame.Next, frame.Enable) = (n.Add(frame, new Constant(frame.Width, 1)), begins);
        var made = Values(beats.Head, operands.Head, loads, begins, gives);
        made[_isFirst] = isFirst;
        made[_isEnd] = n.Or(n.Not(needs), n.And(isLastGroup, isLastBeat));
        return new FoldFlow(made, gives, frame);
    }

    private Flop Bit(string name) => _n.AddFlop($"fold_{name}", 1, 0);

    private static Constant Offset(int offset) =>
        new(FrameFold.OffsetBits, (UInt128)(offset & (int)Arithmetic.Mask(FrameFold.OffsetBits)));

    /// <summary>The turn whose last byte is a lane's.</summary>
    private FoldLanes.Lane Lane(int lane) => new(
        Untaken == 0 ? FoldingBuilder.Bit(true) : IsBehind(_untaken, lane),
        [.. _window.Skip(lane).Take(_fold.Bytes)],
        _n.Add(_offset, Offset(lane - _ahead)),
        [.. _remaining.Select(remaining => IsBehind(remaining, lane))]);

    /// <summary>True if a lane is not one of so many.</summary>
    private Value IsBehind(Value count, int lane) => (UInt128)lane >= Arithmetic.Mask(count.Width)
        ? FoldingBuilder.Bit(true)
        : _n.Not(_n.Less(new Constant(count.Width, (UInt128)lane), count));

    /// <summary>Follows the groups of a beat; true if this is its last.</summary>
    private Value Position(Value loads, Value begins, Value gives)
    {
        if (Groups == 1) return FoldingBuilder.Bit(true);
        var (n, bits) = (_n, BitOperations.Log2((uint)Groups));
        var behind = n.AddFlop("fold_behind", bits, 0, "groups of the beat behind this one");
        var all = n.Select(
            begins, new Constant(bits, (UInt128)(Groups - 1 - _first % _lanes / _turns)),
            new Constant(bits, (UInt128)(Groups - 1)));
        behind.Next = n.Select(loads, all, n.Subtract(behind, new Constant(bits, 1)));
        behind.Enable = n.Or(loads, gives);
        return n.Equal(behind, FoldingBuilder.Zero(bits));
    }

    /// <summary>
    /// True if a group is its beat's last. Turns of a walk that have their first byte in a frame, and not all they look
    /// at, are in groups that come behind the last.
    /// </summary>
    private Value Behind(Value isLastBeat, Value isLastGroup, Value loads, Value gives)
    {
        var more = _fold.IsWalk ? (_ahead + _turns - 1) / _turns : 0;
        if (more == 0) return isLastGroup;
        var n = _n;
        var given = n.AddFlop(
            "fold_beyond", Interval.Of((UInt128)more).Width, 0, "groups behind the frame's last byte");
        var isNone = n.Equal(given, FoldingBuilder.Zero(given.Width));
        var counts = n.And(n.And(gives, isLastBeat), n.Or(isLastGroup, n.Not(isNone)));
        given.Next = n.Select(
            loads, FoldingBuilder.Zero(given.Width), n.Add(given, n.Resize(counts, given.Width)));
        return n.Select(isLastBeat, n.Equal(given, new Constant(given.Width, (UInt128)more)), isLastGroup);
    }

    /// <summary>The values of a group.</summary>
    private Dictionary<Value, Value> Values(
        IReadOnlyList<Value> beat, IReadOnlyList<Value> operands, Value loads, Value begins, Value gives)
    {
        var n = _n;
        var made = new Dictionary<Value, Value>(ReferenceEqualityComparer.Instance);
        var moves = n.Or(loads, gives);
        var bytes = Enumerable.Range(0, _lanes).Select(lane => n.AddPart("fold_byte", -lane, 8)).ToList();
        for (var lane = 0; lane < _lanes; lane++)
        {
            var turned = beat[(lane + _first % _lanes) % _lanes];
            var shifted = lane + _turns < _lanes ? bytes[lane + _turns] : (Value)FoldingBuilder.Zero(8);
            bytes[lane].Next = n.Select(loads, n.Select(begins, turned, beat[lane]), shifted);
            bytes[lane].Enable = moves;
        }
        var held = Enumerable.Range(0, _ahead).Select(i => n.AddPart("fold_byte_before", -i, 8)).ToList();
        List<Value> window = [.. held, .. bytes.Take(_turns)];
        for (var i = 0; i < _ahead; i++) (held[i].Next, held[i].Enable) = (window[i + _turns], gives);
        for (var i = 0; i < window.Count; i++) made[_window[i]] = window[i];

        for (var i = 0; i < _remaining.Count; i++)
            made[_remaining[i]] = Countdown("fold_remaining", operands[i], begins, gives);
        var known = operands.Skip(_remaining.Count);
        foreach (var (standIn, value) in _invariants.Concat(_initial).Where(v => v is not Constant).Zip(known))
            made[standIn] = n.Registered("fold_operand", value, null, begins);
        if (Untaken > 0)
        {
            made[_untaken] = Countdown(
                "fold_untaken", new Constant(_untaken.Width, (UInt128)Untaken), begins, gives);
        }
        if (!_fold.UsesOffset) return made;
        var offset = n.AddFlop("fold_offset", FrameFold.OffsetBits, 0, "the offset of the group");
        (offset.Next, offset.Enable) = (
            n.Select(begins, Offset(_first), n.Add(offset, Offset(_turns))), n.Or(begins, gives));
        made[_offset] = offset;
        return made;
    }

    /// <summary>A number of lanes, from each group to the next less by one's lanes, and not below 0.</summary>
    private Flop Countdown(string name, Value first, Value begins, Value gives)
    {
        var n = _n;
        var flop = n.AddFlop(name, first.Width, 0);
        var laneBits = BitOperations.Log2((uint)_turns);
        var zero = FoldingBuilder.Zero(flop.Width);
        Value less = zero;
        if (laneBits < flop.Width)
        {
            var groups = n.Extract(flop, laneBits, flop.Width - laneBits);
            var isLess = n.Equal(groups, FoldingBuilder.Zero(groups.Width));
            var fewer = n.Subtract(groups, new Constant(groups.Width, 1));
            less = n.Select(
                isLess, zero, laneBits == 0 ? fewer : n.Concat(fewer, n.Extract(flop, 0, laneBits)));
        }
        (flop.Next, flop.Enable) = (n.Select(begins, first, less), n.Or(begins, gives));
        return flop;
    }
}
