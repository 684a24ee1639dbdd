using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Text.RegularExpressions;

namespace Emu.Hosting;

/// <summary>
/// The handling of the command line in every program of Emu:
/// splits it, and turns errors into one line and an exit code.
/// </summary>
public static partial class CommandLine
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
        Console.Error.WriteLine($"emu: {Spaces().Replace(message, " ")}");
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
        if (word is null) return Mistake(command, parsed.Errors[0]);
        if (!word.StartsWith('-')) return $"'{word}' is more than {command.Name} takes";

        var options = command.Options.Select(option => option.Name).ToList();
        return $"unknown option '{word}': {command.Name} takes {string.Join(", ", options)}"
            + (options.Contains(RunCommand.ExampleOption) ? "; arguments of the service stand behind --" : "");
    }

    /// <summary>The parser speaks of types of .NET, and does not say which argument it is that is missing.</summary>
    private static string Mistake(Command command, ParseError error) => error.SymbolResult switch
    {
        ArgumentResult { Tokens.Count: 0, Argument: var argument } =>
            $"{command.Name}: {argument.HelpName ?? argument.Name} is missing: {argument.Description}",
        OptionResult { Tokens: [var token, ..], Option: var option }
            when WhyNot(token.Value, option.ValueType) is { } why => $"{option.Name}: '{token.Value}' is {why}",
        _ => error.Message.TrimEnd('.'),
    };

    private static string? WhyNot(string text, Type type)
    {
        var culture = CultureInfo.InvariantCulture;
        switch (Type.GetTypeCode(Nullable.GetUnderlyingType(type) ?? type))
        {
            case TypeCode.Double:
                return double.TryParse(text, culture, out _) ? null : "not a number";
            case TypeCode.Int32 when !int.TryParse(text, culture, out _):
            case TypeCode.UInt64 when !ulong.TryParse(text, culture, out _):
                return Int128.TryParse(text, culture, out _) ? "out of range" : "not a whole number";
            default:
                return null;
        }
    }

    // A message is one line.
    [GeneratedRegex(@"[\s-[ ]]+")]
    private static partial Regex Spaces();
}
