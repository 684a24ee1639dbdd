using System.Globalization;

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

    /// <summary><c>count reads|writes|calls X [if B] [max N]</c></summary>
    public sealed record Count(EventKind Kind, ProbeStart Start) : DirectionCommand;

    /// <summary><c>count stop|clear|print reads|writes|calls X</c></summary>
    public sealed record CountControl(ProbeAction Action, EventKind Kind, string Name) : DirectionCommand;

    /// <summary><c>trace start X [if B] [max N]</c></summary>
    public sealed record Trace(ProbeStart Start) : DirectionCommand;

    /// <summary><c>trace stop|clear|print|full X</c></summary>
    public sealed record TraceControl(ProbeAction Action, string Name) : DirectionCommand;

    /// <summary><c>break L [if B]</c></summary>
    public sealed record Break(ProbeStart Start) : DirectionCommand;

    /// <summary><c>unbreak L</c></summary>
    public sealed record Unbreak(string Name) : DirectionCommand;

    /// <summary><c>watch X [if B]</c></summary>
    public sealed record Watch(ProbeStart Start) : DirectionCommand;

    /// <summary><c>unwatch X</c></summary>
    public sealed record Unwatch(string Name) : DirectionCommand;

    /// <summary><c>continue</c></summary>
    public sealed record Continue : DirectionCommand;

    /// <summary><c>backtrace [N]</c></summary>
    public sealed record Backtrace(int Most) : DirectionCommand;

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
            "count" => ParseCount(rest),
            "trace" => ParseTrace(rest),
            "break" => new Break(ParseStop(verb, rest)),
            "unbreak" => new Unbreak(ProbeStart.ParseName(rest)),
            "watch" => new Watch(ParseStop(verb, rest)),
            "unwatch" => new Unwatch(ProbeStart.ParseName(rest)),
            "continue" => Alone(new Continue(), verb, rest),
            "backtrace" => new Backtrace(ParseMost(rest)),
            "list" => Alone(new List(), verb, rest),
            "status" => Alone(new Status(), verb, rest),
            _ => throw new FormatException(
                $"'{verb}' is no command: there are print, set, count, trace, break, unbreak, watch, unwatch, "
                + "continue, backtrace, list, status"),
        };
    }

    private static int ParseMost(string text) =>
        text.Length == 0 ? int.MaxValue
        : int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var most) && most > 0 ? most
        : throw new FormatException($"backtrace [N]: '{text}' is no number of 1 or more");

    private static ProbeStart ParseStop(string verb, string text) =>
        ProbeStart.Parse(text) is { Most: null } start ? start : throw new FormatException($"{verb} has no max");

    private static DirectionCommand ParseCount(string text)
    {
        var (word, rest) = FirstWord(text);
        if (Named<EventKind>(word) is { } kind) return new Count(kind, ProbeStart.Parse(rest));
        if (Named<ProbeAction>(word) is not { } action || action == ProbeAction.Full)
            throw new FormatException("count reads|writes|calls X [if B] [max N], or count stop|clear|print of one");
        var (kindWord, name) = FirstWord(rest);
        return Named<EventKind>(kindWord) is { } counted
            ? new CountControl(action, counted, ProbeStart.ParseName(name))
            : throw new FormatException($"count {word} reads|writes|calls X");
    }

    private static DirectionCommand ParseTrace(string text)
    {
        var (word, rest) = FirstWord(text);
        if (word == "start") return new Trace(ProbeStart.Parse(rest));
        return Named<ProbeAction>(word) is { } action
            ? new TraceControl(action, ProbeStart.ParseName(rest))
            : throw new FormatException("trace start X [if B] [max N], or trace stop|clear|print|full X");
    }

    private static (string Word, string Behind) FirstWord(string text) =>
        text.Split(' ', 2, StringSplitOptions.TrimEntries) is [var word, var rest] ? (word, rest) : (text, "");

    /// <summary>The value of an enumeration that has a name, in small letters; null if none has.</summary>
    private static T? Named<T>(string word) where T : struct, Enum =>
        word.All(char.IsAsciiLetterLower) && Enum.TryParse<T>(word, ignoreCase: true, out var value) ? value : null;

    private static DirectionCommand Alone(DirectionCommand command, string verb, string rest) =>
        rest.Length == 0 ? command : throw new FormatException($"{verb} stands alone, without '{rest}'");
}
