using System.Text;

namespace Emu.Services;

/// <summary>The words of a command, one after the other; quotation marks hold a word together, a backslash takes the next character as it is.</summary>
internal sealed class RuleWords(IReadOnlyList<string> words)
{
    private int _at;

    public bool IsAtEnd => _at == words.Count;

    /// <summary>The next word, without going on; empty at the end.</summary>
    public string Next => IsAtEnd ? "" : words[_at];

    /// <summary>Whether the next word is a value: not an option, not <c>!</c>, not the end.</summary>
    public bool IsAtValue => !IsAtEnd && Next != "!" && (!Next.StartsWith('-') || Next.Length == 1);

    public static RuleWords Split(string text)
    {
        var words = new List<string>();
        var word = new StringBuilder();
        var (quote, isWord) = ('\0', false);
        for (var i = 0; i < text.Length; i++)
        {
            var c = text[i];
            if (c == '\\' && quote != '\'' && i + 1 < text.Length) (isWord, _) = (true, word.Append(text[++i]));
            else if (quote != '\0' && c == quote) quote = '\0';
            else if (quote == '\0' && c is '"' or '\'') (quote, isWord) = (c, true);
            else if (quote == '\0' && char.IsWhiteSpace(c))
            {
                if (isWord) words.Add(word.ToString());
                (isWord, _) = (false, word.Clear());
            }
            else (isWord, _) = (true, word.Append(c));
        }
        if (quote != '\0') throw new RuleException($"a quotation mark ({quote}) is not closed");
        if (isWord) words.Add(word.ToString());
        return new RuleWords([.. words.SelectMany(Parts)]);
    }

    /// <summary>What getopt reads as several: <c>--dport=80</c>, and flags that stand together as in <c>-nvL</c>.</summary>
    private static IEnumerable<string> Parts(string word)
    {
        if (word.StartsWith("--", StringComparison.Ordinal)) return word.Split('=', 2);
        return word.Length > 2 && word[0] == '-' && word[1..].All("nvxLSFZX".Contains) ? word[1..].Select(flag => $"-{flag}") : [word];
    }

    /// <summary>A word as it must be written to be read again.</summary>
    public static string Quote(string word) =>
        word.Length > 0 && word.All(c => char.IsAsciiLetterOrDigit(c) || "_-.:/,+@%=".Contains(c))
            ? word
            : $"\"{word.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal)}\"";

    public string Take() => words[_at++];

    /// <summary>The value of an option.</summary>
    public string Value(string option) =>
        IsAtEnd || Next == "!" ? throw new RuleException($"option \"{option}\" requires an argument") : Take();
}
