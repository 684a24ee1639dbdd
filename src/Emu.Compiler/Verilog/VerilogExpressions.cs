using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Verilog;

/// <summary>
/// Operations as Verilog expressions. Both sides of every operator have the width of its result, so that no context
/// extends anything; an operand that is long, is used in several places or has to be indexed becomes a wire.
/// </summary>
/// <param name="operations">The operations of the design.</param>
/// <param name="leaf">The term of a value that is not an operation.</param>
/// <param name="name">Declares a wire for the term of an operation.</param>
/// <param name="counting">The functions that count bits.</param>
/// <param name="comparing">The functions that compare wide values.</param>
/// <param name="wiring">The functions that only change the places of bits.</param>
internal sealed class VerilogExpressions(
    LoweredDesign operations, Func<Value, VerilogTerm> leaf, Func<Operation, VerilogTerm, VerilogSlice> name,
    CountingFunctions counting, ComparingFunctions comparing, WiringFunctions wiring)
{
    private const int LongestOperand = 60;
    private const int LongestList = 480;
    private const int LongestShared = 24;
    private const int MostArms = 24;

    private readonly Dictionary<Operation, VerilogTerm> _terms = new(ReferenceEqualityComparer.Instance);

    /// <summary>The term of a value whose operations are printed.</summary>
    public VerilogTerm TermOf(Value value) => operations.Of(value) switch
    {
        Constant constant => new VerilogNumber(constant.Width, constant.Bits),
        Operation operation => _terms[operation],
        var other => leaf(other),
    };

    /// <summary>The term of what a wire is.</summary>
    public VerilogTerm SourceOf(Wire wire) =>
        operations.SourceOf(wire) is Operation operation ? _terms[operation] : TermOf(operations.SourceOf(wire));

    /// <summary>The term of values side by side, the lowest first.</summary>
    public VerilogTerm Joined(IReadOnlyList<Value> parts) =>
        parts.Count == 1 ? TermOf(parts[0]) : List([.. parts.Reverse().SelectMany(Items)]);

    /// <summary>The text of a value between brackets of any kind: short, on one line.</summary>
    public string Inner(Value value)
    {
        var term = TermOf(value);
        if (MustBeNamed(term)) term = Named(value);
        return term.Read().Replace('\n', ' ');
    }

    /// <summary>The text of a condition that stands beside others, with <c>||</c> between them.</summary>
    public string Alternative(Value condition) =>
        TermOf(condition).Precedence < Precedence.LogicalOr ? $"({Inner(condition)})" : Inner(condition);

    /// <summary>
    /// The text of a RAM's address. Icarus computes one with more bits than it has:
    /// a sum that should wrap is outside and reads nothing.
    /// </summary>
    public string Address(Value value)
    {
        var term = TermOf(value);
        if (term.Precedence < Precedence.Primary || MustBeNamed(term)) term = Named(value);
        return term.Read().Replace('\n', ' ');
    }

    /// <summary>Makes the term of an operation; those of its operands are there.</summary>
    public void Print(Operation operation)
    {
        var term = Compose(operation, operations.Operands(operation));
        _terms[operation] = term is not VerilogSlice && operations.Uses(operation) > 1 && !IsTrivial(operation, term)
            ? name(operation, term)
            : term;
    }

    // An inverted or extended bit is worth no wire of its own.
    private static bool IsTrivial(Operation operation, VerilogTerm term) =>
        operation.Opcode is Opcode.ZeroExtend or Opcode.SignExtend or Opcode.Xor or Opcode.Equal
        && term.Precedence >= Precedence.Unary && term.Length <= LongestShared;

    private VerilogTerm Compose(Operation o, Value[] v)
    {
        var isBit = o.Width == 1;
        return o.Opcode switch
        {
            Opcode.Add => Add(o, v),
            Opcode.Subtract => Binary("-", Precedence.Add, v[0], v[1]),
            Opcode.Multiply => Commutative("*", Precedence.Multiply, v),
            Opcode.DivideUnsigned => Binary("/", Precedence.Multiply, v[0], v[1]),
            Opcode.RemainderUnsigned => Binary("%", Precedence.Multiply, v[0], v[1]),
            Opcode.DivideSigned => Signed($"{Signed(v[0])} / {Signed(v[1])}", Precedence.Multiply),
            Opcode.RemainderSigned => Signed($"{Signed(v[0])} % {Signed(v[1])}", Precedence.Multiply),
            Opcode.And => isBit ? Commutative("&&", Precedence.LogicalAnd, v) : Commutative("&", Precedence.And, v),
            Opcode.Or => isBit ? Commutative("||", Precedence.LogicalOr, v) : Commutative("|", Precedence.Or, v),
            Opcode.Xor when v.FirstOrDefault(x => Constant.Is(x, Arithmetic.Mask(o.Width))) is { } ones =>
                Not(v[0] == ones ? v[1] : v[0]),
            Opcode.Xor =>
                isBit ? Comparison("!=", "==", Precedence.Equality, v[0], v[1]) : Commutative("^", Precedence.Xor, v),
            Opcode.ShiftLeft =>
                new VerilogText(Precedence.Shift, $"{Operand(v[0], Precedence.Shift)} << {Amount(v[1])}"),
            Opcode.ShiftRight =>
                new VerilogText(Precedence.Shift, $"{Operand(v[0], Precedence.Shift)} >> {Amount(v[1])}"),
            Opcode.ShiftRightSigned => Signed($"{Signed(v[0])} >>> {Amount(v[1], o.Width - 1)}", Precedence.Shift),
            Opcode.Equal when operations.FormOf(o) == OperationForm.CarryChain =>
                new VerilogText(Precedence.Primary, comparing.Call(v[0].Width, Inner(v[0]), Inner(v[1]))),
            Opcode.Equal => Equal(v[0], v[1]),
            Opcode.LessUnsigned => LessUnsigned(v[0], v[1]),
            Opcode.LessSigned => LessSigned(v[0], v[1]),
            Opcode.ZeroExtend => List([new VerilogNumber(o.Width - v[0].Width, 0), .. Items(v[0])]),
            Opcode.SignExtend => SignExtend(o, v[0]),
            Opcode.Extract or Opcode.Truncate when v[0] is Operation count && operations.IsParity(count) =>
                TermOf(count),
            Opcode.Truncate => Vector(v[0]).Bits(0, o.Width),
            Opcode.Extract => Vector(v[0]).Bits(o.Low, o.Width),
            Opcode.Concat => List([.. Items(v[0]), .. Items(v[1])]),
            Opcode.Select => Select(v[0], v[1], v[2]),
            Opcode.PopCount when operations.IsParity(o) =>
                new VerilogText(Precedence.Primary, counting.Parity(v[0].Width, Inner(v[0]))),
            _ when operations.FormOf(o) == OperationForm.Tree => Count(o, v[0]),
            _ => throw new InvalidOperationException($"{o.Opcode} is not pure"),
        };
    }

    private VerilogText Add(Operation o, Value[] v)
    {
        var (a, b) = v[0] is Constant ? (v[1], v[0]) : (v[0], v[1]);
        return b is Constant c && o.Width > 1 && c.Bits > Arithmetic.Mask(o.Width - 1)
            ? Binary("-", Precedence.Add, a, new Constant(o.Width, UInt128.Zero - c.Bits))
            : Binary("+", Precedence.Add, a, b);
    }

    private VerilogText Commutative(string sign, Precedence precedence, Value[] v) =>
        v[0] is Constant ? Binary(sign, precedence, v[1], v[0]) : Binary(sign, precedence, v[0], v[1]);

    private VerilogText Binary(string sign, Precedence precedence, Value a, Value b) =>
        new(precedence, $"{Operand(a, precedence, sign)}\n{sign} {Operand(b, precedence, sign, isRight: true)}")
        {
            Operator = sign,
        };

    private VerilogText Comparison(string sign, string inverse, Precedence precedence, Value a, Value b) =>
        Comparison(sign, inverse, precedence, Operand(a, precedence), Operand(b, precedence));

    private static VerilogText Comparison(string sign, string inverse, Precedence precedence, string a, string b) =>
        new(precedence, $"{a}\n{sign} {b}")
        {
            Operator = sign,
            Inverse = new VerilogText(precedence, $"{a}\n{inverse} {b}") { Operator = inverse },
        };

    private VerilogText Equal(Value a, Value b)
    {
        if (a is Constant) (a, b) = (b, a);
        return a.Width == 1 && Constant.Is(b, 0) ? Not(a) : Comparison("==", "!=", Precedence.Equality, a, b);
    }

    private VerilogText LessUnsigned(Value a, Value b)
    {
        if (Constant.Is(a, 0)) return Comparison("!=", "==", Precedence.Equality, b, a);
        return a is Constant
            ? Comparison(">", "<=", Precedence.Relational, b, a)
            : Comparison("<", ">=", Precedence.Relational, a, b);
    }

    private VerilogText LessSigned(Value a, Value b) => a is Constant
        ? Comparison(">", "<=", Precedence.Relational, Signed(b), Signed(a))
        : Comparison("<", ">=", Precedence.Relational, Signed(a), Signed(b));

    private VerilogText Not(Value a)
    {
        if (a.Width == 1 && a is Operation && TermOf(a) is VerilogText { Inverse: { } inverse } text
            && text.Text.Length <= LongestOperand)
            return inverse;
        var operand = Operand(a, Precedence.Unary);
        return new VerilogText(Precedence.Unary, a.Width == 1 ? $"!{operand}" : $"~{operand}");
    }

    private VerilogTerm SignExtend(Operation o, Value a)
    {
        var copies = o.Width - a.Width;
        if (a.Width == 1) return new VerilogText(Precedence.Primary, $"{{{o.Width}{{{Inner(a)}}}}}");
        var vector = Vector(a);
        return copies == 1
            ? List([vector.Sign, vector])
            : List([new VerilogText(Precedence.Primary, $"{{{copies}{{{vector.Sign.Read()}}}}}"), vector]);
    }

    private VerilogTerm Select(Value condition, Value then, Value otherwise)
    {
        if (Part(then) is { } high && Part(otherwise) is { } low)
            return new VerilogChoice(Operand(condition, Precedence.Conditional), high, low);
        var start = $"{Operand(condition, Precedence.Conditional)}\n? {Operand(then, Precedence.Conditional)}\n: ";
        return TermOf(otherwise) switch
        {
            VerilogText { Arms: > 0 and < MostArms } chain => Choices(start + chain.Text, chain.Arms + 1),
            VerilogChoice choice => Choices(start + choice.Read(), 2),
            _ => Choices(start + Operand(otherwise, Precedence.Conditional), 1),
        };
    }

    private static VerilogText Choices(string text, int arms) =>
        new(Precedence.Conditional, text) { Operator = "?", Arms = arms };

    /// <summary>A term that may be joined with its neighbour: bits of a vector, or a number.</summary>
    private VerilogTerm? Part(Value value) =>
        TermOf(value) is var term and (VerilogSlice or VerilogNumber) ? term : null;

    private VerilogTerm Count(Operation o, Value a)
    {
        var (count, width) = counting.Call(o.Opcode, a.Width, Inner(a));
        var term = new VerilogText(Precedence.Primary, count);
        return width == o.Width ? term
            : width < o.Width ? List([new VerilogNumber(o.Width - width, 0), term])
            : name(new Operation(o.Opcode, width, o.Operands) { Location = o.Location }, term).Bits(0, o.Width);
    }

    private static VerilogText Signed(string text, Precedence precedence) => new(precedence, text) { IsSigned = true };

    private string Signed(Value value) =>
        value is Constant c ? VerilogLiteral.Signed(c.Width, c.Bits) : $"$signed({Inner(value)})";

    private VerilogList List(IReadOnlyList<VerilogTerm> items) => new(items, wiring);

    private string Amount(Value value, int most = int.MaxValue) =>
        value is Constant c ? UInt128.Min(c.Bits, (UInt128)most).ToString() : Operand(value, Precedence.Shift);

    // A vector that can be indexed.
    private VerilogSlice Vector(Value value) => TermOf(value) as VerilogSlice ?? Named(value);

    private VerilogSlice Named(Value value)
    {
        var operation = (Operation)operations.Of(value);
        var slice = name(operation, _terms[operation]);
        _terms[operation] = slice;
        return slice;
    }

    // Lists in lists are one list.
    private IReadOnlyList<VerilogTerm> Items(Value value)
    {
        var term = TermOf(value);
        if (term is VerilogList list && (list.Length <= LongestList || list.IsWiring)) return list.Items;
        return [MustBeNamed(term) ? Named(value) : term];
    }

    private string Operand(Value value, Precedence outer, string sign = "", bool isRight = false)
    {
        var term = TermOf(value);
        if (sign != "" && term is VerilogText text && text.Operator == sign && text.Length <= LongestList
            && (!isRight || IsAssociative(sign)))
            return text.Text;
        if (MustBeNamed(term)) term = Named(value);
        var flat = term.Read().Replace('\n', ' ');
        return NeedsParentheses(term.Precedence, outer, isRight) ? $"({flat})" : flat;
    }

    private static bool MustBeNamed(VerilogTerm term) => term switch
    {
        VerilogSlice or VerilogNumber => false,
        VerilogText text => text.Length > LongestOperand || text.IsSigned || text.Arms > 1,
        _ => term.Length > LongestOperand,
    };

    // Sums keep their shape: it is the circuit's depth.
    private static bool IsAssociative(string sign) => sign is "&" or "|" or "^" or "&&" or "||";

    private static bool NeedsParentheses(Precedence inner, Precedence outer, bool isRight) => outer switch
    {
        Precedence.Shift => inner < Precedence.Unary,
        Precedence.Relational or Precedence.Equality => inner < Precedence.Add,
        Precedence.LogicalAnd or Precedence.LogicalOr or Precedence.And or Precedence.Xor or Precedence.Or =>
            inner < Precedence.Equality,
        Precedence.Conditional => inner == Precedence.Conditional,
        Precedence.Unary => inner <= Precedence.Unary,
        _ => isRight ? inner <= outer : inner < outer,
    };
}
