using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>The slow path of a pipeline, behind its frame FIFO.</summary>
/// <param name="IsSlow">True if the frame whose verdict comes is the slow path's.</param>
/// <param name="Waits">True while no frame may go to the slow path.</param>
/// <param name="Engines">The engines that it has.</param>
/// <param name="Make">Makes one, of a number from 0 on, given the frames that come to it.</param>
internal sealed record SlowPath(
    Value IsSlow, Value Waits, int Engines, Func<int, BeatStream, SlowPathSignals> Make);

/// <summary>The signals of an engine of a slow path to what leads frames into it.</summary>
/// <param name="Sent">The frames that leave it.</param>
/// <param name="Finished">1 when it is done with a frame, and all that waited for that.</param>
/// <param name="Wait">Its events' waiting for further frames; null if none does.</param>
/// <param name="Place">Its place among several engines; null if it is the only one.</param>
internal sealed record SlowPathSignals(
    BeatStream Sent, Value Finished, SlowPathWait? Wait, SlowPathPlace? Place = null);

/// <summary>The place of an engine among several of a slow path.</summary>
/// <param name="IsOver">
/// 1 from when an event is over until what left it is gathered, which is set by what gathers that.
/// </param>
/// <param name="IsReceiving">True from when an event is over up to the last beat of the next frame.</param>
internal sealed record SlowPathPlace(Flop IsOver, Value IsReceiving);

/// <summary>The waiting of a slow path's events for further frames.</summary>
/// <param name="Begins">1 when an event begins to wait for a frame.</param>
/// <param name="IsOpen">True from then until that frame is handled.</param>
internal sealed record SlowPathWait(Value Begins, Value IsOpen);

/// <summary>Leads the slow path's frames into it, all others by it, and both to the output in order.</summary>
internal interface ISlowPathGate
{
    /// <summary>The beats of all other frames.</summary>
    BeatStream Others { get; }

    /// <summary>True while the slow path has a frame, or a beat of one.</summary>
    Value IsBusy { get; }

    /// <summary>
    /// True from when an event of the slow path begins to wait for a frame until that frame is handled.
    /// </summary>
    Value IsOpen { get; }

    /// <summary>True while it has not got a whole frame.</summary>
    Value IsWaiting { get; }

    /// <summary>1 when the next frame may go on.</summary>
    Value Released { get; }

    /// <summary>Makes the output registers.</summary>
    /// <param name="others">
    /// The beats of all other frames as they leave; the source of <see cref="BeatStream.Ready"/> is set here.
    /// </param>
    /// <param name="isDropped">True if the frame of a beat does not leave: it is passed over.</param>
    /// <param name="isLeaving">True while beats of other frames are on their way from the gate to here.</param>
    void Leave(BeatStream others, Value isDropped, Value isLeaving);
}
