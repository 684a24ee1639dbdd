namespace Emu.Hosting;

/// <summary>Something that a person can mend: the message says what, where and what to do, on one line.</summary>
/// <param name="exitCode">
/// 1: it did not work out (a missing interface, a broken capture); 2: wrong use (an unknown option or argument).
/// </param>
/// <param name="message">The line.</param>
public sealed class CommandException(int exitCode, string message) : Exception(message)
{
    /// <summary>The exit code of the process.</summary>
    public int ExitCode { get; } = exitCode;

    /// <summary>A command that failed: exit code 1.</summary>
    public static CommandException Failure(string message) => new(1, message);

    /// <summary>Wrong use: exit code 2.</summary>
    public static CommandException Usage(string message) => new(2, message);
}
