namespace Emu.Compiler.IR;

/// <summary>Reads what <see cref="Printer"/> prints.</summary>
internal sealed class Reader
{
    private readonly TokenStream _tokens;
    private readonly Dictionary<string, StateElement> _states = [];
    private readonly List<SourceLocation> _locations = [];
    private readonly List<FrameFold> _folds = [];
    private readonly List<(Operation Call, Token Callee)> _calls = [];

    private Reader(string text) => _tokens = new TokenStream(text);

    /// <summary>Makes functions, and the state that they share, of their text.</summary>
    /// <param name="text">The text: <c>docs/compiler.md</c> has its grammar.</param>
    /// <exception cref="FormatException">
    /// The text is not right; the message has the line, the column, and what was expected there.
    /// </exception>
    public static Listing Read(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return new Reader(text).Read();
    }

    private Listing Read()
    {
        // The lines of C# stand behind what comes from them.
        _tokens.Find(TokenKind.Location);
        while (_tokens.Next.Kind == TokenKind.Location) _locations.Add(Location());
        _tokens.Expect(TokenKind.End, "a line of C# or the end of the text");
        _tokens.Restart();
        while (_tokens.Next is { Kind: TokenKind.Word, Text: "transient" or "register" or "memory" }) State();
        while (_tokens.Next is { Kind: TokenKind.Word, Text: "fold" }) _folds.Add(Fold());
        var functions = new List<Function>();
        while (_tokens.Next is { Kind: TokenKind.Word, Text: "function" })
            functions.Add(new FunctionReader(_tokens, _states, _locations, _folds, _calls).Read());
        if (_tokens.Next.Kind is not (TokenKind.Location or TokenKind.End))
        {
            throw _tokens.Wrong(
                functions.Count == 0 ? "'register', 'memory' or 'function'" : "'function' or a line of C#");
        }
        foreach (var (call, callee) in _calls)
            call.Callee = functions.Find(function => function.Name == callee.Text)
                ?? throw callee.Error($"there is no function {callee.Shown}");
        return new Listing([.. _states.Values], functions);
    }

    private FrameFold Fold()
    {
        var at = _tokens.Take();
        if (_tokens.Integer("the number of the fold") != _folds.Count)
            throw at.Error($"expected 'fold {_folds.Count}'");
        int Count(string word)
        {
            _tokens.Expect(word);
            return _tokens.Integer($"how many {word}");
        }
        var (bytes, bounds) = (Count("bytes"), Count("bounds"));
        var (invariants, found) = (Count("invariants"), Count("found"));
        var words = _tokens.Next is { Kind: TokenKind.Word, Text: "words" } ? Count("words") : 0;
        var (isWalk, hidesState) = (_tokens.TryTake("walk"), _tokens.TryTake("hidden"));
        var isOverText = _tokens.TryTake("text");
        _tokens.EndLine();
        var function = new FunctionReader(_tokens, _states, _locations, _folds, _calls).Read();
        if (function.Entry.Terminator is not Yield) throw at.Error("a fold ends in 'yield'");
        return new FrameFold(function, bytes, bounds, invariants, found, isWalk, hidesState, words, isOverText);
    }

    private SourceLocation Location()
    {
        var number = _tokens.Expect(TokenKind.Location, "the number of a line of C#");
        if (number.Text != $"{_locations.Count}")
            throw number.Error($"expected '!{_locations.Count}', found {number.Shown}");
        _tokens.Expect("=");
        var isLibrary = _tokens.TryTake("library");
        var isCold = _tokens.TryTake("cold");
        var isVaried = _tokens.TryTake("varied");
        var method = _tokens.Expect(TokenKind.Text, "a method in quotation marks").Text;
        _tokens.Expect("in");
        var file = _tokens.Expect(TokenKind.Text, "a file in quotation marks").Text;
        _tokens.Expect("line");
        var line = _tokens.Integer("the number of the line");
        var name = _tokens.TryTake("named")
            ? _tokens.Expect(TokenKind.Text, "the name of what the line computes in quotation marks").Text
            : null;
        var caller = _tokens.TryTake("from") ? _tokens.Location(_locations) : null;
        _tokens.EndLine();
        return new SourceLocation(method, file, line, caller)
        {
            IsLibrary = isLibrary,
            IsCold = isCold,
            IsVaried = isVaried,
            Name = name,
        };
    }

    private void State()
    {
        var isTransient = _tokens.TryTake("transient");
        var isMemory = !isTransient && _tokens.TryTake("memory");
        if (!isMemory) _tokens.Expect("register");
        var at = _tokens.Next;
        var (key, name) = _tokens.StateName();
        if (_states.ContainsKey(key)) throw at.Error($"{key} is declared twice");
        _tokens.Expect(":");
        var width = _tokens.Width();
        if (isMemory) _tokens.Expect("x");
        var depth = isMemory ? _tokens.Integer("the number of elements") : 1;
        _tokens.Expect("=");
        if (isMemory) _states[key] = new Memory(name, width, Contents(at, width, depth));
        else _states[key] = new Register(name, width, _tokens.Bits(width)) { IsTransient = isTransient };
        _tokens.EndLine();
    }

    private UInt128[] Contents(Token at, int width, int depth)
    {
        var contents = new List<UInt128>();
        while (_tokens.Next.Kind != TokenKind.LineEnd)
        {
            if (contents.Count > 0) _tokens.Expect(",");
            var bits = _tokens.Bits(width);
            var times = _tokens.TryTake("*") ? _tokens.Integer("how often the number stands there") : 1;
            contents.AddRange(Enumerable.Repeat(bits, Math.Min(times, depth + 1 - contents.Count)));
            if (contents.Count > depth) throw at.Error($"{at.Text} has {depth} elements, and more numbers");
        }
        if (contents.Count < depth) throw at.Error($"{at.Text} has {depth} elements, and {contents.Count} numbers");
        return [.. contents];
    }
}
