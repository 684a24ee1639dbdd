using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>Beats of frames inside a circuit.</summary>
/// <param name="Data">The bytes, the first one first.</param>
/// <param name="Keep">Which of them are the frame's, a bit each.</param>
/// <param name="IsValid">Whether there is a beat.</param>
/// <param name="IsLast">Whether it is its frame's last.</param>
/// <param name="User"><c>tuser</c> of the frame, with every beat.</param>
/// <param name="Ready">Whether the beat is taken; its source is set by who takes it.</param>
internal sealed record BeatStream(IReadOnlyList<Value> Data, Value Keep, Value IsValid, Value IsLast, Value User, Wire Ready);
