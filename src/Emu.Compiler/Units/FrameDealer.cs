using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// Deals the frames that arrive to several engines: each as a whole, to one after the other in a ring.
/// </summary>
/// <remarks>
/// Frames leave in order of arrival, so engines become free in the order in which they got their frames: a choice of
/// the next free one would be the same but behind frames that are dropped.
/// </remarks>
internal sealed class FrameDealer
{
    private readonly Netlist _n;
    private readonly Flop _open;
    private readonly Value _accepts, _isLast;
    private readonly RoundRobin _turn;

    /// <summary>Makes it.</summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="options">The device, and the number of engines.</param>
    public FrameDealer(Netlist n, HardwareOptions options)
    {
        _n = n;
        n.Begin("deal: a frame to each engine in turn");
        var arriving = AxiStream.Arriving(n, options);
        _open = n.AddFlop("deal_open", 1, 0, "the engine whose turn it is takes beats");
        n.Output("s_axis_tready", _open);
        _accepts = n.AddWire("deal_accepts", n.And(arriving.IsValid, _open));
        _isLast = arriving.IsLast;
        _turn = new RoundRobin(n, "deal_to", options.Engines, n.And(_accepts, _isLast));
        Frames =
        [
            .. Enumerable.Range(0, options.Engines).Select(i => arriving with
            {
                IsValid = n.And(_accepts, _turn.Is(i)),
                Ready = n.DeclareWire($"deal_ready_{i}", 1),
            }),
        ];
    }

    /// <summary>
    /// The frames for each engine; the source of <see cref="BeatStream.Ready"/> is set by it: a register, which is 1
    /// from before a frame up to its last beat.
    /// </summary>
    public IReadOnlyList<BeatStream> Frames { get; }

    /// <summary>1 while no frame comes, and none can.</summary>
    public Value IsClosed => _n.Not(_open);

    /// <summary>Connects it.</summary>
    /// <param name="closes">1 while no further frame may come; the one that is on its way still does.</param>
    public void Build(Value closes)
    {
        var n = _n;
        List<Value> ready = [.. Frames.Select(frames => frames.Ready)];
        var inFrame = n.AddFlop("deal_in_frame", 1, 0);
        inFrame.Next = n.Select(_accepts, n.Not(_isLast), inFrame);
        var isReady = n.Select(
            n.And(_accepts, _isLast), _turn.Choose([.. ready[1..], ready[0]]), _turn.Choose(ready));
        _open.Next = n.And(isReady, n.Or(inFrame.Next, n.Not(closes)));
    }
}
