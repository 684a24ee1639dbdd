namespace Emu.Direction.Weaving;

/// <summary>A service cannot be woven; the message is a line for its user.</summary>
public sealed class WeaveException(string message) : Exception(message);
