using Emu.Hosting;

namespace Emu.Testing;

/// <summary>What a run came to.</summary>
/// <param name="Events">One for each frame received.</param>
/// <param name="State">All registers and memories at the end, in the order of the state map; a register has one element.</param>
internal sealed record Outcome(IReadOnlyList<EventOutcome> Events, IReadOnlyList<(string Name, UInt128[] Elements)> State);

/// <summary>What one frame came to, the ticks before it included.</summary>
/// <param name="Sent">All that left, in order.</param>
/// <param name="Faults">The kinds of the faults.</param>
internal sealed record EventOutcome(IReadOnlyList<SentFrame> Sent, IReadOnlyList<FaultKind> Faults);
