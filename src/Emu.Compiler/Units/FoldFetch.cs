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
    private readonly PassedTurns? _passed;
    private readonly List<WordStream> _words;

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
        // The words of a memory come one after the other.
        if (fold is { IsWalk: true, Words: 0 } && Constant.Is(inputs.State[0], 0)
            && TurnPasser.Pays(turns, StateWidth, Groups))
        {
            _passed = new PassedTurns(
                StandIn("were_passed", 1), StandIn("rest", StateWidth), StandIn("passed", StateWidth));
        }
        _words = [.. inputs.Words.Select(each => new WordStream(n, each.Memory, turns))];
        Group = new FoldGroup(
            _isFirst, _isEnd, _initial, _invariants, [.. Enumerable.Range(0, turns).Select(Lane)], _passed,
            _words.SelectMany(stream => stream.Banks).ToHashSet<Value>(ReferenceEqualityComparer.Instance));
    }

    /// <summary>A group of turns.</summary>
    public FoldGroup Group { get; }

    /// <summary>The indices of the words of the first group's first turn.</summary>
    private IEnumerable<Value> Places => _inputs.Words.Zip(_words, (each, stream) => stream.Index(
        _n.Add(each.Place, new Constant(
            FrameFold.IndexBits, (UInt128)(_first - _ahead) & Arithmetic.Mask(FrameFold.IndexBits)))));

    /// <summary>The number of the first beat of a frame that is looked at.</summary>
    public int FirstBeat => _first / _lanes;

    /// <summary>The values of the header that a frame's turns need, besides whether there are any.</summary>
    public IReadOnlyList<Value> Operands =>
        [.. Remaining, .. Places, .. _inputs.Invariants.Concat(_inputs.State).Where(value => value is not Constant)];

    /// <summary>For each bound the lanes in front of it, from the first group on.</summary>
    private IEnumerable<Value> Remaining => _inputs.Limits.Select(limit => _n.Add(limit, Offset(_ahead - _first)));

    /// <summary>The lanes from the first group on in which the last byte of no turn is.</summary>
    private int Untaken => _inputs.Start + _ahead - _first;

    /// <summary>The first groups that have lanes in which the last byte of no turn is.</summary>
    public int UntakenGroups => (Untaken + _turns - 1) / _turns;

    private int Groups => _lanes / _turns;

    /// <summary>The groups behind the last of a frame, of turns that look at more bytes than there are.</summary>
    private int GroupsBeyond => _fold.IsWalk ? (_ahead + _turns - 1) / _turns : 0;

    private int StateWidth => _fold.StateParameters[0].Width;

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
        var loads = n.DeclareWire("fold_loads", 1, "a beat is taken");
        var begins = n.AddWire("fold_begins", n.And(loads, isNew));
        var behind = Groups == 1 ? null
            : n.AddFlop("fold_behind", BitOperations.Log2((uint)Groups), 0, "groups of the beat behind this one");
        var given = GroupsBeyond == 0 ? null : n.AddFlop(
            "fold_beyond", Interval.Of((UInt128)GroupsBeyond).Width, 0, "groups behind the frame's last byte");
        var isBeyond = given is null ? FoldingBuilder.Bit(false) : n.Not(IsZero(given));
        var passer = _passed is null ? null : new TurnPasser(n, _turns, StateWidth);
        passer?.Follow(hasBeat, behind!, isLastBeat, isBeyond);
        var moves = passer?.Moves ?? FoldingBuilder.Bit(false);
        var gives = n.AddWire(
            "fold_gives", n.And(n.And(hasBeat, mayGive), n.Not(n.Or(isDone, moves))), "a group of turns goes on");
        var isLastGroup = IsLast(isLastBeat, behind, given, isBeyond, loads, gives);
        Follow(behind, loads, begins, gives, passer);
        var isUsed = n.Or(
            n.And(hasBeat, isDone), n.And(gives, n.Or(isLastGroup, n.Not(needs))));
        if (passer is not null) isUsed = n.Or(isUsed, passer.UsesUp);
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
        passer?.Finish(begins, gives);
        var made = Values(beats.Head, operands.Head, loads, begins, gives, passer);
        made[_isFirst] = isFirst;
        made[_isEnd] = n.Or(n.Not(needs), n.And(isLastGroup, isLastBeat));
        return new FoldFlow(made, gives, frame, begins, passer);
    }

    private Value IsZero(Value value) => _n.Equal(value, FoldingBuilder.Zero(value.Width));

    private Flop Bit(string name) => _n.AddFlop($"fold_{name}", 1, 0);

    private static Constant Offset(int offset) =>
        new(FrameFold.OffsetBits, (UInt128)(offset & (int)Arithmetic.Mask(FrameFold.OffsetBits)));

    /// <summary>The turn whose last byte is a lane's.</summary>
    private FoldLanes.Lane Lane(int lane) => new(
        Untaken == 0 ? FoldingBuilder.Bit(true) : IsBehind(_untaken, lane),
        [.. _window.Skip(lane).Take(_fold.Bytes)],
        _n.Add(_offset, Offset(lane - _ahead)),
        [.. _remaining.Select(remaining => IsBehind(remaining, lane))],
        [.. _words.Select(stream => stream.Words[lane])]);

    /// <summary>True if a lane is not one of so many.</summary>
    private Value IsBehind(Value count, int lane) => (UInt128)lane >= Arithmetic.Mask(count.Width)
        ? FoldingBuilder.Bit(true)
        : _n.Not(_n.Less(new Constant(count.Width, (UInt128)lane), count));

    /// <summary>Follows the groups of a beat.</summary>
    private void Follow(Flop? behind, Value loads, Value begins, Value gives, TurnPasser? passer)
    {
        if (behind is null) return;
        var (n, bits) = (_n, behind.Width);
        var all = n.Select(
            begins, new Constant(bits, (UInt128)(Groups - 1 - _first % _lanes / _turns)),
            new Constant(bits, (UInt128)(Groups - 1)));
        var one = new Constant(bits, 1);
        var by = passer is null ? one : n.Select(passer.MovesFar, new Constant(bits, TurnPasser.Stride), one);
        behind.Next = n.Select(loads, all, n.Subtract(behind, by));
        behind.Enable = n.Or(loads, passer is null ? gives : n.Or(gives, passer.Moves));
    }

    /// <summary>
    /// True if a group is its beat's last. Turns of a walk that have their first byte in a frame, and not all they look
    /// at, are in groups that come behind the last.
    /// </summary>
    private Value IsLast(
        Value isLastBeat, Flop? behind, Flop? given, Value isBeyond, Value loads, Value gives)
    {
        var n = _n;
        var isLastGroup = behind is null ? FoldingBuilder.Bit(true) : IsZero(behind);
        if (given is null) return isLastGroup;
        var counts = n.And(n.And(gives, isLastBeat), n.Or(isLastGroup, isBeyond));
        given.Next = n.Select(
            loads, FoldingBuilder.Zero(given.Width), n.Add(given, n.Resize(counts, given.Width)));
        return n.Select(
            isLastBeat, n.Equal(given, new Constant(given.Width, (UInt128)GroupsBeyond)), isLastGroup);
    }

    /// <summary>The values of a group.</summary>
    private Dictionary<Value, Value> Values(
        IReadOnlyList<Value> beat, IReadOnlyList<Value> operands, Value loads, Value begins, Value gives,
        TurnPasser? passer)
    {
        var n = _n;
        var made = new Dictionary<Value, Value>(ReferenceEqualityComparer.Instance);
        var goesOn = passer is null ? gives : n.Or(gives, passer.Moves);
        var moves = n.Or(loads, goesOn);
        var bytes = Enumerable.Range(0, _lanes).Select(lane => n.AddPart("fold_byte", -lane, 8)).ToList();
        var held = Enumerable.Range(0, _ahead).Select(i => n.AddPart("fold_byte_before", -i, 8)).ToList();
        List<Value> window = [.. held, .. bytes];
        Value MovedTo(int place)
        {
            Value Byte(int distance) =>
                place + distance < window.Count ? window[place + distance] : FoldingBuilder.Zero(8);
            return passer is null ? Byte(_turns)
                : n.Select(passer.MovesFar, Byte(TurnPasser.Stride * _turns), Byte(_turns));
        }
        for (var lane = 0; lane < _lanes; lane++)
        {
            var turned = beat[(lane + _first % _lanes) % _lanes];
            bytes[lane].Next = n.Select(loads, n.Select(begins, turned, beat[lane]), MovedTo(_ahead + lane));
            bytes[lane].Enable = moves;
        }
        for (var i = 0; i < _ahead; i++) (held[i].Next, held[i].Enable) = (MovedTo(i), goesOn);
        for (var i = 0; i < _window.Count; i++) made[_window[i]] = window[i];
        if (passer is not null)
        {
            var passed = passer.Known;
            (made[_passed!.Were], made[_passed.Rest], made[_passed.Count]) = (passed.Were, passed.Rest, passed.Count);
        }

        for (var i = 0; i < _remaining.Count; i++)
            made[_remaining[i]] = Countdown("fold_remaining", operands[i], begins, goesOn, passer);
        foreach (var (stream, place) in _words.Zip(operands.Skip(_remaining.Count)))
        {
            foreach (var (standIn, word) in stream.Build(place, begins, moves: n.Or(begins, gives)))
                made[standIn] = word;
        }
        var known = operands.Skip(_remaining.Count + _words.Count);
        foreach (var (standIn, value) in _invariants.Concat(_initial).Where(v => v is not Constant).Zip(known))
            made[standIn] = n.Registered("fold_operand", value, null, begins);
        if (Untaken > 0)
        {
            made[_untaken] = Countdown(
                "fold_untaken", new Constant(_untaken.Width, (UInt128)Untaken), begins, gives, null);
        }
        if (!_fold.UsesOffset) return made;
        var by = passer is null ? Offset(_turns)
            : n.Select(passer.MovesFar, Offset(TurnPasser.Stride * _turns), Offset(_turns));
        var offset = n.AddFlop("fold_offset", FrameFold.OffsetBits, 0, "the offset of the group");
        (offset.Next, offset.Enable) = (
            n.Select(begins, Offset(_first), n.Add(offset, by)), n.Or(begins, goesOn));
        made[_offset] = offset;
        return made;
    }

    /// <summary>A number of lanes, less by those that bytes move on by each time, and not below 0.</summary>
    private Flop Countdown(string name, Value first, Value begins, Value goesOn, TurnPasser? passer)
    {
        var n = _n;
        var flop = n.AddFlop(name, first.Width, 0);
        var laneBits = BitOperations.Log2((uint)_turns);
        var less = Less(flop, laneBits);
        if (passer is not null)
            less = n.Select(passer.MovesFar, Less(flop, laneBits + BitOperations.Log2(TurnPasser.Stride)), less);
        (flop.Next, flop.Enable) = (n.Select(begins, first, less), n.Or(begins, goesOn));
        return flop;
    }

    /// <summary>A number less by a power of two, and not below 0.</summary>
    private Value Less(Value number, int bits)
    {
        var (n, zero) = (_n, FoldingBuilder.Zero(number.Width));
        if (bits >= number.Width) return zero;
        var high = n.Extract(number, bits, number.Width - bits);
        var fewer = n.Subtract(high, new Constant(high.Width, 1));
        return n.Select(IsZero(high), zero, bits == 0 ? fewer : n.Concat(fewer, n.Extract(number, 0, bits)));
    }
}
