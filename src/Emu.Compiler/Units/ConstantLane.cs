using Emu.Compiler.IR;

namespace Emu.Compiler.Units;

/// <summary>
/// The lane in which bytes of the frame begin, where it is the same for every offset that there can be, as in a loop
/// over whole words.
/// </summary>
internal static class ConstantLane
{
    /// <summary>The low bits of an offset; null if they are not constant.</summary>
    public static int? Of(Value offset, int bits) => offset switch
    {
        Constant constant => (int)(constant.Bits & Arithmetic.Mask(bits)),
        Operation { Opcode: Opcode.Concat, Operands: [_, var low] } when low.Width >= bits => Of(low, bits),
        Operation { Opcode: Opcode.ZeroExtend or Opcode.SignExtend } wider when wider.Operands[0].Width >= bits =>
            Of(wider.Operands[0], bits),
        Operation { Opcode: Opcode.Add, Operands: [var left, var right] }
            when Of(left, bits) is { } one && Of(right, bits) is { } other =>
            (one + other) & (int)Arithmetic.Mask(bits),
        _ => null,
    };
}
