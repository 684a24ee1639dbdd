using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Units;

/// <summary>
/// Bytes of tables that are put into frames as they leave (<see cref="LoadedBytes"/>), from any index to any offset: as
/// many words as a beat has bytes come with each of them, rotated into their lanes.
/// </summary>
/// <remarks>
/// The index of what would be a frame's first byte, modulo a power of two, says for all of its beats which words come
/// with them and how they are rotated; so where the bytes begin is only asked by a comparison of lanes. A beat is in
/// three flops one behind the other: while its row is in one, while the words of the banks are, and at the output.
/// </remarks>
internal sealed class LeavingLoads : ILeavingUnit
{
    private readonly Netlist _n;
    private readonly int _lanes;
    private readonly bool _isFast;
    private readonly IReadOnlyList<LeavingFrame> _leaving;
    private List<(LoadedBytes Bytes, int Emission)> _loads = [];
    private VerdictRecord? _record;

    /// <summary>Declares it.</summary>
    /// <param name="netlist">The netlist in which it is made.</param>
    /// <param name="lanes">Bytes of a beat.</param>
    /// <param name="leaving">The copies that leave, and the frame itself behind them.</param>
    /// <param name="isFast">True if the rotated words wait in flops.</param>
    public LeavingLoads(Netlist netlist, int lanes, IReadOnlyList<LeavingFrame> leaving, bool isFast) =>
        (_n, _lanes, _leaving, _isFast) = (netlist, lanes, leaving, isFast);

    /// <summary>The tables, each with its banks, word by word in turn: known when it is built.</summary>
    public List<(Memory Table, IReadOnlyList<Ram> Banks)> Tables { get; } = [];

    /// <inheritdoc />
    public bool SharesState { get; init; }

    /// <inheritdoc />
    public IEnumerable<Value> Operands => _leaving.SelectMany(frame => frame.Loaded).SelectMany(load => load.Values);

    /// <inheritdoc />
    public IReadOnlyList<Value> Record => _record!.Values;

    private int LaneBits => BitOperations.Log2((uint)_lanes);

    /// <inheritdoc />
    public void Keep(Func<Value, Value> now)
    {
        _loads = [.. _leaving.Index().SelectMany(each =>
            each.Item.Loaded.Select(load => (load.At(now), each.Index)))];
        _record = new VerdictRecord(_loads.SelectMany(each => each.Bytes.Values));
    }

    /// <inheritdoc />
    public (BeatStream Beats, Value IsBusy) Build(
        BeatStream beats, Value isDropped, IReadOnlyList<Value> kept, IReadOnlyList<Value> isNow)
    {
        var n = _n;
        n.Begin("bytes of tables: the beats that they are put into");
        var taken = n.DeclareWire("loaded_taken", 1, "a beat leaves");
        var valid = Enumerable.Range(0, _isFast ? 3 : 2).Select(i => n.AddFlop($"load_valid_{i}", 1, 0)).ToList();
        var goes = n.AddWire("load_goes", n.Or(n.Not(valid[^1]), taken), "all beats go on");
        var comes = n.And(beats.IsValid, n.Not(isDropped));
        beats.Ready.Source = n.And(beats.IsValid, n.Or(goes, isDropped));
        foreach (var (i, flop) in valid.Index()) (flop.Next, flop.Enable) = (i == 0 ? comes : valid[i - 1], goes);
        Value Delayed(string name, int place, Value value, int from, int to) => valid.Index().Take(to).Skip(from)
            .Aggregate(value, (so, stage) => n.RegisteredPart($"load_{name}_{stage.Index}", place, so, goes));
        var beatBits = _loads[0].Bytes.Offset.Width - LaneBits;
        var beat = n.AddFlop("loaded_beat", beatBits, 0, "the number of the beat that comes");
        (beat.Next, beat.Enable) = (
            n.Select(beats.IsLast, FoldingBuilder.Zero(beatBits), n.Add(beat, new Constant(beatBits, 1))), beats.Ready);
        var begins = n.And(n.And(comes, goes), n.Equal(beat, FoldingBuilder.Zero(beatBits)));
        var own = kept.TakeLast(Record.Count).ToList();
        List<Value> data = [.. beats.Data.Select((octet, lane) => Delayed("data", -lane, octet, 0, 2))];
        foreach (var (bytes, emission) in _loads)
        {
            var load = bytes.At(value => _record!.Of(value, own));
            List<Value> isIn = [.. IsIn(load, beat, isNow[emission]).Select((here, lane) =>
                Delayed("here", -lane, here, 0, 2))];
            var words = Words(load, begins, n.And(comes, goes), goes);
            data = [.. data.Select((octet, lane) => n.Select(isIn[lane], words[lane], octet))];
        }
        data = [.. data.Select((octet, lane) => Delayed("octet", -lane, octet, 2, valid.Count))];
        Value Carried(string name, Value value) => Delayed(name, 0, value, 0, valid.Count);
        return (new BeatStream(
            data, Carried("keep", beats.Keep), valid[^1], Carried("last", beats.IsLast), Carried("user", beats.User),
            taken), n.ReduceOr(valid));
    }

    /// <summary>Says of each lane of a beat whether its byte comes of the table.</summary>
    private IEnumerable<Value> IsIn(LoadedBytes load, Value beat, Value isNow)
    {
        var n = _n;
        Value BeatOf(Value offset) => n.BitsOf(offset, LaneBits, beat.Width);
        Value LaneOf(Value offset) => n.BitsOf(offset, 0, LaneBits);
        var (first, end) = (BeatOf(load.Offset), BeatOf(load.End));
        var isBehindFirst = n.AddWire("load_behind_first", n.And(isNow, n.Less(first, beat)));
        var isFirst = n.AddWire("load_first", n.And(isNow, n.Equal(first, beat)));
        var isBeforeEnd = n.AddWire("load_before_end", n.Less(beat, end));
        var isEnd = n.AddWire("load_end", n.Equal(beat, end));
        for (var i = 0; i < _lanes; i++)
        {
            var lane = new Constant(Math.Max(1, LaneBits), (UInt128)i);
            var isFrom = n.Or(isBehindFirst, n.And(isFirst, n.Not(n.Less(lane, LaneOf(load.Offset)))));
            yield return n.And(isFrom, n.Or(isBeforeEnd, n.And(isEnd, n.Less(lane, LaneOf(load.End)))));
        }
    }

    /// <summary>The words of the table for each lane, two edges behind the one at which a beat goes on.</summary>
    private List<Value> Words(LoadedBytes load, Value begins, Value moves, Value goes)
    {
        var stream = new WordStream(_n, load.Table, _lanes);
        var made = stream.Build(stream.Index(load.Index), begins, moves, goes).ToDictionary(
            each => each.StandIn, each => each.Value, (IEqualityComparer<Value>)ReferenceEqualityComparer.Instance);
        Tables.Add((load.Table, stream.Rams));
        return [.. stream.Words.Select(Of)];

        Value Of(Value value)
        {
            if (value is Constant) return value;
            if (made.TryGetValue(value, out var known)) return known;
            var operation = (Operation)value;
            return made[value] = _n.Make(
                new Operation(operation.Opcode, operation.Width, operation.Operands.Select(Of))
                {
                    Low = operation.Low,
                });
        }
    }
}
