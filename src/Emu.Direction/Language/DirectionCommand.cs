namespace Emu.Direction.Language;

/// <summary>A command of the language: docs/direction.md.</summary>
public abstract record DirectionCommand
{
    /// <summary><c>print X</c></summary>
    public sealed record Print(VariablePath Variable) : DirectionCommand;

    /// <summary><c>set X = E</c></summary>
    public sealed record Set(VariablePath Variable, DirectionValue Value) : DirectionCommand;

    /// <summary><c>list</c></summary>
    public sealed record List : DirectionCommand;

    /// <summary><c>status</c></summary>
    public sealed record Status : DirectionCommand;

    private DirectionCommand()
    {
    }

    /// <summary>Reads a line.</summary>
    /// <returns>The command; null for a line with nothing but a comment.</returns>
    /// <exception cref="FormatException">It is no command; the message says what is wrong.</exception>
    public static DirectionCommand? Parse(string line)
    {
        ArgumentNullException.ThrowIfNull(line);
        var text = line.Split('#')[0].Trim();
        var (verb, rest) = text.Split(' ', 2, StringSplitOptions.TrimEntries) is [var first, var behind]
            ? (first, behind)
            : (text, "");
        return verb switch
        {
            "" => null,
            "print" => new Print(VariablePath.Parse(rest)),
            "set" => rest.Split('=', 2) is [var path, var value]
                ? new Set(VariablePath.Parse(path.Trim()), DirectionValue.Parse(value.Trim()))
                : throw new FormatException("set X = E: the '=' is missing"),
            "list" => Alone(new List(), verb, rest),
            "status" => Alone(new Status(), verb, rest),
            _ => throw new FormatException($"'{verb}' is no command: there are print, set, list, status"),
        };
    }

    private static DirectionCommand Alone(DirectionCommand command, string verb, string rest) =>
        rest.Length == 0 ? command : throw new FormatException($"{verb} stands alone, without '{rest}'");
}
