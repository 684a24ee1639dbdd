using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>Beats of frames inside a circuit.</summary>
/// <param name="Data">The bytes, the first one first.</param>
/// <param name="Keep">A bit for each byte: 1 if it is the frame's.</param>
/// <param name="IsValid">True if there is a beat.</param>
/// <param name="IsLast">True if it is its frame's last beat.</param>
/// <param name="User"><c>tuser</c> of the frame, with every beat.</param>
/// <param name="Ready">True if the beat is taken; its source is set by the part that takes it.</param>
internal sealed record BeatStream(
    IReadOnlyList<Value> Data, Value Keep, Value IsValid, Value IsLast, Value User, Wire Ready);
