namespace Emu.Direction.Directing;

/// <summary>A variable that was read, or the reason that it was not.</summary>
/// <param name="Text">The value as the language writes it; null if it was not read.</param>
/// <param name="WhyNot">The reason; null if it was read.</param>
public sealed record VariableReading(string? Text, string? WhyNot);
