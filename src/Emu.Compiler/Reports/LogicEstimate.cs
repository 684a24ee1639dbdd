namespace Emu.Compiler;

/// <summary>
/// LUTs of six inputs that operations need, before synthesis: what adjoins shares LUTs, so that a gate counts for its share of the inputs; bits that are
/// constant, or that no other operation asks for, count for nothing.
/// </summary>
internal sealed class LogicEstimate
{
    /// <summary>A tree of LUTs takes five inputs for each.</summary>
    private const double PerInput = 1 / 5.0;

    /// <summary>A multiplexer of four is a LUT.</summary>
    private const double PerChoice = 1 / 3.0;

    /// <summary>A LUT compares two bits with two others before the carry chain.</summary>
    private const double PerComparedBit = 1 / 2.0;

    private readonly Dictionary<Value, int> _asked = new(ReferenceEqualityComparer.Instance);

    /// <summary>Looks at what is asked of each operation.</summary>
    /// <param name="operations">All of them: users too.</param>
    public LogicEstimate(IEnumerable<Operation> operations)
    {
        foreach (var operation in operations)
        {
            foreach (var operand in operation.Operands.OfType<Operation>())
            {
                var bits = operation.Opcode == Opcode.Extract ? operation.Width : operand.Width;
                _asked[operand] = Math.Min(operand.Width, _asked.GetValueOrDefault(operand) + bits);
            }
        }
    }

    /// <summary>The estimate, not rounded.</summary>
    public double LutsOf(Operation operation)
    {
        if (operation.Operands.Count == 0 || operation.IsEffect || operation.ReadsState) return 0;
        var width = Math.Max(Varying(operation.Operands[0]), operation.Operands.Count > 1 ? Varying(operation.Operands[1]) : 0);
        var asked = _asked.GetValueOrDefault(operation, operation.Width);
        var isByConstant = operation.Operands.Any(o => o is Constant);
        return operation.Opcode switch
        {
            Opcode.Extract or Opcode.Concat or Opcode.ZeroExtend or Opcode.SignExtend or Opcode.Truncate => 0,
            Opcode.And or Opcode.Or or Opcode.Xor => isByConstant ? 0 : PerInput * Math.Min(width, asked),
            // Zero or a value is a gate.
            Opcode.Select => Math.Min(asked, Varying(operation)) * (operation.Operands.Skip(1).Any(o => o is Constant) ? PerInput : PerChoice),
            Opcode.Equal => PerInput * (isByConstant ? width : 2 * width),
            Opcode.LessUnsigned or Opcode.LessSigned => PerComparedBit * width,
            Opcode.Add or Opcode.Subtract => Math.Min(operation.Width, asked),
            Opcode.ShiftLeft or Opcode.ShiftRight or Opcode.ShiftRightSigned => Shift(operation, asked),
            // The lowest bit alone is a parity.
            Opcode.PopCount => asked == 1 ? PerInput * width : width,
            Opcode.LeadingZeros or Opcode.TrailingZeros => width,
            Opcode.Multiply => (double)width * asked / 2,
            _ => (double)width * operation.Width,
        };
    }

    /// <summary>A row of multiplexers for each bit of the count, or, where few bits are asked for, a multiplexer of all for each of these.</summary>
    private static double Shift(Operation operation, int asked)
    {
        var (width, count) = (operation.Operands[0].Width, Varying(operation.Operands[1]));
        var each = operation.Operands[0] is Constant ? Math.Max(1, (1 << Math.Min(count, 16)) / 64.0) : PerChoice * width;
        return Math.Min(PerChoice * asked * count, asked * each);
    }

    /// <summary>The bits of a value that are no constants.</summary>
    private static int Varying(Value value) => value switch
    {
        Constant => 0,
        Operation { Opcode: Opcode.Concat } concat => Varying(concat.Operands[0]) + Varying(concat.Operands[1]),
        Operation { Opcode: Opcode.ZeroExtend } extended => Varying(extended.Operands[0]),
        Operation { Opcode: Opcode.And } masked when masked.Operands.OfType<Constant>().FirstOrDefault() is { } mask => (int)UInt128.PopCount(mask.Bits),
        _ => value.Width,
    };
}
