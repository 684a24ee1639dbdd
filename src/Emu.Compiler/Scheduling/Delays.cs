using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>
/// The levels of logic, in tenths, between flops and a value, estimated before synthesis. They are what synthesis gives
/// on a Xilinx 7-series device; LUTs, wide multiplexers and carry cells are counted alike.
/// </summary>
internal sealed class Delays
{
    /// <summary>A level, in the unit of this class: tenths.</summary>
    public const int Level = 10;

    /// <summary>A gate of two or three inputs: a level holds more than two that follow one another.</summary>
    public const int Gate = 4;

    /// <summary>A LUT compares three bits with three others, or six with a constant.</summary>
    private const int LutInputs = 6;

    /// <summary>Bits of a carry cell.</summary>
    private const int CarryBits = 4;

    /// <summary>Bits that a carry cell compares: three in the LUTs before each of its four.</summary>
    private const int ComparedBits = 12;

    private readonly Dictionary<Value, int> _arrivals = new(ReferenceEqualityComparer.Instance);

    /// <summary>
    /// Says when a value arrives that is not computed from its operands: a RAM's word,
    /// a wire whose source is not known yet.
    /// </summary>
    public void Set(Value value, int arrival) => _arrivals[value] = arrival;

    /// <summary>The tenths of levels before a value; 0 for constants, flops and inputs.</summary>
    public int Of(Value value)
    {
        if (_arrivals.TryGetValue(value, out var known)) return known;
        var arrival = value switch
        {
            Operation operation => operation.Operands.Max(Of) + (int)Math.Round(Level * LogicLevels.Of(operation)),
            Wire wire => Of(wire.Source),
            _ => 0,
        };
        return _arrivals[value] = arrival;
    }

    /// <summary>The tenths of levels that an operation adds to its operands'.</summary>
    public static int LevelsOf(Operation operation)
    {
        var width = operation.Operands[0].Width;
        var isByConstant = operation.Operands.Count > 1 && operation.Operands[1] is Constant;
        return operation.Opcode switch
        {
            Opcode.Extract or Opcode.Concat or Opcode.ZeroExtend or Opcode.SignExtend or Opcode.Truncate => 0,
            Opcode.Xor when isByConstant => 0,
            Opcode.And or Opcode.Or or Opcode.Xor or Opcode.Select => Gate,
            Opcode.Equal when (isByConstant ? width : 2 * width) <= 3 => Gate,
            Opcode.Equal when !isByConstant && WideComparison.IsFor(width) =>
                Level * (1 + (WideComparison.Parts(width) + CarryBits) / CarryBits),
            Opcode.Equal => Level * TreeLevels(isByConstant ? width : 2 * width),
            Opcode.LessUnsigned or Opcode.LessSigned => Level * (1 + (width + ComparedBits - 1) / ComparedBits),
            Opcode.Add or Opcode.Subtract => LevelsOfSum(width),
            Opcode.ShiftLeft or Opcode.ShiftRight or Opcode.ShiftRightSigned =>
                Gate * Interval.Of((UInt128)width).Width,
            Opcode.PopCount when width <= LutInputs => Level,
            Opcode.PopCount or Opcode.LeadingZeros or Opcode.TrailingZeros => 2 * Level * TreeLevels(width),
            // A row of adders, one for each bit.
            Opcode.Multiply => Level * width,
            _ => Level * width * (1 + width / CarryBits),
        };
    }

    /// <summary>The tenths of levels that a sum adds up to some of its bits: the carry goes on from there.</summary>
    public static int LevelsOfSum(int bits) => Level * (1 + (bits + CarryBits - 1) / CarryBits);

    private static int TreeLevels(int inputs)
    {
        var levels = 1;
        for (; inputs > LutInputs; inputs = (inputs + LutInputs - 1) / LutInputs) levels++;
        return levels;
    }
}
