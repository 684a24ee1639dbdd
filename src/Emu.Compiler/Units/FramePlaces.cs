using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// The places in a frame FIFO at which its first frame begins and at which the next one does: a frame of which there
/// are copies is read again from the one, and what nobody wants of a frame is jumped over to the other.
/// </summary>
internal sealed class FramePlaces
{
    private readonly Netlist _n;
    private readonly Value _pop;
    private readonly Wire _ends;
    private readonly Value _next;
    private readonly Flop _isComplete;

    /// <summary>Makes them.</summary>
    /// <param name="n">The netlist in which they are made.</param>
    /// <param name="frames">The number of frames that the FIFO has places for.</param>
    /// <param name="push">1 when a beat is stored.</param>
    /// <param name="isLast">True if it is its frame's last.</param>
    /// <param name="tail">The place that it is stored at.</param>
    /// <param name="frame">The number of the first frame.</param>
    /// <param name="pop">1 when a beat is taken.</param>
    /// <param name="isLastCopy">True if nothing of the first frame leaves behind what leaves now.</param>
    public FramePlaces(
        Netlist n, int frames, Value push, Value isLast, Value tail, Value frame, Value pop, Value isLastCopy)
    {
        (_n, _pop) = (n, pop);
        var bits = BitOperations.Log2((uint)frames);
        Start = n.AddFlop("frame_start", tail.Width, 0, "the frame's first beat");
        _ends = n.DeclareWire("fifo_ends", 1, "a copy of the frame, or the frame itself, is done with");
        var completes = n.And(push, isLast);
        var whole = n.AddFlop("frame_whole", bits, 0, "the first frame whose last beat is still to come");
        (whole.Next, whole.Enable) = (n.Add(whole, new Constant(bits, 1)), completes);
        var ram = n.AddRam("frame_behind", tail.Width, frames);
        ram.Write = new RamWrite(whole, Behind(tail), completes);
        After = n.AddRead("frame_behind_read", ram, frame, isRegistered: false);
        _isComplete = n.AddFlop("frame_complete", 1, 0, "all beats of the frame are in the FIFO");
        _isComplete.Next = n.Not(n.Equal(whole, frame));
        _next = n.Select(isLastCopy, After, Start);
    }

    /// <summary>The place of the frame's first beat.</summary>
    public Flop Start { get; }

    /// <summary>True if all beats of the frame are in the FIFO, so that the place behind them is known.</summary>
    public Value IsComplete => _isComplete;

    private Value After { get; }

    /// <summary>Connects a pointer to the next beat that is read, or to one behind it.</summary>
    /// <param name="pointer">The pointer.</param>
    /// <param name="isBehind">True if it is to the one behind.</param>
    public void Lead(Flop pointer, bool isBehind)
    {
        pointer.Next = _n.Select(_ends, isBehind ? Behind(_next) : _next, Behind(pointer));
        pointer.Enable = _n.Or(_pop, _ends);
    }

    /// <summary>Goes on.</summary>
    /// <param name="ends">1 when what leaves now is done with.</param>
    /// <param name="frameDone">1 when all of the frame is.</param>
    public void GoOn(Value ends, Value frameDone)
    {
        _ends.Source = ends;
        (Start.Next, Start.Enable) = (After, frameDone);
        _isComplete.Next = _n.And(_isComplete.Next!, _n.Not(frameDone));
    }

    private Value Behind(Value place) => _n.Add(place, new Constant(place.Width, 1));
}
