using Emu.Compiler.IR;
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
    /// <param name="slowPath">
    /// Makes the slow path, given the frames that come to it. Gives what leaves it, and when it is done with a frame.
    /// </param>
    public SlowPathGate(
        Netlist n, Section section, BeatStream beats, Value isSlow,
        Func<BeatStream, (BeatStream Sent, Value Finished)> slowPath)
    {
        var isBusy = n.AddFlop("slow_busy", 1, 0, "the slow path works on a frame");
        var holds = n.AddFlop("slow_holds", 1, 0, "a frame is in the slow path, or what leaves it is");
        var hasBeat = n.And(beats.IsValid, n.Not(holds));
        var taken = n.DeclareWire("slow_takes", 1);
        var others = n.DeclareWire("others_taken", 1);
        (Sent, var finished) = slowPath(
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
        Released = n.AddWire("slow_released", n.And(holds, n.Not(n.Or(isBusy, Sent.IsValid))));
        holds.Next = n.Or(n.And(takes, beats.IsLast), n.And(holds, n.Not(Released)));
        (IsBusy, Others) = (holds, beats with { IsValid = n.And(hasBeat, n.Not(isSlow)), Ready = others });
    }

    /// <summary>The beats of all other frames.</summary>
    public BeatStream Others { get; }

    /// <summary>The beats that leave the slow path.</summary>
    public BeatStream Sent { get; }

    /// <summary>True while the slow path has a frame, or a beat of one.</summary>
    public Value IsBusy { get; }

    /// <summary>1 when the next frame may go on.</summary>
    public Value Released { get; }
}
