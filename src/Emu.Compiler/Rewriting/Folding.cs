using Emu.Compiler.IR;

namespace Emu.Compiler.Rewriting;

/// <summary>Results that are known without computing: operations on constants, and identities.</summary>
public static class Folding
{
    /// <summary>
    /// The value that an operation is sure to have, among those that are there already;
    /// null when it has to be computed.
    /// </summary>
    public static Value? TryFold(Operation operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        if (operation.IsEffect || operation.ReadsState || operation.Opcode == Opcode.Input) return null;
        var o = operation.Operands;
        if (operation.Opcode is Opcode.DivideUnsigned or Opcode.DivideSigned
                or Opcode.RemainderUnsigned or Opcode.RemainderSigned
            && Constant.Is(o[1], 0))
            return null; // behind a branch that never goes there
        if (o.All(operand => operand is Constant))
            return new Constant(operation.Width, Arithmetic.Compute(operation, Bits(o, 0), Bits(o, 1), Bits(o, 2)));
        return operation.Opcode switch
        {
            Opcode.Add or Opcode.Or or Opcode.Xor when Constant.Is(o[1], 0) => o[0],
            Opcode.Add or Opcode.Or or Opcode.Xor when Constant.Is(o[0], 0) => o[1],
            Opcode.Subtract or Opcode.ShiftLeft or Opcode.ShiftRight or Opcode.ShiftRightSigned
                when Constant.Is(o[1], 0) => o[0],
            Opcode.ShiftLeft or Opcode.ShiftRight or Opcode.ShiftRightSigned when Constant.Is(o[0], 0) => o[0],
            Opcode.And when IsAllOnes(o[1]) => o[0],
            Opcode.And when IsAllOnes(o[0]) => o[1],
            Opcode.Or when IsAllOnes(o[0]) => o[0],
            Opcode.Or when IsAllOnes(o[1]) => o[1],
            Opcode.And or Opcode.Multiply when Constant.Is(o[1], 0) || Constant.Is(o[0], 0) =>
                new Constant(operation.Width, 0),
            Opcode.Multiply when Constant.Is(o[1], 1) => o[0],
            Opcode.Xor when o[1] is Constant && o[0] is Operation { Opcode: Opcode.Xor } inner
                && Same(inner.Operands[1], o[1]) =>
                inner.Operands[0],
            Opcode.Select when o[0] is Constant condition => condition.Bits != 0 ? o[1] : o[2],
            Opcode.Select when o[1] == o[2] => o[1],
            Opcode.Equal when o[0] == o[1] => new Constant(1, 1),
            Opcode.Equal when o[0].Width == 1 && Constant.Is(o[1], 1) => o[0],
            Opcode.Truncate
                when o[0] is Operation { Opcode: Opcode.ZeroExtend or Opcode.SignExtend } wider
                    && wider.Operands[0].Width == operation.Width
                => wider.Operands[0],
            Opcode.LessUnsigned when Constant.Is(o[1], 0) => new Constant(1, 0),
            _ => null,
        };
    }

    /// <summary>A simpler operation with the same result; null when there is none.</summary>
    public static Operation? TrySimplify(Operation operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        var o = operation.Operands;
        switch (operation.Opcode)
        {
            // A comparison with a constant needs only the bits that vary.
            case Opcode.Equal
                when o[0] is Operation { Opcode: Opcode.ZeroExtend } extended && o[1] is Constant constant
                    && constant.Bits <= Arithmetic.Mask(extended.Operands[0].Width):
                return new Operation(
                    Opcode.Equal, 1, extended.Operands[0], new Constant(extended.Operands[0].Width, constant.Bits))
                {
                    Location = operation.Location,
                };
            case Opcode.Equal when o[0].Width == 1 && Constant.Is(o[1], 0):
                return new Operation(Opcode.Xor, 1, o[0], new Constant(1, 1)) { Location = operation.Location };
            case Opcode.ZeroExtend when o[0] is Operation { Opcode: Opcode.ZeroExtend } narrower:
                return new Operation(Opcode.ZeroExtend, operation.Width, narrower.Operands[0])
                {
                    Location = operation.Location,
                };
            case Opcode.Truncate when o[0] is Operation { Opcode: Opcode.Truncate } wider:
                return new Operation(Opcode.Truncate, operation.Width, wider.Operands[0])
                {
                    Location = operation.Location,
                };
            case Opcode.Truncate
                when o[0] is Operation { Opcode: Opcode.ZeroExtend } extended
                    && extended.Operands[0].Width != operation.Width:
                var opcode = extended.Operands[0].Width > operation.Width ? Opcode.Truncate : Opcode.ZeroExtend;
                return new Operation(opcode, operation.Width, extended.Operands[0]) { Location = operation.Location };
            default:
                return null;
        }
    }

    private static UInt128 Bits(List<Value> operands, int index) =>
        index < operands.Count ? ((Constant)operands[index]).Bits : 0;

    private static bool IsAllOnes(Value value) =>
        value is Constant constant && constant.Bits == Arithmetic.Mask(constant.Width);

    private static bool Same(Value a, Value b) => a == b || a is Constant x && b is Constant y && x.Bits == y.Bits;
}
