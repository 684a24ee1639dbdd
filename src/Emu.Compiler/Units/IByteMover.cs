using Emu.Compiler.IR;

namespace Emu.Compiler.Units;

/// <summary>
/// Moves the bytes of frames that leave, beat by beat: says of each beat that leaves whether one is taken for it, and
/// makes its bytes of the beat that came and the one behind.
/// </summary>
internal interface IByteMover
{
    /// <summary>The first bytes of the beat behind that a beat which leaves may have.</summary>
    int BytesAhead { get; }

    /// <summary>The first beats that leave whose position it asks for.</summary>
    int Beats { get; }

    /// <summary>Begins a beat.</summary>
    /// <param name="moves">The moves of the frame that leaves now.</param>
    /// <param name="isFirst">True if nothing of it has left and no beat was passed over.</param>
    BeatStep Begin(IReadOnlyList<Value> moves, Value isFirst);

    /// <summary>Ends a beat.</summary>
    /// <param name="acts">1 when one leaves, or is passed over.</param>
    /// <param name="isPassed">True if it is passed over.</param>
    /// <param name="isDone">1 when it is the frame's last.</param>
    void GoOn(Value acts, Value isPassed, Value isDone);

    /// <summary>The bytes of the beat that leaves; those that are no frame's are 0.</summary>
    /// <param name="data">The bytes of the beat that is there.</param>
    /// <param name="after">The first bytes of the one behind it.</param>
    /// <param name="isBeat">The position of the beat that leaves, a bit for each of the first.</param>
    /// <param name="acts">1 when a beat leaves, or is passed over.</param>
    List<Value> Move(IReadOnlyList<Value> data, IReadOnlyList<Value> after, IReadOnlyList<Value> isBeat, Value acts);
}

/// <summary>The way of the beat that is there: it stays, leaves, or is passed over.</summary>
/// <param name="Holds">True if one leaves, and this one stays.</param>
/// <param name="Skips">True if this one is passed over.</param>
/// <param name="NeedsNext">True if the one behind it is needed, where there is one.</param>
internal readonly record struct BeatStep(Value Holds, Value Skips, Value NeedsNext);
