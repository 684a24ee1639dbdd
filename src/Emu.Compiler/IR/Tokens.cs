using System.Text.RegularExpressions;

namespace Emu.Compiler.IR;

/// <summary>The kinds of tokens of the IR's text.</summary>
internal enum TokenKind
{
    /// <summary>A keyword, an opcode, a block or a name.</summary>
    Word,

    /// <summary>A decimal number.</summary>
    Number,

    /// <summary>A value, <c>%</c> and its number.</summary>
    Value,

    /// <summary>A line of C#, <c>!</c> and its number.</summary>
    Location,

    /// <summary>Text in quotation marks.</summary>
    Text,

    /// <summary>A character that stands for itself.</summary>
    Symbol,

    /// <summary>A character that begins no token.</summary>
    Wrong,

    /// <summary>The end of a line on which there is something.</summary>
    LineEnd,

    /// <summary>The end of the text.</summary>
    End,
}

/// <summary>A token of the IR's text, with its place.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Text">The token; without marks where it is a value, a line of C# or text.</param>
/// <param name="Line">The line, from 1.</param>
/// <param name="Column">The column, from 1.</param>
internal readonly record struct Token(TokenKind Kind, string Text, int Line, int Column)
{
    /// <summary>The token as an error shows it.</summary>
    public string Shown => Kind switch
    {
        TokenKind.LineEnd => "the end of the line",
        TokenKind.End => "the end of the text",
        TokenKind.Value => $"'%{Text}'",
        TokenKind.Location => $"'!{Text}'",
        TokenKind.Text => $"\"{Text}\"",
        _ => $"'{Text}'",
    };

    /// <summary>An error at the place of the token.</summary>
    public FormatException Error(string what) => new($"line {Line}, column {Column}: {what}");
}

/// <summary>The tokens of the IR's text.</summary>
internal static partial class Tokens
{
    /// <summary>True if a name is a token by itself.</summary>
    public static bool IsWord(string name) => Whole().IsMatch(name);

    /// <summary>Takes a text apart.</summary>
    public static List<Token> Of(string text)
    {
        var tokens = new List<Token>();
        foreach (var (index, line) in text.ReplaceLineEndings("\n").Split('\n').Index())
        {
            var before = tokens.Count;
            for (var match = Any().Match(line); match.Success; match = match.NextMatch())
            {
                if (KindOf(match) is { } kind)
                    tokens.Add(new Token(kind, TextOf(match, kind), index + 1, match.Index + 1));
            }
            if (tokens.Count > before) tokens.Add(new Token(TokenKind.LineEnd, "", index + 1, line.Length + 1));
        }
        tokens.Add(new Token(TokenKind.End, "", text.Count(c => c == '\n') + 1, 1));
        return tokens;
    }

    /// <summary>The kind of a token, by the group of the expression that it is; null for space.</summary>
    private static TokenKind? KindOf(Match match)
    {
        for (var kind = TokenKind.Word; kind <= TokenKind.Wrong; kind++)
            if (match.Groups[1 + (int)kind].Success) return kind;
        return null;
    }

    private static string TextOf(Match match, TokenKind kind)
    {
        var text = match.Groups[1 + (int)kind].Value;
        return kind == TokenKind.Text
            ? Escape().Replace(text, escape => escape.Value == @"\n" ? "\n" : escape.Value[1..])
            : text;
    }

    [GeneratedRegex("""
        \s+|([\p{L}_][\w.-]*)|([0-9]+)|%([0-9]+)|!([0-9]+)|"((?:\\.|[^"\\])*)"|([:=,\[\]|?*\#])|(.)
        """, RegexOptions.IgnorePatternWhitespace)]
    private static partial Regex Any();

    [GeneratedRegex(@"^[\p{L}_][\w.-]*\z")]
    private static partial Regex Whole();

    [GeneratedRegex(@"\\.")]
    private static partial Regex Escape();
}
