namespace Emu.Compiler.Verilog;

/// <summary>The precedence of the operators of Verilog, the loosest first (IEEE 1364-2005 §5.1.2).</summary>
internal enum Precedence
{
    Conditional,
    LogicalOr,
    LogicalAnd,
    Or,
    Xor,
    And,
    Equality,
    Relational,
    Shift,
    Add,
    Multiply,
    Unary,
    Primary,
}

/// <summary>A value as Verilog text.</summary>
internal abstract class VerilogTerm
{
    public abstract Precedence Precedence { get; }

    /// <summary>The length of the text, about.</summary>
    public abstract int Length { get; }

    /// <summary>
    /// The text, for the one place in which it is printed; a line may be broken where it has a line feed.
    /// </summary>
    public abstract string Read();

    /// <summary>This above another term as one term, where both are parts of one thing; else null.</summary>
    public virtual VerilogTerm? Above(VerilogTerm low) => null;
}

/// <summary>Bits of a declared vector: what Verilog can index.</summary>
internal sealed class VerilogSlice(VerilogSignal signal, int low, int width) : VerilogTerm
{
    public VerilogSignal Signal => signal;

    public int Low => low;

    public int Width => width;

    public override Precedence Precedence => Precedence.Primary;

    public override int Length => signal.Length;

    public VerilogSlice Bits(int from, int count) => new(signal, low + from, count);

    public VerilogSlice Sign => new(signal, low + width - 1, 1);

    public override string Read() => signal.Read(low, width);

    public override VerilogTerm? Above(VerilogTerm other) =>
        other is VerilogSlice below && below.Signal == signal && below.Low + below.Width == low
            ? new VerilogSlice(signal, below.Low, width + below.Width)
            : null;
}

/// <summary>Text that has been composed.</summary>
internal sealed class VerilogText(Precedence precedence, string text) : VerilogTerm
{
    public override Precedence Precedence => precedence;

    public override int Length => Text.Length;

    public string Text { get; } = text;

    /// <summary>The operator on its outside; empty for none.</summary>
    public string Operator { get; init; } = "";

    /// <summary>The text of its complement, when that is no longer than its own.</summary>
    public VerilogText? Inverse { get; init; }

    /// <summary>
    /// True if it has to be all of the right side of an assignment: inside an unsigned expression it would be unsigned.
    /// </summary>
    public bool IsSigned { get; init; }

    /// <summary>The number of conditions in a chain of conditionals.</summary>
    public int Arms { get; init; }

    public override string Read() => Text;
}

/// <summary>A choice between two terms that others may stand beside: bits of vectors, or zeros.</summary>
internal sealed class VerilogChoice(string condition, VerilogTerm then, VerilogTerm otherwise) : VerilogTerm
{
    public override Precedence Precedence => Precedence.Conditional;

    public override int Length => condition.Length + then.Length + otherwise.Length + 6;

    public override string Read() => $"{condition}\n? {then.Read()}\n: {otherwise.Read()}";

    /// <summary>Two choices by one condition are one choice.</summary>
    public override VerilogTerm? Above(VerilogTerm low) =>
        low is VerilogChoice other && other.Condition == condition
        && then.Above(other.Then) is { } high && otherwise.Above(other.Otherwise) is { } rest
            ? new VerilogChoice(condition, high, rest)
            : null;

    private string Condition => condition;

    private VerilogTerm Then => then;

    private VerilogTerm Otherwise => otherwise;
}

/// <summary>A number.</summary>
internal sealed class VerilogNumber(int width, UInt128 bits) : VerilogTerm
{
    public override Precedence Precedence => Precedence.Primary;

    public override int Length => VerilogLiteral.Of(width, bits).Length;

    public override string Read() => VerilogLiteral.Of(width, bits);

    /// <summary>Zeros beside zeros are zeros, of whatever width.</summary>
    public override VerilogTerm? Above(VerilogTerm low) =>
        low is VerilogNumber other && bits == 0 && other.Bits == 0 ? new VerilogNumber(width + other.Width, 0) : null;

    private int Width => width;

    private UInt128 Bits => bits;
}

/// <summary>Terms side by side, the highest first.</summary>
/// <param name="items">None of them a list.</param>
/// <param name="wiring">The functions that only change the places of bits.</param>
internal sealed class VerilogList(IReadOnlyList<VerilogTerm> items, WiringFunctions wiring) : VerilogTerm
{
    /// <summary>So many equal items are written once, with their number.</summary>
    private const int LeastCopies = 3;

    public IReadOnlyList<VerilogTerm> Items => items;

    public override Precedence Precedence => Precedence.Primary;

    public override int Length => items.Sum(item => item.Length + 2);

    /// <summary>True if it is nothing but bits of vectors.</summary>
    public bool IsWiring => items.All(item => item is VerilogSlice);

    public override string Read()
    {
        var joined = Joined();
        if (joined.Count == 1) return joined[0].Read();
        if (wiring.Call(joined) is { } call) return call;
        var texts = joined.ConvertAll(item => item.Read().Replace('\n', ' '));
        var pieces = new List<string>();
        for (var i = 0; i < texts.Count;)
        {
            var copies = texts.Skip(i).TakeWhile(text => text == texts[i]).Count();
            if (copies < LeastCopies) pieces.AddRange(texts.GetRange(i, copies));
            else pieces.Add($"{{{copies}{{{texts[i]}}}}}");
            i += copies;
        }
        var list = string.Join(",\n", pieces);
        return pieces.Count == 1 ? list : $"{{{list}}}";
    }

    private List<VerilogTerm> Joined()
    {
        var joined = new List<VerilogTerm>();
        foreach (var item in items)
        {
            if (joined.Count > 0 && joined[^1].Above(item) is { } both) joined[^1] = both;
            else joined.Add(item);
        }
        return joined;
    }
}
