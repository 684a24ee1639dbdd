namespace Emu.Direction.Directing;

/// <summary>The outcome of a command.</summary>
/// <param name="Command">The line as it was written.</param>
/// <param name="Done">True if the service did it.</param>
/// <param name="Lines">The lines that it prints.</param>
public sealed record CommandOutcome(string Command, bool Done, IReadOnlyList<string> Lines);
