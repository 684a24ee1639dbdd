using System.Globalization;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Passes;

namespace Emu.Compiler.Dialect;

/// <summary>
/// Values as expressions of C#: a bit is a <c>bool</c>, up to 32 bits are a <c>uint</c>, others a <c>ulong</c>, in
/// which the bits above are 0. What is used once, in the state that computes it, has no variable.
/// </summary>
/// <remarks>No <c>?:</c> is written: KiwiC 0.3.9b loses an arm of nested ones in a loop that it unrolls.</remarks>
internal sealed class ProgramTerms(ProgramNames names, ProgramHelpers helpers, ValueUses uses)
{
    /// <summary>The most characters of an expression inside another.</summary>
    public const int MaxLength = 64;

    private readonly Dictionary<Value, Term> _inline = new(ReferenceEqualityComparer.Instance);

    /// <summary>True if a value has a variable: others are written where they are used.</summary>
    public bool HasVariable(Value value) => !_inline.ContainsKey(value);

    /// <summary>
    /// Takes note of an operation without effect; gives the expression to be assigned to its variable, null when it
    /// needs none.
    /// </summary>
    public string? Define(Operation operation)
    {
        var term = Made(operation);
        if (operation.Opcode == Opcode.Concat && term.IsAtom && uses.IsBeside(operation, operation.Operands[1]))
        {
            _inline[operation] = term;
            return null;
        }
        if (!uses.NeedsVariable(operation) && term.Text.Length <= MaxLength)
        {
            _inline[operation] = term;
            return null;
        }
        return As(term, ProgramNames.TypeOf(operation.Width));
    }

    /// <summary>A condition.</summary>
    public string Condition(Value value) => As(Of(value), "bool");

    /// <summary>A number of a type.</summary>
    public string Number(Value value, string type) => As(Of(value), type);

    /// <summary>A value for the variable of another of its width.</summary>
    public string Assigned(Value value) => As(Of(value), ProgramNames.TypeOf(value.Width));

    /// <summary>A value as a term.</summary>
    public Term Of(Value value) => value switch
    {
        Constant { Width: 1 } bit => new Term(bit.Bits != 0 ? "true" : "false", 1, "bool", true),
        Constant constant => Number(constant),
        _ when _inline.TryGetValue(value, out var term) => term,
        _ => new Term(names.Of(value), SignificantBits(value), ProgramNames.TypeOf(value.Width), true),
    };

    /// <summary>The bits of a value without the zeros above that are plain to see.</summary>
    private static int SignificantBits(Value value) =>
        value is Operation { Opcode: Opcode.Concat, Operands: [Constant { Bits: var high }, var low] } && high == 0
            ? SignificantBits(low)
            : value.Width;

    private static Term Number(Constant constant)
    {
        var bits = (ulong)constant.Bits;
        var text = bits < 1024 ? bits.ToString(CultureInfo.InvariantCulture) : $"0x{bits:X}";
        return new Term(text, Interval.Of(bits).Width, bits <= int.MaxValue ? "int" : bits <= uint.MaxValue
            ? "uint" : "ulong", true);
    }

    /// <summary>An expression with a type; the number has no more bits than the type.</summary>
    private string As(Term term, string type)
    {
        if (term.Type == type || term.Type == "int" && type is "uint" or "ulong") return term.Text;
        if (type == "bool") return $"{term.Operand} != 0";
        if (term.Type == "bool") return BitOf(term);
        if (type == "ulong") return term.Text;
        return $"({type}){term.Operand}";
    }

    /// <summary>An operand with a type.</summary>
    private string In(Value value, string type)
    {
        var term = Of(value);
        if (term.Type == type || term.Type == "int") return term.Operand;
        if (type == "bool") return $"({term.Operand} != 0)";
        if (term.Type == "bool") return BitOf(term);
        return $"({type}){term.Operand}";
    }

    private string BitOf(Term bit) => bit.Text switch
    {
        "true" => "1",
        "false" => "0",
        _ => helpers.Use("Bit", bit.Text),
    };

    /// <summary>The same, with a constant of that type: one that is shifted.</summary>
    private string Typed(Value value, string type) =>
        value is Constant { Width: > 1 } ? In(value, type) + (type == "ulong" ? "UL" : "U") : In(value, type);

