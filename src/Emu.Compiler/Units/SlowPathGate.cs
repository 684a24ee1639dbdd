using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// Leads the slow path's frames into it, and lets no other go on until what leaves it is gone: order is kept, and
/// so is the frame's <c>tuser</c>.
/// </summary>
internal sealed class SlowPathGate : ISlowPathGate
{
    private readonly Netlist _n;
    private readonly int _lanes;
    private readonly BeatStream _sent;

    /// <summary>Makes it.</summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="section">The section of what is before it.</param>
    /// <param name="lanes">Bytes of a beat.</param>
    /// <param name="beats">All beats; the source of <see cref="BeatStream.Ready"/> is set here.</param>
    /// <param name="isSlow">True if a beat is of a frame of the slow path.</param>
    /// <param name="slowPath">Makes the slow path, given the frames that come to it.</param>
    public SlowPathGate(
        Netlist n, Section section, int lanes, BeatStream beats, Value isSlow, SlowPath slowPath)
    {
        (_n, _lanes) = (n, lanes);
        var isBusy = n.AddFlop("slow_busy", 1, 0, "the slow path works on a frame");
        var holds = n.AddFlop("slow_holds", 1, 0, "a frame is in the slow path, or what leaves it is");
        var hasBeat = n.And(beats.IsValid, n.Not(holds));
        var taken = n.DeclareWire("slow_takes", 1);
        var others = n.DeclareWire("others_taken", 1);
        (_sent, var finished, var wait, _) = slowPath.Make(
            0,
            beats with
            {
                Data = FifoWords.Bytes(n, beats.Data),
                IsValid = n.And(hasBeat, isSlow),
                Ready = taken,
            });
        n.Continue(section);
        var takes = n.And(n.And(hasBeat, isSlow), taken);
        beats.Ready.Source = n.Or(takes, others);
        isBusy.Next = n.Or(n.And(takes, beats.IsLast), n.And(isBusy, n.Not(finished)));
        var isDone = n.Not(n.Or(isBusy, _sent.IsValid));
        // An event that waits keeps what it needs of its frame, and lets the next one in.
        Released = n.AddWire("slow_released", n.And(holds, wait is null ? isDone : n.Or(isDone, wait.Begins)));
        holds.Next = n.Or(n.And(takes, beats.IsLast), n.And(holds, n.Not(Released)));
        IsOpen = wait?.IsOpen ?? FoldingBuilder.Bit(false);
        IsWaiting = n.And(IsOpen, n.Not(holds));
        IsBusy = wait is null ? holds : n.Or(holds, isBusy);
        var isOther = n.And(hasBeat, n.Not(isSlow));
        // Those that come while an event waits are no events, and dropped.
        var mayPass = n.Or(n.Not(isBusy), IsOpen);
        Others = beats with { IsValid = wait is null ? isOther : n.And(isOther, mayPass), Ready = others };
    }

    /// <inheritdoc />
    public BeatStream Others { get; }

    /// <inheritdoc />
    public Value IsBusy { get; }

    /// <inheritdoc />
    public Value IsOpen { get; }

    /// <inheritdoc />
    public Value IsWaiting { get; }

    /// <inheritdoc />
    public Value Released { get; }

    /// <inheritdoc />
    public void Leave(BeatStream others, Value isDropped, Value isLeaving)
    {
        if (isLeaving is Constant)
        {
            FrameOutput.Build(_n, _lanes, others, isDropped, _sent);
            return;
        }
        // What leaves the slow path waits for the beats ahead of it.
        var isAlone = _n.Not(isLeaving);
        var sent = _sent with
        {
            IsValid = _n.And(_sent.IsValid, isAlone),
            Ready = _n.DeclareWire("slow_leaves", 1),
        };
        FrameOutput.Build(_n, _lanes, others, isDropped, sent);
        _sent.Ready.Source = _n.And(sent.Ready, isAlone);
    }
}
