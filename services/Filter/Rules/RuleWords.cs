using System.Text;

namespace Emu.Services;

/// <summary>The words of a command, one after the other, as getopt_long(3) goes through them.</summary>
internal sealed class RuleWords(IReadOnlyList<string> words)
{
    private int _at;

    /// <summary>Of short options that stand together, how many have been taken.</summary>
    private int _letters;

    /// <summary>The value that hangs on the option last taken.</summary>
    private string? _attached;

    public bool IsAtEnd => _at == words.Count;

    /// <summary>The next word, without going on; empty at the end.</summary>
    public string Next => IsAtEnd ? "" : words[_at];

    /// <summary>
    /// A value follows that is no option: it hangs on the option, or begins with neither <c>-</c> nor <c>!</c>.
    /// </summary>
    public bool IsAtValue => _attached is not null || !IsAtEnd && !Next.StartsWith('-') && !Next.StartsWith('!');

    /// <summary>
    /// The words of a text: quotation marks hold a word together, a backslash takes the next character as it is.
    /// </summary>
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
        return new RuleWords(words);
    }

    /// <summary>A word as it must be written to be read again.</summary>
    /// <param name="word">The word.</param>
    /// <param name="plain">The characters besides letters and digits that need no quotation marks.</param>
    public static string Quote(string word, string plain = "_-.:/,+@%=") =>
        word.Length > 0 && word.All(c => char.IsAsciiLetterOrDigit(c) || plain.Contains(c))
            ? word
            : $"\"{Escaped(word)}\"";

    private static string Escaped(string word) =>
        word.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal);

    /// <summary>
    /// The next option. Long ones may be cut short and have their value behind <c>=</c>; short ones may stand together,
    /// as in <c>-nvL</c>.
    /// </summary>
    /// <param name="known">The options that there are.</param>
    /// <returns>Null if it is none of them; nothing is taken then.</returns>
    public RuleOption? TakeOption(IReadOnlyList<RuleOption> known)
    {
        if (Next.StartsWith("--", StringComparison.Ordinal)) return TakeLong(known);
        return Next.Length > 1 && Next[0] == '-' ? TakeShort(known) : null;
    }

    /// <summary>The next word, or what hangs on the option.</summary>
    public string Take()
    {
        if (_attached is not { } value) return words[_at++];
        _attached = null;
        return value;
    }

    /// <summary>The value of an option.</summary>
    public string Value(string option) =>
        Next == "!" && _attached is null
            ? throw new RuleException($"option \"{option}\" requires an argument; a `!' stands before it")
            : AnyValue(option);

    /// <summary>The value of an option that may be any word.</summary>
    public string AnyValue(string option) =>
        IsAtEnd && _attached is null ? throw new RuleException($"option \"{option}\" requires an argument") : Take();

    private RuleOption? TakeLong(IReadOnlyList<RuleOption> known)
    {
        var parts = Next.Split('=', 2);
        var option = RuleOption.Find(known, parts[0]);
        if (option is null || parts.Length > 1 && option.Value == OptionValue.None) return null;
        _at++;
        _attached = parts.Length > 1 ? parts[1] : null;
        return option;
    }

    private RuleOption? TakeShort(IReadOnlyList<RuleOption> known)
    {
        var key = $"-{Next[_letters + 1]}";
        var rest = Next[(_letters + 2)..];
        var option = known.FirstOrDefault(option => option.Key == key);
        if (option is null) return null;
        _letters++;
        if (rest.Length > 0 && option.Value == OptionValue.None) return option;
        (_at, _letters, _attached) = (_at + 1, 0, rest.Length > 0 ? rest : null);
        return option;
    }
}
