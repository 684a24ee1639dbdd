namespace Emu.Clocked;

/// <summary>A program of the clock level that cannot be loaded or run: what, where, and what to do.</summary>
/// <param name="message">A sentence.</param>
/// <param name="cause">The exception behind it; null for none.</param>
public sealed class ClockedException(string message, Exception? cause = null) : Exception(message, cause);
