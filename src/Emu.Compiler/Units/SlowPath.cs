using Emu.Compiler.IR;

namespace Emu.Compiler.Units;

/// <summary>The slow path of a pipeline, behind its frame FIFO.</summary>
/// <param name="IsSlow">True if the frame whose verdict comes is the slow path's.</param>
/// <param name="Waits">True while no frame may go to the slow path.</param>
/// <param name="Make">Makes it, given the frames that come to it.</param>
internal sealed record SlowPath(Value IsSlow, Value Waits, Func<BeatStream, SlowPathSignals> Make);

/// <summary>The signals of a slow path to what leads frames into it.</summary>
/// <param name="Sent">The frames that leave it.</param>
/// <param name="Finished">1 when it is done with a frame, and all that waited for that.</param>
/// <param name="Wait">Its events' waiting for further frames; null if none does.</param>
internal sealed record SlowPathSignals(BeatStream Sent, Value Finished, SlowPathWait? Wait);

/// <summary>The waiting of a slow path's events for further frames.</summary>
/// <param name="Begins">1 when an event begins to wait for a frame.</param>
/// <param name="IsOpen">True from then until that frame is handled.</param>
internal sealed record SlowPathWait(Value Begins, Value IsOpen);
