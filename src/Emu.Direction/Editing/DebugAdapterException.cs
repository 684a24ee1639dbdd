namespace Emu.Direction.Editing;

/// <summary>A request of the editor that cannot be done; the message says what to do instead.</summary>
/// <param name="message">A line for the user.</param>
public sealed class DebugAdapterException(string message) : Exception(message);
