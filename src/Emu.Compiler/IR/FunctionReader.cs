namespace Emu.Compiler.IR;

/// <summary>Reads the text of one function.</summary>
/// <param name="tokens">The text, at the function.</param>
/// <param name="states">The state by its key.</param>
/// <param name="locations">The lines of C#.</param>
/// <param name="folds">The folds that were read before.</param>
/// <param name="calls">The calls so far; a procedure may stand further down.</param>
internal sealed class FunctionReader(
    TokenStream tokens, IReadOnlyDictionary<string, StateElement> states, IReadOnlyList<SourceLocation> locations,
    IReadOnlyList<FrameFold> folds, List<(Operation Call, Token Callee)> calls)
{
    /// <summary>A use of a value: a constant, or a value that may be defined further down.</summary>
    private readonly record struct Use(Token At, Constant? Constant);

    private readonly Dictionary<string, Block> _blocks = [];
    private readonly Dictionary<Block, Token> _begun = [];
    private readonly Dictionary<string, Value> _values = [];
    // Done when all values and blocks are known.
    private readonly List<Action> _later = [];

    /// <summary>Reads it.</summary>
    /// <exception cref="FormatException">The text is not right.</exception>
    public Function Read()
    {
        var at = tokens.Next;
        tokens.Expect("function");
        var name = tokens.Name("the name of the function");
        tokens.EndLine();
        if (!IsBlock(tokens.Next)) throw tokens.Wrong("a block, such as b0");
        var entry = BlockOf(tokens.Next);
        while (IsBlock(tokens.Next)) ReadBlock();
        foreach (var action in _later) action();
        foreach (var (block, begun) in _begun) CheckPredecessors(block, begun);
        var function = new Function(name, entry);
        try
        {
            Verifier.Verify(function, "reading");
        }
        catch (InvalidOperationException exception)
        {
            throw at.Error(exception.Message);
        }
        return function;
    }

    private static bool IsBlock(Token token) =>
        token.Kind == TokenKind.Word && token.Text.Length > 1 && token.Text[0] == 'b'
        && token.Text.AsSpan(1).IndexOfAnyExceptInRange('0', '9') < 0;

    private Block BlockOf(Token token)
    {
        if (_blocks.TryGetValue(token.Text, out var block)) return block;
        _later.Add(() =>
        {
            if (!_begun.ContainsKey(_blocks[token.Text])) throw token.Error($"there is no block {token.Text}");
        });
        return _blocks[token.Text] = new Block();
    }

    private Block Target() => IsBlock(tokens.Next) ? BlockOf(tokens.Take()) : throw tokens.Wrong("a block");

    private void ReadBlock()
    {
        var begun = tokens.Take();
        var block = BlockOf(begun);
        if (!_begun.TryAdd(block, begun)) throw begun.Error($"{begun.Text} is there twice");
        tokens.Expect(":");
        if (tokens.TryTake("from"))
        {
            do block.Predecessors.Add(Target());
            while (tokens.TryTake(","));
        }
        tokens.EndLine();
        while ((block.Terminator = Terminator()) is null) ReadValue(block);
        tokens.EndLine();
    }

    private Terminator? Terminator()
    {
        var at = tokens.Next;
        if (at.Kind != TokenKind.Word) return null;
        switch (at.Text)
        {
            case "jump":
                tokens.Take();
                return new Jump(Target());
            case "branch":
                tokens.Take();
                return Branch();
            case "return":
                tokens.Take();
                return Return();
            case "go-back":
                tokens.Take();
                return new GoBack();
            case "yield":
                tokens.Take();
                var isLeft = Resolve(UseOf());
                tokens.Expect("?");
                return new Yield(isLeft, [.. Uses().Select(Resolve)]);
            case "fault":
                tokens.Take();
                return new Fault(Named<FaultKind>("a kind of fault"), Location());
            case "side-exit":
                tokens.Take();
                var target = IsBlock(tokens.Next) ? Target() : null;
                return new SideExit(
                    tokens.Expect(TokenKind.Text, "the reason in quotation marks").Text, Location(), target);
            default:
                return null;
        }
    }

    /// <summary>A branch; its condition is defined before it in any order in which blocks are printed.</summary>
    private Branch Branch()
    {
        var condition = Resolve(UseOf());
        tokens.Expect("?");
        var then = Target();
        tokens.Expect(":");
        return new Branch(condition, then, Target());
    }

    private Return Return()
    {
        tokens.Expect("frame");
        var start = Resolve(UseOf());
        tokens.Expect(",");
        tokens.Expect("length");
        var length = Resolve(UseOf());
        tokens.Expect(",");
        tokens.Expect("egress");
        return new Return(start, length, Resolve(UseOf()));
    }

    /// <summary>A phi or an operation.</summary>
    private void ReadValue(Block block)
    {
        var at = tokens.Next;
        int? width = null;
        if (at.Kind == TokenKind.Value)
        {
            tokens.Take();
            tokens.Expect(":");
            width = tokens.Width();
            tokens.Expect("=");
        }
        if (width is { } wide && tokens.TryTake("phi")) ReadPhi(block, at, wide);
        else ReadOperation(block, at, width);
        tokens.EndLine();
    }

    private void ReadPhi(Block block, Token at, int width)
    {
        if (block.Operations.Count > 0) throw at.Error("a phi stands before all operations of its block");
        var phi = new Phi(width, block);
        // A parameter of a fold has no operands.
        var uses = IsUse(tokens.Next) ? Uses() : [];
        block.Phis.Add(phi);
        Define(at, phi);
        _later.Add(() =>
        {
            phi.Operands.AddRange(uses.Select(Resolve));
            if (uses.Count != block.Predecessors.Count)
                throw at.Error($"{at.Shown} has {uses.Count} operands for {block.Predecessors.Count} predecessors");
        });
    }

    private void ReadOperation(Block block, Token at, int? width)
    {
        var word = tokens.Next;
        var opcode = Named<Opcode>("an opcode or the end of the block");
        var input = opcode == Opcode.Input ? Named<FrameInput>("an input") : default;
        var fold = opcode is Opcode.FrameFold or Opcode.FrameMap ? Fold() : null;
        var callee = opcode == Opcode.Call ? tokens.Next : default;
        if (opcode == Opcode.Call) tokens.Name("the name of a function");
        var state = State();
        var uses = IsUse(tokens.Next) ? Uses() : [];
        if (opcode == Opcode.Extract) tokens.Expect("low");
        var operation = new Operation(opcode, width ?? 1)
        {
            Input = input,
            State = state,
            Fold = fold,
            Low = opcode == Opcode.Extract ? tokens.Integer("the lowest bit") : 0,
            Location = Location(),
        };
        if (operation.IsEffect != (width is null))
        {
            throw at.Error(
                $"{opcode} has {(operation.IsEffect ? "no result" : "a result, which needs a value and '='")}");
        }
        block.Operations.Add(operation);
        if (opcode == Opcode.Call) calls.Add((operation, callee));
        if (!operation.IsEffect) Define(at, operation);
        _later.Add(() =>
        {
            operation.Operands.AddRange(uses.Select(Resolve));
            if (!OpcodeTable.Of(operation.Opcode).Accepts(operation))
                throw word.Error($"{opcode} has operands of wrong number, widths or state");
        });
    }

    private FrameFold Fold()
    {
        tokens.Expect("fold");
        var at = tokens.Next;
        var number = tokens.Integer("the number of the fold");
        return number < folds.Count ? folds[number] : throw at.Error($"there is no fold {number}");
    }

    private List<StateElement> State()
    {
        var state = new List<StateElement>();
        if (!tokens.TryTake("[")) return state;
        do
        {
            var at = tokens.Next;
            var (key, _) = tokens.StateName();
            state.Add(states.GetValueOrDefault(key) ?? throw at.Error($"no register or memory {key} is declared"));
        }
        while (tokens.TryTake("|"));
        tokens.Expect("]");
        return state;
    }

    private T Named<T>(string expected) where T : struct, Enum
    {
        var word = tokens.Next;
        if (word.Kind != TokenKind.Word || !Enum.TryParse<T>(word.Text, out var value)) throw tokens.Wrong(expected);
        tokens.Take();
        return value;
    }

    private SourceLocation? Location() =>
        tokens.Next.Kind == TokenKind.Location ? tokens.Location(locations) : null;

    private void Define(Token at, Value value)
    {
        if (!_values.TryAdd(at.Text, value)) throw at.Error($"{at.Shown} is defined twice");
    }

    private static bool IsUse(Token token) => token.Kind is TokenKind.Value or TokenKind.Number;

    private List<Use> Uses()
    {
        var uses = new List<Use>();
        do uses.Add(UseOf());
        while (tokens.TryTake(","));
        return uses;
    }

    private Use UseOf() =>
        tokens.Next.Kind == TokenKind.Value ? new Use(tokens.Take(), null) : new Use(tokens.Next, tokens.Constant());

    private Value Resolve(Use use) =>
        use.Constant ?? _values.GetValueOrDefault(use.At.Text)
        ?? throw use.At.Error($"{use.At.Shown} is not defined");

    private void CheckPredecessors(Block block, Token begun)
    {
        string Names(IEnumerable<Block> blocks) =>
            string.Join(", ", blocks.Select(b => _begun[b].Text).Order(StringComparer.Ordinal));
        var from = _begun.Keys.SelectMany(b => b.Terminator!.Successors.Where(s => s == block).Select(_ => b));
        var (right, said) = (Names(from), Names(block.Predecessors));
        if (right != said) throw begun.Error($"{begun.Text} is entered from [{right}], not from [{said}]");
    }
}
