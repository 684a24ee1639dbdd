namespace Emu.Testing;

/// <summary>The outcome of a run.</summary>
/// <param name="Events">The outcomes of the frames received, one each.</param>
/// <param name="State">
/// All registers and memories at the end, in the order of the state map; a register has one element.
/// </param>
internal sealed record Outcome(
    IReadOnlyList<EventOutcome> Events, IReadOnlyList<(string Name, UInt128[] Elements)> State);

/// <summary>The outcome of one frame, the ticks before it included.</summary>
/// <param name="Sent">The frames that left, in order.</param>
/// <param name="Faults">The kinds of the faults.</param>
internal sealed record EventOutcome(IReadOnlyList<SentFrame> Sent, IReadOnlyList<FaultKind> Faults);
