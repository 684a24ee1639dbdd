using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Units;

/// <summary>
/// The bytes that a service writes into a frame, at constant offsets and at computed ones, put in when its beats leave.
/// </summary>
internal sealed class HeaderRewriter
{
    private readonly Netlist _n;
    private readonly int _lanes;
    private readonly List<(int Offset, Value Condition, Value Byte, List<int> Emissions)> _bytes = [];
    private readonly List<ByteWindow> _windows = [];
    private readonly int _beatBits;
    private readonly VerdictRecord _record;
    private readonly int _emissions;

    /// <summary>Declares it.</summary>
    /// <param name="netlist">The netlist in which it is made.</param>
    /// <param name="lanes">Bytes of a beat.</param>
    /// <param name="emissions">The bytes of each copy, and of the frame itself, in the stage of the verdict.</param>
    /// <param name="placed">The bytes of each at computed offsets, over the others and in their order.</param>
    public HeaderRewriter(
        Netlist netlist, int lanes,
        IReadOnlyList<IReadOnlyList<(int Offset, Value Condition, Value Byte)>> emissions,
        IReadOnlyList<IReadOnlyList<PlacedBytes>> placed)
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
        foreach (var (i, window) in placed.Index().SelectMany(each => each.Item.Select(window => (each.Index, window))))
        {
            _windows.Add(new ByteWindow(netlist, lanes, window, i));
            _beatBits = window.Offset.Width - System.Numerics.BitOperations.Log2((uint)lanes);
        }
        _record = new VerdictRecord(_bytes.SelectMany(b => new[] { b.Condition, b.Byte })
            .Concat(_windows.SelectMany(window => window.Values)));
    }

    /// <summary>The values that have to be kept of a frame until it leaves.</summary>
    public IReadOnlyList<Value> Record => _record.Values;

    /// <summary>True if no byte is ever written.</summary>
    public bool IsIdle => _bytes.Count == 0 && _windows.Count == 0;

    /// <summary>The beats that have bytes at constant offsets.</summary>
    public int Beats => _bytes.Count == 0 ? 0 : _bytes.Max(b => b.Offset) / _lanes + 1;

    /// <summary>The bytes of a beat as they leave.</summary>
    /// <param name="data">The bytes as they came.</param>
    /// <param name="isBeat">The position of the beat in the frame, a bit for each.</param>
    /// <param name="steps">1 when the beat leaves.</param>
    /// <param name="isLast">True if it is its frame's last.</param>
    /// <param name="kept">The record of its frame.</param>
    /// <param name="isNow">Says of each copy, and of the frame itself, whether it is what leaves now.</param>
    public List<Value> Apply(
        IReadOnlyList<Value> data, IReadOnlyList<Value> isBeat, Value steps, Value isLast, IReadOnlyList<Value> kept,
        IReadOnlyList<Value> isNow)
    {
        var lanes = data.ToList();
        foreach (var (offset, condition, value, emissions) in _bytes)
        {
            var lane = offset % _lanes;
            var isHere = _n.And(isBeat[offset / _lanes], _record.Of(condition, kept));
            if (emissions.Count < _emissions) isHere = _n.And(isHere, _n.ReduceOr(emissions.Select(i => isNow[i])));
            lanes[lane] = _n.Select(isHere, _record.Of(value, kept), lanes[lane]);
        }
        if (_windows.Count == 0) return lanes;
        var beat = _n.AddFlop("leaving_beat", _beatBits, 0, "the number of the beat that leaves");
        (beat.Next, beat.Enable) = (
            _n.Select(isLast, FoldingBuilder.Zero(_beatBits), _n.Add(beat, new Constant(_beatBits, 1))), steps);
        return _windows.Aggregate(
            lanes, (so, window) => [.. window.Apply(so, beat, steps, isLast, value => _record.Of(value, kept), isNow)]);
    }
}
