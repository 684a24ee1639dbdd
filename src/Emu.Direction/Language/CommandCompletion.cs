namespace Emu.Direction.Language;

/// <summary>Completes a command: its words, and the names that are woven.</summary>
/// <param name="names">The names that a director gives, when they are asked for first.</param>
public sealed class CommandCompletion(Func<IReadOnlyList<string>> names)
{
    private static readonly string[] s_commands =
    [
        "print", "set", "count", "count print", "count clear", "count stop", "trace start", "trace print",
        "trace clear", "trace full", "trace stop", "break", "unbreak", "watch", "unwatch", "continue", "backtrace",
        "status", "list",
    ];

    private readonly Lazy<IReadOnlyList<string>> _names = new(names);

    /// <summary>The verbs of the language.</summary>
    public static IReadOnlyList<string> Verbs { get; } =
        [.. s_commands.Select(command => Words(command)[0]).Distinct()];

    /// <summary>The words that may come next.</summary>
    /// <param name="before">The whole words before.</param>
    /// <param name="word">The start of the next one.</param>
    public IEnumerable<string> After(string before, string word)
    {
        var had = Words(before);
        return s_commands.SelectMany(Lines).Select(Words)
            .Where(words => words.Length > had.Length && words.Take(had.Length).SequenceEqual(had))
            .Select(words => words[had.Length]).Distinct()
            .Where(next => next.StartsWith(word, StringComparison.Ordinal));
    }

    private static string[] Words(string text) => text.Split(' ', StringSplitOptions.RemoveEmptyEntries);

    /// <summary>The lines that a command may be the start of.</summary>
    private IEnumerable<string> Lines(string command)
    {
        var verb = Words(command)[0];
        var woven = verb.StartsWith("un", StringComparison.Ordinal) ? verb["un".Length..] : verb;
        return verb is "print" or "set"
            ? _names.Value.Where(name => !name.Contains(' ')).Select(name => $"{command} {name}")
            : _names.Value.Where(name => Words(name)[0] == woven)
                .Select(name => $"{command} {name[(woven.Length + 1)..]}").DefaultIfEmpty(command);
    }
}
