using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The number of low bits of each value that are used: above, it could be anything (the demanded bits of LLVM, as a
/// length). Of a sum of which all bits are used, some low ones are wires; of one that is only used truncated, a shorter
/// sum will do.
/// </summary>
internal sealed class DemandedBits
{
    private readonly NodeTable<Value, int> _demanded = new();

    /// <summary>Finds the bits that a function uses of its operations.</summary>
    public DemandedBits(Function function)
    {
        var blocks = function.Blocks();
        foreach (var block in blocks)
        {
            foreach (var phi in block.Phis)
                foreach (var operand in phi.Operands) Demand(operand, operand.Width);
            foreach (var value in Verifier.UsedBy(block.Terminator)) Demand(value, value.Width);
        }
        // Uses come after what they use, but for phis, which demand all.
        for (var at = blocks.Count - 1; at >= 0; at--)
        {
            var operations = blocks[at].Operations;
            for (var place = operations.Count - 1; place >= 0; place--)
            {
                var operation = operations[place];
                for (var i = 0; i < operation.Operands.Count; i++)
                    Demand(operation.Operands[i], OfOperand(operation, i));
            }
        }
    }

    /// <summary>The low bits of a value that are used; 0 when nothing is.</summary>
    public int Of(Value value) => _demanded.GetValueOrDefault(value);

    private void Demand(Value value, int bits)
    {
        if (value is Operation && Of(value) < bits) _demanded[value] = bits;
    }

    private int OfOperand(Operation operation, int operand)
    {
        var (o, all) = (operation.Operands, operation.Operands[operand].Width);
        var same = Math.Min(all, Of(operation));
        return operation.Opcode switch
        {
            Opcode.Extract => operation.Low + same,
            Opcode.Truncate or Opcode.ZeroExtend or Opcode.Add or Opcode.Subtract or Opcode.Multiply => same,
            Opcode.Or or Opcode.Xor => same,
            Opcode.And when o[1 - operand] is Constant mask => Math.Min(same, BitsOf(mask)),
            Opcode.And => same,
            Opcode.Select when operand > 0 => same,
            Opcode.ShiftLeft when operand == 0 && o[1] is Constant { Bits: var by } =>
                (int)UInt128.Max(0, by < (uint)same ? (UInt128)same - by : 0),
            Opcode.ShiftRight when operand == 0 && o[1] is Constant { Bits: var by } && by < (uint)all =>
                Math.Min(all, same + (int)by),
            Opcode.Concat when operand == 1 => same,
            Opcode.Concat => Math.Max(0, Of(operation) - o[1].Width),
            _ => all,
        };
    }

    private static int BitsOf(Constant mask) => (int)(128 - UInt128.LeadingZeroCount(mask.Bits));
}
