using RadLine;

namespace Emu.Tool;

/// <summary>Completes a command of direction: its words, and the names that are woven.</summary>
/// <param name="names">The names that a director gives, when they are asked for first.</param>
internal sealed class DirectCompletion(Func<IReadOnlyList<string>> names) : ITextCompletion
{
    private static readonly string[] s_commands =
    [
        "print", "set", "count", "count print", "count clear", "count stop", "trace start", "trace print",
        "trace clear", "trace full", "trace stop", "break", "unbreak", "watch", "unwatch", "continue", "status", "list",
        "quit",
    ];

    private readonly Lazy<IReadOnlyList<string>> _names = new(names);

    /// <inheritdoc/>
    public IEnumerable<string> GetCompletions(string prefix, string word, string suffix)
    {
        var before = Words(prefix);
        return s_commands.SelectMany(Lines).Select(Words)
            .Where(words => words.Length > before.Length && words.Take(before.Length).SequenceEqual(before))
            .Select(words => words[before.Length]).Distinct()
            .Where(next => next.StartsWith(word, StringComparison.Ordinal));
    }

    private static string[] Words(string text) =>
        text.Split(' ', StringSplitOptions.RemoveEmptyEntries);

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
