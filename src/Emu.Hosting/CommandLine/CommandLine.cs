using System.CommandLine;

namespace Emu.Hosting;

/// <summary>
/// The handling of the command line in every program of Emu:
/// splits it, and turns errors into one line and an exit code.
/// </summary>
public static class CommandLine
{
    private const int WrongUse = 2;

    /// <summary>
    /// Everything before the first <c>--</c>, and everything behind it, which belongs to the service.
    /// </summary>
    public static (string[] Own, string[] Service) Split(string[] arguments)
    {
        var at = Array.IndexOf(arguments, "--");
        return at < 0 ? (arguments, []) : (arguments[..at], arguments[(at + 1)..]);
    }

    /// <summary>Makes, parses and runs a command.</summary>
    /// <param name="create">
    /// Makes the command; it and its actions throw <see cref="CommandException"/> for what a person can mend.
    /// </param>
    /// <param name="arguments">Without those of the service.</param>
    /// <returns>The exit code: 0, 1 or 2.</returns>
    public static int Invoke(Func<RootCommand> create, string[] arguments)
    {
        ArgumentNullException.ThrowIfNull(create);
        try
        {
            var root = create();
            if (arguments.Length == 0 && root.Subcommands.Count > 0) return ShowVerbs(root);
            var parsed = root.Parse(arguments);
            if (parsed.Errors.Count > 0 && parsed.Action is not System.CommandLine.Help.HelpAction)
                throw CommandException.Usage($"{Mistake(parsed)} (--help tells more)");
            return parsed.Invoke(new InvocationConfiguration { EnableDefaultExceptionHandler = false });
        }
        catch (CommandException exception)
        {
            return End(exception.ExitCode, exception.Message);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return End(1, exception.Message);
        }
        catch (Exception exception)
        {
            return End(
                1,
                "a mistake of the program, please report it: "
                + $"{exception.GetType().Name} in {exception.TargetSite?.DeclaringType}.{exception.TargetSite?.Name}: "
                + $"{exception.Message}");
        }
    }

    /// <summary>The help, for who names no verb; a script that has lost its verb is told by the exit code.</summary>
    private static int ShowVerbs(RootCommand root)
    {
        root.Parse("--help").Invoke(new InvocationConfiguration { Output = Console.Error });
        return WrongUse;
    }

    private static int End(int exitCode, string message)
    {
        Console.Error.WriteLine($"emu: {message.ReplaceLineEndings(" ")}");
        return exitCode;
    }

    /// <summary>Describes the mistake in the command line, and the alternatives.</summary>
    private static string Mistake(ParseResult parsed)
    {
        var command = parsed.CommandResult.Command;
        var word = parsed.UnmatchedTokens.Count > 0 ? parsed.UnmatchedTokens[0] : null;
        if (command.Subcommands.Count > 0)
        {
            var verbs = string.Join(", ", command.Subcommands.Where(verb => !verb.Hidden).Select(verb => verb.Name));
            return word is null ? $"no verb: there are {verbs}" : $"unknown verb '{word}': there are {verbs}";
        }
        if (word is null) return parsed.Errors[0].Message.TrimEnd('.');
        if (!word.StartsWith('-')) return $"'{word}' is more than {command.Name} takes";

        var options = command.Options.Select(option => option.Name).ToList();
        return $"unknown option '{word}': {command.Name} takes {string.Join(", ", options)}"
            + (options.Contains(RunCommand.ExampleOption) ? "; arguments of the service stand behind --" : "");
    }
}
