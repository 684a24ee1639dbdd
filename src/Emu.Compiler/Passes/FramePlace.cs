using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Compares places in the frame that are computed of the same values: one a constant number of bytes behind the other
/// (dependence tests by base and offset, Muchnick 1997 §9.1).
/// </summary>
internal static class FramePlace
{
    /// <summary>True if an operation writes bytes of the frame at a computed place.</summary>
    public static bool IsComputedWrite(Operation operation) =>
        operation is { Opcode: Opcode.FrameWrite, Operands: [not Constant, ..] };

    /// <summary>The least number that a place can be, by what it is a sum of.</summary>
    public static UInt128 Least(Value place) =>
        (UInt128)Int128.Max(0, LinearForm.Of(place, place.Width, OfWidth, _ => null).Least(OfWidth) ?? 0);

    /// <summary>
    /// True if no byte of a read is one of a write: one begins a constant number of bytes behind the other's end.
    /// </summary>
    public static bool AreDisjoint(Operation read, Operation write)
    {
        var (from, to) = (read.Operands[0], write.Operands[0]);
        var (bytes, written) = ((UInt128)(read.Width / 8), (UInt128)(write.Operands[1].Width / 8));
        if (from is Constant { Bits: var constant }) return constant + bytes <= Least(to);
        var bits = Math.Max(from.Width, to.Width);
        var distance = Form(from).Minus(Form(to));
        // Places are no more than the sums' modulus: a distance that wraps is that of a read in front of the write.
        return distance.IsNumber && distance.Number >= written && distance.Number + bytes <= UInt128.One << bits;

        LinearForm Form(Value place) => LinearForm.Of(place, bits, OfWidth, _ => null);
    }

    private static Interval OfWidth(Value value) => new(0, Arithmetic.Mask(value.Width));
}
