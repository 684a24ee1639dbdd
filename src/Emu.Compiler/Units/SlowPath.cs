using Emu.Compiler.IR;

namespace Emu.Compiler.Units;

/// <summary>The slow path of a pipeline, behind its frame FIFO.</summary>
/// <param name="IsSlow">True if the frame whose verdict comes is the slow path's.</param>
/// <param name="Waits">True while no frame may go to the slow path.</param>
/// <param name="Make">
/// Makes it, given the frames that come to it. Gives what leaves it, and when it is done with a frame.
/// </param>
internal sealed record SlowPath(
    Value IsSlow, Value Waits, Func<BeatStream, (BeatStream Sent, Value Finished)> Make);
