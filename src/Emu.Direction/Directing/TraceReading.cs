namespace Emu.Direction.Directing;

/// <summary>The values of a trace, from one of them on.</summary>
/// <param name="Values">The values as the language writes them.</param>
/// <param name="Kept">The values that the trace has kept in all.</param>
/// <param name="Missed">The values that found it full.</param>
public sealed record TraceReading(IReadOnlyList<string> Values, uint Kept, uint Missed);
