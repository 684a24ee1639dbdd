using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>The bytes that a service writes into a frame at constant offsets, put in when its beats leave.</summary>
internal sealed class HeaderRewriter
{
    private readonly Netlist _n;
    private readonly int _lanes;
    private readonly List<(int Offset, Value Condition, Value Byte)> _bytes;
    private readonly List<Value> _record = [];

    /// <summary>Declares it.</summary>
    /// <param name="netlist">The netlist in which it is made.</param>
    /// <param name="lanes">Bytes of a beat.</param>
    /// <param name="bytes">The bytes, in the stage of the verdict.</param>
    public HeaderRewriter(Netlist netlist, int lanes, IEnumerable<(int Offset, Value Condition, Value Byte)> bytes)
    {
        (_n, _lanes, _bytes) = (netlist, lanes, [.. bytes]);
        foreach (var value in _bytes.SelectMany(b => new[] { b.Condition, b.Byte }))
        {
            if (value is not Constant && !_record.Contains(value, ReferenceEqualityComparer.Instance))
                _record.Add(value);
        }
    }

    /// <summary>The values that have to be kept of a frame until it leaves.</summary>
    public IReadOnlyList<Value> Record => _record;

    /// <summary>The beats that have such bytes.</summary>
    public int Beats => _bytes.Count == 0 ? 0 : _bytes.Max(b => b.Offset) / _lanes + 1;

    /// <summary>The bytes of a beat as they leave.</summary>
    /// <param name="data">The bytes as they came.</param>
    /// <param name="isBeat">The position of the beat in the frame, a bit for each.</param>
    /// <param name="kept">The record of its frame.</param>
    public List<Value> Apply(IReadOnlyList<Value> data, IReadOnlyList<Value> isBeat, IReadOnlyList<Value> kept)
    {
        Value Kept(Value value) => value is Constant ? value : kept[_record.FindIndex(r => ReferenceEquals(r, value))];
        var lanes = data.ToList();
        foreach (var (offset, condition, value) in _bytes)
        {
            var lane = offset % _lanes;
            lanes[lane] = _n.Select(_n.And(isBeat[offset / _lanes], Kept(condition)), Kept(value), lanes[lane]);
        }
        return lanes;
    }
}
