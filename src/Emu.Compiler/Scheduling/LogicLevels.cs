using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>
/// The levels of logic that an operation adds on a 7-series device: a LUT or a wide multiplexer is 1, a carry cell
/// behind the first a quarter, since a carry goes from cell to cell without the wiring between LUTs.
/// </summary>
internal static class LogicLevels
{
    /// <summary>A gate of two or three inputs: a LUT holds more than two that follow one another.</summary>
    private const double Gate = 0.4;

    /// <summary>A carry cell behind another.</summary>
    private const double Carry = 0.25;

    /// <summary>Bits of a carry cell.</summary>
    private const int CarryBits = 4;

    /// <summary>Bits that a carry cell compares: two in the LUT before each of its four.</summary>
    private const int ComparedBits = 8;

    /// <summary>Inputs of a LUT.</summary>
    private const int LutInputs = 6;

    /// <summary>
    /// The levels that pass while a multiplier block works, and while its product goes through one behind it.
    /// </summary>
    private const double Block = 8, BlockBehind = 3.5;

    /// <summary>The levels between a value and what it is computed of.</summary>
    public static double Of(Value value) => value switch
    {
        Operation operation => Of(operation),
        RamRead { IsRegistered: false } read => OfWord(read.Ram),
        _ => 0,
    };

    private static double Of(Operation operation)
    {
        var width = operation.Operands[0].Width;
        var isByConstant = operation.Operands.Exists(o => o is Constant);
        return operation.Opcode switch
        {
            Opcode.Extract or Opcode.Concat or Opcode.ZeroExtend or Opcode.SignExtend or Opcode.Truncate => 0,
            Opcode.And or Opcode.Or or Opcode.Xor when isByConstant => 0,
            Opcode.And or Opcode.Or or Opcode.Xor or Opcode.Select => Gate,
            Opcode.Equal => OfEqual(isByConstant, width),
            Opcode.LessUnsigned or Opcode.LessSigned =>
                OfCarries(width, isByConstant ? 2 * ComparedBits : ComparedBits),
            Opcode.Add or Opcode.Subtract => OfCarries(width, CarryBits),
            Opcode.ShiftLeft or Opcode.ShiftRight or Opcode.ShiftRightSigned =>
                Gate * Interval.Of((UInt128)width).Width,
            Opcode.PopCount or Opcode.LeadingZeros or Opcode.TrailingZeros => 2 * Tree(width),
            Opcode.Multiply => OfProduct(operation.Width, isByConstant),
            _ => OfDivision(width),
        };
    }

    private static double OfEqual(bool isByConstant, int width) =>
        !isByConstant && WideComparison.IsFor(width)
            ? OfCarries(WideComparison.Parts(width), CarryBits)
            : Tree(isByConstant ? width : 2 * width);

    /// <summary>LUTs, and a carry chain behind them.</summary>
    private static double OfCarries(int bits, int bitsOfCell) => 2 + Carry * ((bits + bitsOfCell - 1) / bitsOfCell - 1);

    /// <summary>A tree of LUTs; gates for what needs less than one.</summary>
    private static double Tree(int inputs)
    {
        if (inputs <= 3) return Gate;
        var levels = 1;
        for (; inputs > LutInputs; inputs = (inputs + LutInputs - 1) / LutInputs) levels++;
        return levels;
    }

    /// <summary>
    /// Small products are LUTs; others are pieces of 17 bits by 24, each in a multiplier block, whose products go
    /// through a column of blocks.
    /// </summary>
    private static double OfProduct(int width, bool isByConstant)
    {
        const int Small = 10, Piece = 17;
        if (width <= Small) return isByConstant ? 4 : 7;
        var pieces = (width + Piece - 1) / Piece;
        return Block + BlockBehind * (pieces - 1) + (isByConstant || pieces < 4 ? 0 : OfCarries(width, CarryBits));
    }

    /// <summary>
    /// A row for each bit of the quotient: a subtraction, and a choice by its borrow that the next row waits for.
    /// </summary>
    private static double OfDivision(int width) => width * (4 + Carry * ((width + CarryBits - 1) / CarryBits));

    /// <summary>
    /// The word of a distributed RAM: a LUT for up to 64 words, wide multiplexers for up to 256, and a tree beyond.
    /// </summary>
    private static double OfWord(Ram ram) =>
        ram.AddressWidth switch { <= LutInputs => 1, <= LutInputs + 2 => 2, _ => 2 + Gate * (ram.AddressWidth - 8) };
}
