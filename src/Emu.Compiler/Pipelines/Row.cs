using Emu.Compiler.IR;

namespace Emu.Compiler.Pipelines;

/// <summary>A row that an event may use.</summary>
/// <param name="Index">
/// The row's number: an index without low bits, which is known before any state is looked at.
/// </param>
/// <param name="When">1 if the event may use it, as far as that is known then.</param>
internal readonly record struct Row(Value Index, Value When);
