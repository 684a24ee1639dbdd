using System.CommandLine;

namespace Emu.Hosting;

/// <summary>What every program of Emu does with its command line: splits it, and turns errors into one line and an exit code.</summary>
public static class CommandLine
{
    /// <summary>Everything before the first <c>--</c>, and everything behind it, which belongs to the service.</summary>
    public static (string[] Own, string[] Service) Split(string[] arguments)
    {
        var at = Array.IndexOf(arguments, "--");
        return at < 0 ? (arguments, []) : (arguments[..at], arguments[(at + 1)..]);
    }

    /// <summary>Parses and runs a command.</summary>
    /// <param name="command">Its actions throw <see cref="CommandException"/> for what a person can mend.</param>
    /// <param name="arguments">Without those of the service.</param>
    /// <returns>The exit code: 0, 1 or 2.</returns>
    public static int Invoke(RootCommand command, string[] arguments)
    {
        ArgumentNullException.ThrowIfNull(command);
        try
        {
            var parsed = command.Parse(arguments);
            if (parsed.Errors.Count > 0 && parsed.Action is not System.CommandLine.Help.HelpAction)
                throw CommandException.Usage($"{parsed.Errors[0].Message} (--help tells more)");
            return parsed.Invoke(new InvocationConfiguration { EnableDefaultExceptionHandler = false });
        }
        catch (CommandException exception)
        {
            Console.Error.WriteLine($"emu: {exception.Message}");
            return exception.ExitCode;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            Console.Error.WriteLine($"emu: {exception.Message.ReplaceLineEndings(" ")}");
            return 1;
        }
    }
}
