using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// Leads the slow path's frames into it, and lets no other go on until what leaves it is gone: order is kept, and
/// so is the frame's <c>tuser</c>.
/// </summary>
internal sealed class SlowPathGate
{
    /// <summary>Makes it.</summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="section">The section of what is before it.</param>
    /// <param name="beats">All beats; the source of <see cref="BeatStream.Ready"/> is set here.</param>
    /// <param name="isSlow">True if a beat is of a frame of the slow path.</param>
    /// <param name="slowPath">Makes the slow path, given the frames that come to it.</param>
    public SlowPathGate(
        Netlist n, Section section, BeatStream beats, Value isSlow,
        Func<BeatStream, SlowPathSignals> slowPath)
    {
        var isBusy = n.AddFlop("slow_busy", 1, 0, "the slow path works on a frame");
        var holds = n.AddFlop("slow_holds", 1, 0, "a frame is in the slow path, or what leaves it is");
        var hasBeat = n.And(beats.IsValid, n.Not(holds));
        var taken = n.DeclareWire("slow_takes", 1);
        var others = n.DeclareWire("others_taken", 1);
        (Sent, var finished, var wait) = slowPath(
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
        var isDone = n.Not(n.Or(isBusy, Sent.IsValid));
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

    /// <summary>The beats of all other frames.</summary>
    public BeatStream Others { get; }

    /// <summary>The beats that leave the slow path.</summary>
    public BeatStream Sent { get; }

    /// <summary>True while the slow path has a frame, or a beat of one.</summary>
    public Value IsBusy { get; }

    /// <summary>
    /// True from when an event of the slow path begins to wait for a frame until that frame is handled.
    /// </summary>
    public Value IsOpen { get; }

    /// <summary>True while it has not got a whole frame.</summary>
    public Value IsWaiting { get; }

    /// <summary>1 when the next frame may go on.</summary>
    public Value Released { get; }
}
