namespace Emu.Compiler;

/// <summary>
/// How many levels of logic lie between flops and a value: what <c>bench/synth</c> counts on a Xilinx 7-series device, LUTs, wide multiplexers and
/// carry cells alike, estimated before synthesis.
/// </summary>
internal sealed class Delays
{
    /// <summary>A LUT compares three bits with three others, or six with a constant.</summary>
    private const int LutInputs = 6;

    /// <summary>Bits of a carry cell.</summary>
    private const int CarryBits = 4;

    private readonly Dictionary<Value, int> _arrivals = new(ReferenceEqualityComparer.Instance);

    /// <summary>Says when a value arrives that is not computed from its operands: a RAM's word, a wire whose source is not known yet.</summary>
    public void Set(Value value, int arrival) => _arrivals[value] = arrival;

    /// <summary>The levels before a value; 0 for constants, flops and inputs.</summary>
    public int Of(Value value)
    {
        if (_arrivals.TryGetValue(value, out var known)) return known;
        var arrival = value switch
        {
            Operation operation => operation.Operands.Max(Of) + LevelsOf(operation),
            Wire wire => Of(wire.Source),
            _ => 0,
        };
        return _arrivals[value] = arrival;
    }

    private static int LevelsOf(Operation operation)
    {
        var width = operation.Operands[0].Width;
        var isByConstant = operation.Operands.Count > 1 && operation.Operands[1] is Constant;
        return operation.Opcode switch
        {
            Opcode.Extract or Opcode.Concat or Opcode.ZeroExtend or Opcode.SignExtend or Opcode.Truncate => 0,
            Opcode.Xor when isByConstant => 0,
            Opcode.And or Opcode.Or or Opcode.Xor or Opcode.Select => 1,
            Opcode.Equal => TreeLevels(isByConstant ? width : 2 * width),
            Opcode.Add or Opcode.Subtract or Opcode.LessUnsigned or Opcode.LessSigned => 1 + (width + CarryBits - 1) / CarryBits,
            Opcode.ShiftLeft or Opcode.ShiftRight or Opcode.ShiftRightSigned => Math.Max(1, (Interval.Of((UInt128)width).Width + 1) / 2),
            Opcode.PopCount => 2 * TreeLevels(width),
            Opcode.LeadingZeros or Opcode.TrailingZeros => 2 * TreeLevels(width),
            // A row of adders, one for each bit.
            Opcode.Multiply => width,
            _ => width * (1 + width / CarryBits),
        };
    }

    private static int TreeLevels(int inputs)
    {
        var levels = 1;
        for (; inputs > LutInputs; inputs = (inputs + LutInputs - 1) / LutInputs) levels++;
        return levels;
    }
}
