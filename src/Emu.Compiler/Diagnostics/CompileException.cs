using Emu.Compiler.IR;

namespace Emu.Compiler.Diagnostics;

/// <summary>A service cannot be compiled: what, where, why, and what to write instead.</summary>
/// <param name="number">The number of the diagnostic, EMU0001 and up: one of <see cref="DiagnosticNumber"/>.</param>
/// <param name="reason">The problem and its reason, then what to write instead, on one line.</param>
/// <param name="location">The C#, with the calls that led there.</param>
/// <param name="cause">The exception behind it; null for none.</param>
public sealed class CompileException(int number, string reason, SourceLocation? location, Exception? cause = null)
    : Exception($"EMU{number:D4}: {reason}{(location is null ? "" : $" at {location}")}", cause)
{
    /// <summary>The number of the diagnostic.</summary>
    public int Number { get; } = number;

    /// <summary>The problem and its reason, then what to write instead, on one line.</summary>
    public string Reason { get; } = reason;

    /// <summary>The C#, with the calls that led there.</summary>
    public SourceLocation? Location { get; } = location;

    /// <summary>A mistake of the compiler's own.</summary>
    /// <param name="exception">The exception with which it broke down.</param>
    /// <param name="location">The C# at which it was; null when that is not known.</param>
    internal static CompileException OfMistake(Exception exception, SourceLocation? location)
    {
        const string Advice =
            "the compiler failed; this is a mistake of its own, please report it with the C# around this line";
        var what = $"{Advice} ({exception.GetType().Name}: {exception.Message})";
        return new CompileException(DiagnosticNumber.InternalError, what, location, exception);
    }
}
