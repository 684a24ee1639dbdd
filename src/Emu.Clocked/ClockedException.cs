namespace Emu.Clocked;

/// <summary>A program of the clock level that cannot be loaded or run: what, where, and what to do.</summary>
/// <param name="number">The number of the diagnostic, EMU0030 and up: one with a page in docs/diagnostics.</param>
/// <param name="reason">A sentence.</param>
/// <param name="cause">The exception behind it; null for none.</param>
public sealed class ClockedException(int number, string reason, Exception? cause = null)
    : Exception($"EMU{number:D4}: {reason}", cause)
{
    /// <summary>A use of .NET that threads of a program would not see at an edge.</summary>
    internal const int Member = 30;

    /// <summary>No entry point, or a port that is none.</summary>
    internal const int Program = 34;

    /// <summary>Two threads write one variable in one cycle.</summary>
    internal const int TwoWriters = 35;

    /// <summary>The number of the diagnostic.</summary>
    public int Number { get; } = number;

    /// <summary>The problem, then what to do, without the number.</summary>
    public string Reason { get; } = reason;
}
