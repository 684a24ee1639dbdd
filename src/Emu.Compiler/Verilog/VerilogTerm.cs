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

    /// <summary>
    /// The text, for the one place in which it is printed; a line may be broken where it has a line feed.
    /// </summary>
    public abstract string Read();
}

/// <summary>Bits of a declared vector: what Verilog can index.</summary>
internal sealed class VerilogSlice(VerilogSignal signal, int low, int width) : VerilogTerm
{
    public override Precedence Precedence => Precedence.Primary;

    public VerilogSlice Bits(int from, int count) => new(signal, low + from, count);

    public VerilogSlice Sign => new(signal, low + width - 1, 1);

    public override string Read() => signal.Read(low, width);
}

/// <summary>Text that has been composed.</summary>
internal sealed class VerilogText(Precedence precedence, string text) : VerilogTerm
{
    public override Precedence Precedence => precedence;

    public string Text { get; } = text;

    /// <summary>
    /// The operator on its outside; a comma for a concatenation, whose <see cref="Text"/> is without
    /// braces; empty for none.
    /// </summary>
    public string Operator { get; init; } = "";

    /// <summary>The text of its complement, when that is no longer than its own.</summary>
    public VerilogText? Inverse { get; init; }

    /// <summary>
    /// True if it has to be all of the right side of an assignment: inside an unsigned expression it would be unsigned.
    /// </summary>
    public bool IsSigned { get; init; }

    /// <summary>The number of conditions in a chain of conditionals.</summary>
    public int Arms { get; init; }

    public override string Read() => Operator == "," ? $"{{{Text}}}" : Text;
}
