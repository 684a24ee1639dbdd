using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Reports.Size;

/// <summary>
/// Sums that a multiplier block makes itself: one term is a product that nothing else uses, as it is or from a flop
/// (Xilinx UG479: the adder behind the multiplier, and the register between the two).
/// </summary>
internal sealed class PostAdders
{
    /// <summary>The bits that the adder has.</summary>
    private const int Width = 48;

    private readonly Dictionary<Value, int> _uses = new(ReferenceEqualityComparer.Instance);

    /// <summary>Counts the uses of values.</summary>
    /// <param name="values">All values of a design.</param>
    public PostAdders(IReadOnlyList<Value> values)
    {
        foreach (var value in values)
        {
            foreach (var operand in CombinationalOrder.Operands(value)) Count(operand);
            if (value is Flop flop) Count(flop.Next);
        }
    }

    /// <summary>True if a sum needs no LUTs.</summary>
    public bool Take(Operation sum) =>
        sum is { Opcode: Opcode.Add, Width: <= Width }
        && sum.Operands.Exists(term => IsOnlyProduct(term, isFlop: false));

    private void Count(Value value) => _uses[value] = _uses.GetValueOrDefault(value) + 1;

    private bool IsOnlyProduct(Value value, bool isFlop)
    {
        if (_uses.GetValueOrDefault(value) > 1) return false;
        return value switch
        {
            Operation { Opcode: Opcode.Multiply } => true,
            Operation { Opcode: Opcode.Extract, Low: 0 } part => IsOnlyProduct(part.Operands[0], isFlop),
            Operation { Opcode: Opcode.Truncate or Opcode.ZeroExtend } same => IsOnlyProduct(same.Operands[0], isFlop),
            Operation { Opcode: Opcode.Concat } concat when Constant.Is(concat.Operands[0], 0) =>
                IsOnlyProduct(concat.Operands[1], isFlop),
            Wire wire => IsOnlyProduct(wire.Source, isFlop),
            Flop { Reset: null } flop => !isFlop && IsOnlyProduct(flop.Next, isFlop: true),
            _ => false,
        };
    }
}
