using Emu.Compiler.IR;

namespace Emu.Compiler.Units;

/// <summary>
/// Changes bytes of frames that leave, between the frame FIFO and the output: what is in the FIFO is the frame as it
/// came, for the slow path and for copies sent before.
/// </summary>
internal interface ILeavingUnit
{
    /// <summary>The values that it needs of a frame.</summary>
    IEnumerable<Value> Operands { get; }

    /// <summary>The same in the stage of the verdict: they have to be kept until the frame leaves.</summary>
    IReadOnlyList<Value> Record { get; }

    /// <summary>True if it uses state that the slow path writes, which so waits until no frame is in it.</summary>
    bool SharesState { get; }

    /// <summary>Takes the operands in the stage of the verdict.</summary>
    /// <param name="now">Gives a value as it is there.</param>
    void Keep(Func<Value, Value> now);

    /// <summary>Connects it.</summary>
    /// <param name="beats">The beats; the source of <see cref="BeatStream.Ready"/> is set here.</param>
    /// <param name="isDropped">True if the frame does not leave: its beats are passed over.</param>
    /// <param name="kept">The record of the frame that leaves, with that of others in front of its own.</param>
    /// <param name="isNow">Says of each copy, and of the frame itself, whether it is what leaves now.</param>
    /// <returns>The beats as they leave, and 1 while there are any.</returns>
    (BeatStream Beats, Value IsBusy) Build(
        BeatStream beats, Value isDropped, IReadOnlyList<Value> kept, IReadOnlyList<Value> isNow);
}
