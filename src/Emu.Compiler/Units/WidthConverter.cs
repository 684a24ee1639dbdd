using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>Beats of frames cut into narrower ones.</summary>
internal static class WidthConverter
{
    /// <summary>
    /// Gives the same frames in beats of fewer bytes. A wide beat is taken with its last part,
    /// so nothing is stored here.
    /// </summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="wide">The frames; the source of <see cref="BeatStream.Ready"/> is set here.</param>
    /// <param name="lanes">Bytes of a narrow beat: the wide one's, divided by a power of two.</param>
    public static BeatStream Narrow(Netlist n, BeatStream wide, int lanes)
    {
        var parts = wide.Data.Count / lanes;
        if (parts == 1) return wide;
        var bits = System.Numerics.BitOperations.Log2((uint)parts);
        var part = n.AddFlop("part", bits, 0, "of the beat, which is next");
        Value OfPart(Func<int, Value> value) =>
            Enumerable.Range(1, parts - 1)
                .Aggregate(value(0), (so, i) => n.Select(n.Equal(part, new Constant(bits, (UInt128)i)), value(i), so));
        var isLastPart = n.AddWire(
            "is_last_part",
            OfPart(i => i == parts - 1
                ? FoldingBuilder.Bit(true)
                : n.And(wide.IsLast, n.Not(n.Extract(wide.Keep, (i + 1) * lanes, 1)))));
        var ready = n.DeclareWire("part_taken", 1);
        wide.Ready.Source = n.And(ready, isLastPart);
        part.Enable = n.And(wide.IsValid, ready);
        part.Next = n.Select(isLastPart, FoldingBuilder.Zero(bits), n.Add(part, new Constant(bits, 1)));
        return wide with
        {
            Data = [.. Enumerable.Range(0, lanes).Select(lane => OfPart(i => wide.Data[i * lanes + lane]))],
            Keep = OfPart(i => n.Extract(wide.Keep, i * lanes, lanes)),
            IsLast = n.And(wide.IsLast, isLastPart),
            Ready = ready,
        };
    }
}
