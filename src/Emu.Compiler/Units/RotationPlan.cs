using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// A way in which the bytes of a frame move, as a <see cref="ByteRotation"/> does it: all behind a head, by whole beats
/// and by a rotation of the bytes of a beat. All 0 where none moves.
/// </summary>
/// <param name="HeadBeats">The whole beats of the head, which leaves as it came.</param>
/// <param name="HeadLanes">Its bytes behind these.</param>
/// <param name="Lead">The beats that are passed over behind the head, or that leave without one being taken.</param>
/// <param name="Holds">True if they leave: bytes move to the back.</param>
/// <param name="Rotation">The lanes by which a byte moves to the front within a beat.</param>
internal sealed record RotationPlan(Value HeadBeats, Value HeadLanes, Value Lead, Value Holds, Value Rotation)
{
    /// <summary>All of these.</summary>
    public IReadOnlyList<Value> Values { get; } = [HeadBeats, HeadLanes, Lead, Holds, Rotation];

    /// <summary>Bytes from an offset on move to another in front of it.</summary>
    /// <param name="n">The netlist in which it is computed.</param>
    /// <param name="lanes">Bytes of a beat.</param>
    /// <param name="from">The first byte that moves.</param>
    /// <param name="to">Where it moves to; of as many bits.</param>
    public static RotationPlan ToFront(Netlist n, int lanes, Value from, Value to)
    {
        var (laneBits, distance) = (BitOperations.Log2((uint)lanes), n.Subtract(from, to));
        var beatBits = to.Width - laneBits;
        return new RotationPlan(
            n.BitsOf(to, laneBits, beatBits), n.BitsOf(to, 0, laneBits), n.BitsOf(distance, laneBits, beatBits),
            FoldingBuilder.Bit(false), n.BitsOf(distance, 0, laneBits));
    }

    /// <summary>Bytes move by a constant.</summary>
    /// <param name="bits">The bits of a length.</param>
    /// <param name="lanes">Bytes of a beat.</param>
    /// <param name="start">The offset from which on all have moved.</param>
    /// <param name="distance">By how many; negative to the front.</param>
    public static RotationPlan Of(int bits, int lanes, int start, int distance)
    {
        var laneBits = BitOperations.Log2((uint)lanes);
        var head = Math.Min(start, start - distance);
        Constant Beats(int count) => new(bits - laneBits, (UInt128)count);
        Constant Lanes(int count) => new(laneBits, (UInt128)(count & lanes - 1));
        var lead = distance > 0 ? (distance + lanes - 1) / lanes : -distance / lanes;
        return new RotationPlan(
            Beats(head / lanes), Lanes(head), Beats(lead), FoldingBuilder.Bit(distance > 0), Lanes(-distance));
    }

    /// <summary>Whichever is made of some, of which at most one is.</summary>
    /// <param name="n">The netlist in which it is chosen.</param>
    /// <param name="bits">The bits of a length.</param>
    /// <param name="lanes">Bytes of a beat.</param>
    /// <param name="ways">Each with its condition.</param>
    public static RotationPlan Chosen(
        Netlist n, int bits, int lanes, IReadOnlyList<(Value Condition, RotationPlan Plan)> ways)
    {
        var none = Of(bits, lanes, 0, 0);
        List<Value> chosen = [.. none.Values.Index().Select(part => n.SelectOneHot(
            part.Item.Width, ways.Select(way => (way.Condition, way.Plan.Values[part.Index]))))];
        return new RotationPlan(chosen[0], chosen[1], chosen[2], chosen[3], chosen[4]);
    }
}
