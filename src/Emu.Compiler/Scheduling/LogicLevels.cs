using Emu.Compiler.Devices;
using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>The cells between a value and what it is computed of.</summary>
internal static class LogicLevels
{
    /// <summary>Address bits that wide multiplexers take behind the LUTs of a RAM.</summary>
    private const int MultiplexedBits = 2;

    /// <summary>The cells of a value; none for what comes from a flop or a pin.</summary>
    public static CellPath Of(Value value, Device device) => value switch
    {
        Operation operation => OperatorTable.Of(operation.Opcode).Path(operation, device),
        RamRead { IsRegistered: false } read => OfWord(read.Ram, device),
        _ => default,
    };

    /// <summary>
    /// The cells of a value, and what they take. Low bits of a sum are there before its high ones, and the lowest of a
    /// number of ones is their parity.
    /// </summary>
    public static (CellPath Path, IReadOnlyList<Value> Operands) WithOperands(Value value, Device device)
    {
        if (value is Operation { Opcode: Opcode.Extract } bits && Unnamed(bits.Operands[0]) is Operation whole)
        {
            if (whole.Opcode is Opcode.Add or Opcode.Subtract)
                return (OperatorTable.PathOfSum(bits.Low + bits.Width, device), whole.Operands);
            if (Parity.Is(bits)) return (OperatorTable.PathOfParity(whole.Operands[0].Width, device), whole.Operands);
        }
        return (Of(value, device), CombinationalOrder.Operands(value));
    }

    private static Value Unnamed(Value value) => value is Wire wire ? Unnamed(wire.Source) : value;

    /// <summary>
    /// The word of a RAM in LUTs: one LUT for as many words as it has, wide multiplexers for four times as many, and a
    /// tree beyond.
    /// </summary>
    private static CellPath OfWord(Ram ram, Device device)
    {
        var above = ram.AddressWidth - System.Numerics.BitOperations.Log2((uint)device.LutRamWords);
        var behind = above switch
        {
            <= 0 => 0,
            <= MultiplexedBits => 1,
            _ => 1 + (double)OperatorTable.Gate / OperatorTable.Level * (above - MultiplexedBits),
        };
        return new CellPath(behind, LutRams: 1);
    }
}
