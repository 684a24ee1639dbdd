using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// The output registers of several engines: frames leave in order of arrival, so the events of the engines are waited
/// for in the ring in which they got their frames. An event may send no frame, one or several.
/// </summary>
internal static class FrameCollector
{
    /// <summary>Makes them.</summary>
    /// <param name="n">The netlist in which they are made.</param>
    /// <param name="options">The device.</param>
    /// <param name="engines">
    /// The frames of each engine, whose source of <see cref="BeatStream.Ready"/> is set here; what is 1 when its event
    /// is over; and the flop that keeps that, and is set here.
    /// </param>
    public static void Build(
        Netlist n, HardwareOptions options,
        IReadOnlyList<(BeatStream Sent, Value Finished, Flop IsOver)> engines)
    {
        n.Begin("collect: what leaves the engines, in order of arrival");
        var valid = n.AddFlop("m_axis_tvalid", 1, 0);
        var ready = new InputBits(n.Input("m_axis_tready", 1), 0, 1);
        var isFree = n.Or(n.Not(valid), ready);
        var passes = n.DeclareWire("collect_passes", 1, "the event is over, and its last beat leaves or has left");
        var turn = new RoundRobin(n, "collect_from", engines.Count, passes);
        Value Chosen(Func<BeatStream, Value> value) => turn.Choose([.. engines.Select(e => value(e.Sent))]);
        var comes = n.AddWire("collect_comes", Chosen(sent => sent.IsValid));
        passes.Source = n.And(turn.Choose([.. engines.Select(e => e.IsOver)]), n.Or(isFree, n.Not(comes)));
        foreach (var (i, (sent, finished, isOver)) in engines.Index())
        {
            sent.Ready.Source = n.And(isFree, turn.Is(i));
            isOver.Next = n.Or(finished, n.And(isOver, n.Not(n.And(passes, turn.Is(i)))));
        }
        var load = n.AddWire("load", n.And(comes, isFree));
        valid.Next = n.Or(load, n.And(valid, n.Not(ready)));

        n.Output("m_axis_tdata", [.. Enumerable.Range(0, options.Lanes).Select(lane =>
            (Value)n.RegisteredPart("m_axis_tdata", -lane, Chosen(sent => sent.Data[lane]), load))]);
        n.Output("m_axis_tkeep", n.Registered("m_axis_tkeep", Chosen(sent => sent.Keep), null, load));
        n.Output("m_axis_tvalid", valid);
        n.Output("m_axis_tlast", n.Registered("m_axis_tlast", Chosen(sent => sent.IsLast), 0, load));
        n.Output("m_axis_tuser", n.Registered("m_axis_tuser", Chosen(sent => sent.User), 0, load));
    }
}
