using System.Globalization;

namespace Emu.Compiler.IR;

/// <summary>The tokens of the IR's text, taken one by one; what is not as expected is an error at its place.</summary>
internal sealed class TokenStream(string text)
{
    private readonly List<Token> _tokens = Tokens.Of(text);
    private int _at;

    /// <summary>The token that is next.</summary>
    public Token Next => _tokens[_at];

    /// <summary>Goes back to the beginning.</summary>
    public void Restart() => _at = 0;

    /// <summary>Goes to the first line that begins with a kind of token, or to the end.</summary>
    public void Find(TokenKind kind)
    {
        bool Begins(int index) => index == 0 || _tokens[index - 1].Kind == TokenKind.LineEnd;
        while (Next.Kind != TokenKind.End && !(Next.Kind == kind && Begins(_at))) _at++;
    }

    /// <summary>Takes the next token.</summary>
    public Token Take() => _tokens[_at++];

    /// <summary>An error: another token was expected here.</summary>
    public FormatException Wrong(string expected) => Next.Error($"expected {expected}, found {Next.Shown}");

    /// <summary>Takes a token of a kind.</summary>
    public Token Expect(TokenKind kind, string expected) => Next.Kind == kind ? Take() : throw Wrong(expected);

    /// <summary>Takes a word or a symbol.</summary>
    public void Expect(string word)
    {
        if (!TryTake(word)) throw Wrong($"'{word}'");
    }

    /// <summary>Takes a word or a symbol if it is next.</summary>
    public bool TryTake(string word)
    {
        if (Next.Kind is not (TokenKind.Word or TokenKind.Symbol) || Next.Text != word) return false;
        _at++;
        return true;
    }

    /// <summary>Takes the end of a line.</summary>
    public void EndLine() => Expect(TokenKind.LineEnd, "the end of the line");

    /// <summary>Takes a number that is no greater than an index can be.</summary>
    public int Integer(string expected)
    {
        var token = Expect(TokenKind.Number, expected);
        return int.TryParse(token.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            ? number
            : throw token.Error($"{token.Text} is too great for {expected}");
    }

    /// <summary>Takes a width.</summary>
    public int Width()
    {
        var at = Next;
        var width = Integer("a width");
        return width is >= 1 and <= Value.MaxWidth
            ? width
            : throw at.Error($"a width is 1 to {Value.MaxWidth}, not {width}");
    }

    /// <summary>Takes a number of a width.</summary>
    public UInt128 Bits(int width) => Fitting(Expect(TokenKind.Number, "a number"), width);

    /// <summary>Takes a constant: a number and its width.</summary>
    public Constant Constant()
    {
        var number = Expect(TokenKind.Number, "a value");
        Expect(":");
        var width = Width();
        return new Constant(width, Fitting(number, width));
    }

    /// <summary>Takes a name: a word, or text in quotation marks.</summary>
    public string Name(string expected) =>
        Next.Kind is TokenKind.Word or TokenKind.Text ? Take().Text : throw Wrong(expected);

    /// <summary>Takes the name of state; its key tells it from others that C# gives the same name.</summary>
    public (string Key, string Name) StateName()
    {
        var name = Name("the name of a register or memory");
        return (TryTake("#") ? $"{name}#{Integer("the number of the name")}" : name, name);
    }

    /// <summary>Takes a reference to a line of C#.</summary>
    public SourceLocation Location(IReadOnlyList<SourceLocation> locations)
    {
        var token = Expect(TokenKind.Location, "a line of C#");
        return int.TryParse(token.Text, out var number) && number < locations.Count
            ? locations[number]
            : throw token.Error($"there is no line {token.Shown} before this");
    }

    private static UInt128 Fitting(Token token, int width) =>
        UInt128.TryParse(token.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var bits)
        && bits <= Arithmetic.Mask(width)
            ? bits
            : throw token.Error($"{token.Text} has more than {width} bits");
}