    /// <summary>The low bits of a number.</summary>
    private static Term Masked(string text, int width, string type, bool isMasked = false)
    {
        if (isMasked || width == 32 && type == "uint" || width == 64) return new Term(text, width, type, false);
        return new Term($"({text}) & {Mask(width)}", width, type, false);
    }

    private static string Mask(int width) => $"0x{(1UL << width) - 1:X}";

    private Term Made(Operation operation)
    {
        var (o, width) = (operation.Operands, operation.Width);
        var type = ProgramNames.TypeOf(width);
        if (width == 1 && Bit(operation) is { } bit) return bit;
        string Two(string symbol) => $"{In(o[0], type)} {symbol} {In(o[1], type)}";
        return operation.Opcode switch
        {
            Opcode.Add => Masked(Two("+"), width, type),
            Opcode.Subtract => Masked(Two("-"), width, type),
            Opcode.Multiply => Masked(Two("*"), width, type),
            Opcode.And => Masked(Two("&"), width, type, isMasked: true),
            Opcode.Or => Masked(Two("|"), width, type, isMasked: true),
            Opcode.Xor => Masked(Two("^"), width, type, isMasked: true),
            Opcode.ShiftLeft => Masked($"{Typed(o[0], type)} << {Count(operation)}", width, type),
            Opcode.ShiftRight => Masked($"{Typed(o[0], type)} >> {Count(operation)}", width, type, isMasked: true),
            Opcode.ShiftRightSigned => Masked(
                Unsigned($"{Signed(o[0], width)} >> {Count(operation)}", type), width, type),
            Opcode.ZeroExtend => Of(o[0]) with { Width = width },
            Opcode.SignExtend when o[0].Width > 1 => Masked(Unsigned(Signed(o[0], width), type), width, type),
            Opcode.SignExtend => Masked($"0 - {In(o[0], type)}", width, type),
            Opcode.Truncate or Opcode.Extract => Part(operation, type),
            Opcode.Concat => Joined(operation, type),
            Opcode.PopCount => Helped("CountOnes", o[0], width, type),
            Opcode.TrailingZeros when o[0].Width == WordSplitting.WordBits =>
                Helped("TrailingZeros", o[0], width, type),
            Opcode.LeadingZeros when o[0].Width == WordSplitting.WordBits =>
                Helped("LeadingZeros", o[0], width, type),
            Opcode.LeadingZeros => new Term(
                $"{helpers.Use("LeadingZeros", Of64(o[0]))} - {WordSplitting.WordBits - o[0].Width}", width, "uint",
                false),
            Opcode.TrailingZeros => new Term(
                helpers.Use("TrailingZeros", $"{In(o[0], "ulong")} | 1UL << {o[0].Width}"), width, "uint", true),
            Opcode.OnesSum => Helped("OnesSum", o[0], width, type),
            Opcode.Input => new Term(
                operation.Input switch
                {
                    FrameInput.Length => "length",
                    FrameInput.Ingress => "ingress",
                    _ => "time",
                },
                width, type, true),
            Opcode.DivideUnsigned when TimeDivision.Is(operation) => new Term("seconds", width, type, true),
            _ => throw new CompileException(
                DiagnosticNumber.Dialect,
                $"{operation.Opcode} of {width} bits has no form in Kiwi's dialect; compute it with sums and shifts",
                operation.Location),
        };
    }

