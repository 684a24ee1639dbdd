namespace Emu.Clocked;

/// <summary>Ends a program where it pauses.</summary>
internal sealed class EndOfRunException : Exception;
