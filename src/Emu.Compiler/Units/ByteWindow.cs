using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Units;

/// <summary>
/// Bytes that a service writes at a place that is computed (<see cref="PlacedBytes"/>), put in when the beats there
/// leave: a barrel shifter puts each into its lane.
/// </summary>
/// <param name="n">The netlist in which it is made.</param>
/// <param name="lanes">Bytes of a beat.</param>
/// <param name="placed">The bytes, in the stage of the verdict.</param>
/// <param name="emission">The number of the copy that has them, or of the frame itself behind all copies.</param>
internal sealed class ByteWindow(Netlist n, int lanes, PlacedBytes placed, int emission)
{
    /// <summary>The values that have to be kept of a frame until it leaves.</summary>
    public IEnumerable<Value> Values => placed.Values;

    private int LaneBits => BitOperations.Log2((uint)lanes);

    /// <summary>The bytes of a beat as they leave.</summary>
    /// <param name="data">The bytes as they were.</param>
    /// <param name="beat">The number of the beat in its frame.</param>
    /// <param name="steps">1 when it leaves.</param>
    /// <param name="isLast">True if it is the frame's last.</param>
    /// <param name="kept">Gives a value as it was kept.</param>
    /// <param name="isNow">Says of each copy, and of the frame itself, whether it is what leaves now.</param>
    public IEnumerable<Value> Apply(
        IReadOnlyList<Value> data, Value beat, Value steps, Value isLast, Func<Value, Value> kept,
        IReadOnlyList<Value> isNow)
    {
        var offset = kept(placed.Offset);
        var isFirst = n.And(isNow[emission], n.Equal(beat, n.BitsOf(offset, LaneBits, beat.Width)));
        var chunks = Chunks(kept);
        List<Value> isAt = [n.AddWire("window_begins", isFirst)];
        foreach (var _ in chunks)
        {
            var isNext = n.AddFlop("window_goes_on", 1, 0);
            (isNext.Next, isNext.Enable) = (n.And(isAt[^1], n.Not(isLast)), steps);
            isAt.Add(isNext);
        }
        var rotated = Rotated(chunks, isAt, n.BitsOf(offset, 0, LaneBits));
        return data.Select((octet, lane) =>
            n.Select(n.Extract(rotated[lane], 8, 1), n.Extract(rotated[lane], 0, 8), octet));
    }

    /// <summary>The bytes as if they began with a beat, each behind a bit that says whether it is written.</summary>
    private List<Value[]> Chunks(Func<Value, Value> kept)
    {
        var chunks = new List<Value[]>();
        for (var i = 0; i <= placed.Bytes.Max(b => b.Place) / lanes; i++)
            chunks.Add([.. Enumerable.Repeat<Value>(FoldingBuilder.Zero(9), lanes)]);
        foreach (var (place, condition, octet) in placed.Bytes)
            chunks[place / lanes][place % lanes] = n.Concat(kept(condition), kept(octet));
        return chunks;
    }

    /// <summary>
    /// The bytes of the beat that leaves, each in its lane: those that begin with a beat, or come from the one before.
    /// </summary>
    private List<Value> Rotated(List<Value[]> chunks, List<Value> isAt, Value by)
    {
        Value Chosen(int lane, int from) =>
            n.SelectOneHot(9, chunks.Select((chunk, i) => (isAt[i + from], chunk[lane])));
        List<Value> rotated = [.. Enumerable.Range(0, lanes).Select(lane => n.Select(
            n.Less(new Constant(LaneBits, (UInt128)(lanes - 1 - lane)), by), Chosen(lane, 1), Chosen(lane, 0)))];
        for (var bit = 0; bit < LaneBits; bit++)
        {
            var (before, far, isBy) = (rotated, 1 << bit, n.Extract(by, bit, 1));
            rotated = [.. before.Select((octet, lane) => n.Select(isBy, before[(lane - far + lanes) % lanes], octet))];
        }
        return rotated;
    }
}
