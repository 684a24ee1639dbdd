using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>The bytes that a service writes into a frame at constant offsets, put in when its beats leave.</summary>
internal sealed class HeaderRewriter
{
    private readonly Netlist _n;
    private readonly int _lanes;
    private readonly List<(int Offset, Value Condition, Value Byte, List<int> Emissions)> _bytes = [];
    private readonly VerdictRecord _record;
    private readonly int _emissions;

    /// <summary>Declares it.</summary>
    /// <param name="netlist">The netlist in which it is made.</param>
    /// <param name="lanes">Bytes of a beat.</param>
    /// <param name="emissions">The bytes of each copy, and of the frame itself, in the stage of the verdict.</param>
    public HeaderRewriter(
        Netlist netlist, int lanes,
        IReadOnlyList<IReadOnlyList<(int Offset, Value Condition, Value Byte)>> emissions)
    {
        (_n, _lanes, _emissions) = (netlist, lanes, emissions.Count);
        foreach (var (i, bytes) in emissions.Index())
        {
            foreach (var (offset, condition, value) in bytes)
            {
                var same = _bytes.Find(b => b.Offset == offset && !b.Emissions.Contains(i)
                    && ReferenceEquals(b.Condition, condition) && ReferenceEquals(b.Byte, value));
                if (same.Emissions is null) _bytes.Add((offset, condition, value, [i]));
                else same.Emissions.Add(i);
            }
        }
        _record = new VerdictRecord(_bytes.SelectMany(b => new[] { b.Condition, b.Byte }));
    }

    /// <summary>The values that have to be kept of a frame until it leaves.</summary>
    public IReadOnlyList<Value> Record => _record.Values;

    /// <summary>The beats that have such bytes.</summary>
    public int Beats => _bytes.Count == 0 ? 0 : _bytes.Max(b => b.Offset) / _lanes + 1;

    /// <summary>The bytes of a beat as they leave.</summary>
    /// <param name="data">The bytes as they came.</param>
    /// <param name="isBeat">The position of the beat in the frame, a bit for each.</param>
    /// <param name="kept">The record of its frame.</param>
    /// <param name="isNow">Says of each copy, and of the frame itself, whether it is what leaves now.</param>
    public List<Value> Apply(
        IReadOnlyList<Value> data, IReadOnlyList<Value> isBeat, IReadOnlyList<Value> kept, IReadOnlyList<Value> isNow)
    {
        var lanes = data.ToList();
        foreach (var (offset, condition, value, emissions) in _bytes)
        {
            var lane = offset % _lanes;
            var isHere = _n.And(isBeat[offset / _lanes], _record.Of(condition, kept));
            if (emissions.Count < _emissions) isHere = _n.And(isHere, _n.ReduceOr(emissions.Select(i => isNow[i])));
            lanes[lane] = _n.Select(isHere, _record.Of(value, kept), lanes[lane]);
        }
        return lanes;
    }
}
