namespace Emu.Testing;

/// <summary>The result of a command that has ended.</summary>
/// <param name="Command">The command line, for messages.</param>
/// <param name="ExitCode">Its exit code; 128 and the signal's number when a signal ended it.</param>
/// <param name="Output">All of its standard output, lines ending in a line feed.</param>
/// <param name="Error">All of its standard error, likewise.</param>
public sealed record CommandResult(string Command, int ExitCode, string Output, string Error)
{
    /// <summary>Goes on only if the exit code is 0.</summary>
    /// <returns>This.</returns>
    /// <exception cref="TestFailedException">It is another; the message holds all that the command printed.</exception>
    public CommandResult EnsureSuccess() => ExitCode == 0 ? this : throw new TestFailedException(ToString());

    /// <summary>The command line, the exit code and all that it printed.</summary>
    public override string ToString() => $"'{Command}' ended with exit code {ExitCode}\n{Output}{Error}".TrimEnd();
}
