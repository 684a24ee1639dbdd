namespace Emu.Compiler;

/// <summary>A service cannot be compiled: what, where, why, and what to write instead.</summary>
/// <param name="number">Of the diagnostic, EMU0001 and up; each has a page in docs/diagnostics.</param>
/// <param name="message">What and why, then what to write instead, on one line.</param>
/// <param name="location">The C#, with the calls that led there.</param>
public sealed class CompileException(int number, string message, SourceLocation? location)
    : Exception($"EMU{number:D4}: {message}{(location is null ? "" : $" at {location}")}")
{
    /// <summary>Of the diagnostic.</summary>
    public int Number { get; } = number;

    /// <summary>What and why, then what to write instead, on one line; without number and location.</summary>
    public string What { get; } = message;

    /// <summary>The C#, with the calls that led there.</summary>
    public SourceLocation? Location { get; } = location;
}
