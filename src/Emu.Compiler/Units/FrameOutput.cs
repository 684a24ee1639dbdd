using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// The output registers: of the frames of the FIFO, or of the slow path, whose narrower beats they gather.
/// </summary>
internal static class FrameOutput
{
    /// <summary>Makes them.</summary>
    /// <param name="n">The netlist in which they are made.</param>
    /// <param name="lanes">Bytes of a beat.</param>
    /// <param name="beats">The frames of the FIFO; the source of <see cref="BeatStream.Ready"/> is set here.</param>
    /// <param name="isDropped">True if the FIFO's frame does not leave: its beats are passed over.</param>
    /// <param name="slow">The frames of the slow path; null if there is none.</param>
    public static void Build(Netlist n, int lanes, BeatStream beats, Value isDropped, BeatStream? slow)
    {
        n.Begin("output");
        var valid = n.AddFlop("m_axis_tvalid", 1, 0);
        var ready = new InputBits(n.Input("m_axis_tready", 1), 0, 1);
        var isFree = n.Or(n.Not(valid), ready);
        beats.Ready.Source = n.And(beats.IsValid, n.Or(isFree, isDropped));
        var load = n.AddWire("load", n.And(beats.IsValid, n.And(isFree, n.Not(isDropped))));
        var data = FifoWords.Bytes(n, beats.Data);
        if (slow is not null)
        {
            slow.Ready.Source = isFree;
            data = [.. data.Select((octet, i) => n.Select(slow.IsValid, slow.Data[i % slow.Data.Count], octet))];
        }
        var isPart = slow is null ? [FoldingBuilder.Bit(true)] : Parts(n, lanes, slow, isFree);
        if (slow is not null) load = n.Or(load, n.And(n.And(slow.IsValid, isFree), n.Or(isPart[^1], slow.IsLast)));
        // The first part clears what is kept of those that may not come.
        List<Value> loads = [.. isPart.Select(part =>
            slow is null ? isFree : n.And(isFree, n.ReduceOr([n.Not(slow.IsValid), isPart[0], part])))];
        Value Either(Value ofFifo, Value? ofSlow) => ofSlow is null ? ofFifo : n.Select(slow!.IsValid, ofSlow, ofFifo);
        valid.Next = n.Or(load, n.And(valid, n.Not(ready)));

        var partLanes = lanes / loads.Count;
        n.Output("m_axis_tdata", [.. loads.SelectMany((load, part) =>
            FifoWords.Join(n, data[(part * partLanes)..((part + 1) * partLanes)])
                .Select((word, i) => (Value)n.RegisteredPart("m_axis_tdata", -i, word, load)))]);
        n.Output("m_axis_tkeep", [.. loads.Select((load, part) => (Value)n.RegisteredPart(
            "m_axis_tkeep",
            -part,
            Either(
                n.Extract(beats.Keep, part * partLanes, partLanes),
                slow is null ? null : n.Select(isPart[part], slow.Keep, FoldingBuilder.Zero(partLanes))),
            load))]);
        n.Output("m_axis_tvalid", valid);
        n.Output("m_axis_tlast", n.Registered("m_axis_tlast", Either(beats.IsLast, slow?.IsLast), 0, isFree));
        n.Output("m_axis_tuser", n.Registered("m_axis_tuser", Either(beats.User, slow?.User), 0, isFree));
    }

    /// <summary>The part of the output that the slow path's next beat is, a bit for each part.</summary>
    private static List<Value> Parts(Netlist n, int lanes, BeatStream slow, Value isFree)
    {
        var count = lanes / slow.Data.Count;
        if (count == 1) return [FoldingBuilder.Bit(true)];
        var parts = Enumerable.Range(0, count).Select(i => n.AddFlop($"slow_part_{i}", 1, i == 0 ? 1u : 0u)).ToList();
        for (var i = 0; i < count; i++)
        {
            parts[i].Next = i == 0 ? n.Or(slow.IsLast, parts[^1]) : n.And(parts[i - 1], n.Not(slow.IsLast));
            parts[i].Enable = n.And(slow.IsValid, isFree);
        }
        return [.. parts];
    }
}
