using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Units;

/// <summary>The loops that write the payload of frames that leave.</summary>
internal sealed class LeavingMap : ILeavingUnit
{
    private readonly Netlist _n;
    private readonly int _lanes;
    private readonly PayloadMap _map;
    private readonly List<(MappedBytes Map, List<int> Emissions)> _maps = [];
    private readonly int _emissions;
    private List<List<Value>> _kept = [];
    private VerdictRecord? _record;

    /// <summary>Declares it.</summary>
    /// <param name="netlist">The netlist in which it is made.</param>
    /// <param name="lanes">Bytes of a beat.</param>
    /// <param name="delays">The delays of operations.</param>
    /// <param name="budget">Levels of logic in a stage.</param>
    /// <param name="leaving">The copies that leave, and the frame itself behind them.</param>
    public LeavingMap(
        Netlist netlist, int lanes, Delays delays, StageBudget budget, IReadOnlyList<LeavingFrame> leaving)
    {
        (_n, _lanes, _emissions) = (netlist, lanes, leaving.Count);
        foreach (var (i, map) in leaving.Index().SelectMany(frame => frame.Item.Maps.Select(map => (frame.Index, map))))
        {
            var known = _maps.Find(each => ReferenceEquals(each.Map, map));
            if (known.Map is null) _maps.Add((map, [i]));
            else known.Emissions.Add(i);
        }
        _map = new PayloadMap(
            netlist, lanes, delays, budget, [.. _maps.Select(each => (each.Map, each.Map.Start / lanes * lanes))]);
    }

    /// <inheritdoc />
    public IEnumerable<Value> Operands => _map.Operands.SelectMany(operands => operands);

    /// <inheritdoc />
    public IReadOnlyList<Value> Record => _record!.Values;

    /// <inheritdoc />
    public bool SharesState => false;

    /// <inheritdoc />
    public void Keep(Func<Value, Value> now)
    {
        _kept = [.. _map.Operands.Select(operands => operands.Select(now).ToList())];
        _record = new VerdictRecord(_kept.SelectMany(operands => operands));
    }

    /// <inheritdoc />
    public (BeatStream Beats, Value IsBusy) Build(
        BeatStream beats, Value isDropped, IReadOnlyList<Value> kept, IReadOnlyList<Value> isNow)
    {
        var n = _n;
        n.Begin("loops that write the payload: the beats in them");
        var taken = n.DeclareWire("mapped_taken", 1, "a beat leaves");
        var valid = Enumerable.Range(0, _map.Latency).Select(i => n.AddFlop($"map_valid_{i}", 1, 0)).ToList();
        var goes = n.AddWire("map_goes", n.Or(n.Not(valid[^1]), taken), "all beats go on");
        var comes = n.And(beats.IsValid, n.Not(isDropped));
        beats.Ready.Source = n.And(beats.IsValid, n.Or(goes, isDropped));
        foreach (var (i, flop) in valid.Index()) (flop.Next, flop.Enable) = (i == 0 ? comes : valid[i - 1], goes);
        Value Delayed(string name, Value value) => valid.Index().Aggregate(
            value, (so, stage) => n.RegisteredPart($"map_{name}_{stage.Index}", 0, so, goes));
        var isBeat = BeatPosition.OneHot(
            n, 1 + _maps.Max(each => each.Map.Start / _lanes), beats.Ready, beats.IsLast);
        var places = _maps.ConvertAll(each => Place(isBeat[each.Map.Start / _lanes], beats, comes));
        List<Value> own = [.. kept.TakeLast(Record.Count)];
        var operands = _maps.Index().Select(each => OperandsOf(each.Index, each.Item.Emissions, own, isNow)).ToList();
        var (isLast, keep) = (Delayed("last", beats.IsLast), Delayed("keep", beats.Keep));
        var user = Delayed("user", beats.User);
        var data = _map.Build(beats.Data, places, operands, goes);
        return (new BeatStream(data, keep, valid[^1], isLast, user, taken), n.ReduceOr(valid));
    }

    private MapPlace Place(Value isStart, BeatStream beats, Value comes)
    {
        var n = _n;
        var hasBegun = n.AddFlop("map_has_begun", 1, 0, "the loop's first beat is past");
        var isIn = n.Or(isStart, hasBegun);
        (hasBegun.Next, hasBegun.Enable) = (n.And(isIn, n.Not(beats.IsLast)), beats.Ready);
        return new MapPlace(isStart, n.And(comes, isStart), n.And(comes, isIn));
    }

    /// <summary>
    /// The operands of a map for what leaves now: no byte is in front of its end, where it is none of that.
    /// </summary>
    private List<Value> OperandsOf(
        int map, List<int> emissions, IReadOnlyList<Value> kept, IReadOnlyList<Value> isNow)
    {
        var operands = _kept[map].ConvertAll(value => _record!.Of(value, kept));
        if (emissions.Count < _emissions)
            operands[0] = _n.Select(
                _n.ReduceOr(emissions.Select(i => isNow[i])), operands[0], FoldingBuilder.Zero(operands[0].Width));
        return operands;
    }
}