    /// <summary>An operation that gives a bit; null for one that does so like a number.</summary>
    private Term? Bit(Operation operation)
    {
        var o = operation.Operands;
        Term Two(string symbol, string type) =>
            new($"{In(o[0], type)} {symbol} {In(o[1], type)}", 1, "bool", false);
        var wider = ProgramNames.TypeOf(o.Count > 0 ? o[0].Width : 1);
        return operation.Opcode switch
        {
            Opcode.And => Two("&", "bool"),
            Opcode.Or => Two("|", "bool"),
            Opcode.Xor or Opcode.Add or Opcode.Subtract when Constant.Is(o[1], 1) =>
                new Term("!" + In(o[0], "bool"), 1, "bool", true),
            Opcode.Xor or Opcode.Add or Opcode.Subtract => Two("^", "bool"),
            Opcode.Equal => Two("==", wider),
            Opcode.LessUnsigned when o[0].Width == 1 =>
                new Term($"!{In(o[0], "bool")} & {In(o[1], "bool")}", 1, "bool", false),
            Opcode.LessUnsigned => Two("<", wider),
            Opcode.LessSigned when o[0].Width > 1 =>
                new Term($"{Signed(o[0], o[0].Width)} < {Signed(o[1], o[0].Width)}", 1, "bool", false),
            Opcode.Select => new Term(
                $"{In(o[0], "bool")} & {In(o[1], "bool")} | !{In(o[0], "bool")} & {In(o[2], "bool")}", 1, "bool",
                false),
            Opcode.Extract or Opcode.Truncate when o[0] is Operation { Opcode: Opcode.PopCount } count
                && operation.Low == 0 => new Term(helpers.Use("Parity", Of64(count.Operands[0])), 1, "uint", true),
            Opcode.Extract or Opcode.Truncate => new Term(
                operation.Low == 0 ? $"{In(o[0], wider)} & 1" : $"({In(o[0], wider)} >> {operation.Low}) & 1", 1,
                wider, false),
            _ => null,
        };
    }

    private Term Part(Operation operation, string type)
    {
        var value = operation.Operands[0];
        var wider = ProgramNames.TypeOf(value.Width);
        var shifted = operation.Low == 0 ? In(value, wider) : $"{In(value, wider)} >> {operation.Low}";
        var isTop = operation.Low + operation.Width == value.Width;
        if (type == wider)
        {
            return isTop
                ? new Term(shifted, operation.Width, type, false)
                : new Term(
                    (operation.Low == 0 ? shifted : $"({shifted})") + $" & {Mask(operation.Width)}", operation.Width,
                    type, false);
        }
        var cut = $"({type}){(operation.Low == 0 ? shifted : $"({shifted})")}";
        return isTop || operation.Width == 32
            ? new Term(cut, operation.Width, type, false)
            : new Term($"{cut} & {Mask(operation.Width)}", operation.Width, type, false);
    }

    private Term Joined(Operation operation, string type)
    {
        var (high, low) = (operation.Operands[0], operation.Operands[1]);
        if (Constant.Is(high, 0))
        {
            var term = Of(low);
            return term.Type == "bool" && operation.Width > 1
                ? new Term(BitOf(term), 1, "uint", true)
                : term;
        }
        var text = $"{Typed(high, type)} << {low.Width}";
        return new Term(Constant.Is(low, 0) ? text : $"({text}) | {In(low, type)}", operation.Width, type, false);
    }

    private Term Helped(string helper, Value value, int width, string type) =>
        new(type == "uint" || width == 1
            ? helpers.Use(helper, Of64(value)) : $"(ulong){helpers.Use(helper, Of64(value))}", width, type, true);

    private string Of64(Value value) => As(Of(value), "ulong");

    /// <summary>The number of places of a shift, which is less than the type has bits.</summary>
    private string Count(Operation shift)
    {
        var count = shift.Operands[1];
        if (count is Constant constant) return Number(constant).Text;
        var bits = ProgramNames.TypeOf(shift.Width) == "ulong" ? 6 : 5;
        if (count.Width <= bits && ProgramNames.TypeOf(shift.Width) != "bool") return $"(int){In(count, "uint")}";
        throw new CompileException(
            DiagnosticNumber.Dialect,
            $"a shift of {shift.Width} bits by a number of {count.Width} bits is not that of C#, which takes {bits}; "
            + $"mask the number of places by {(1 << bits) - 1}",
            shift.Location);
    }

    /// <summary>A number whose highest bit is its sign, as a signed one of C#.</summary>
    private string Signed(Value value, int width)
    {
        var (type, bits) = width <= 32 ? ("int", 32) : ("long", 64);
        var above = bits - value.Width;
        var number = In(value, width <= 32 ? "uint" : "ulong");
        return above == 0 ? $"({type}){number}" : $"((({type})({number} << {above})) >> {above})";
    }

    private static string Unsigned(string text, string type) => $"({type})({text})";
}
