using Emu.Compiler.IR;

namespace Emu.Compiler.Rtl;

/// <summary>The parity of a value's bits: the lowest bit of the number of ones.</summary>
internal static class Parity
{
    /// <summary>
    /// The bits that a LUT takes in. A tree of twos, as synthesis makes of many bits, has four below each LUT.
    /// </summary>
    public const int PartBits = 6;

    /// <summary>True if an operation is one.</summary>
    public static bool Is(Operation operation) =>
        operation is { Opcode: Opcode.Extract or Opcode.Truncate, Width: 1, Low: 0 }
        && operation.Operands[0] is Operation { Opcode: Opcode.PopCount };
}
