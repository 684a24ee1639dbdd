using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The numbers that phis of a loop can be, where what comes around says it, a remainder. That a signed one is not
/// negative is supposed, and holds if it follows for the next turn (induction).
/// </summary>
/// <param name="of">The numbers that values in front of the loop can be, and all of those that are not known.</param>
internal sealed class InductiveRanges(Func<Value, Interval> of)
{
    /// <summary>The operations that are looked into, one below the other.</summary>
    private const int MostDepth = 12;

    private readonly Dictionary<Value, Interval> _supposed = new(ReferenceEqualityComparer.Instance);

    /// <summary>The ranges of the phis of a block; those of which nothing is known are left out.</summary>
    /// <param name="header">The block with which the loop begins.</param>
    /// <param name="isKnown">True of a value that comes in from the front.</param>
    public IReadOnlyDictionary<Value, Interval> Of(Block header, Predicate<Value> isKnown)
    {
        foreach (var phi in header.Phis.Where(phi => !phi.Operands.TrueForAll(isKnown)))
        {
            var ranges = phi.Operands.ConvertAll(value => isKnown(value) ? of(value) : Supposed(value));
            if (ranges.TrueForAll(range => range is not null))
                _supposed[phi] = ranges.Select(range => range!.Value).Aggregate((a, b) => a.Join(b));
        }
        while (_supposed.Keys.FirstOrDefault(phi => !Holds((Phi)phi)) is { } wrong) _supposed.Remove(wrong);
        return _supposed;
    }

    private bool Holds(Phi phi) => phi.Operands.TrueForAll(value => Range(value, MostDepth) is var next
        && next.Min >= _supposed[phi].Min && next.Max <= _supposed[phi].Max);

    /// <summary>
    /// The range of a remainder that comes around, if a signed one is not negative; null of any other value.
    /// </summary>
    private static Interval? Supposed(Value value) => value switch
    {
        Operation { Opcode: Opcode.RemainderSigned or Opcode.RemainderUnsigned, Operands: [_, Constant divisor] }
            when divisor.Bits > 0 && divisor.Bits <= Arithmetic.Mask(value.Width - 1) =>
                new Interval(0, divisor.Bits - 1),
        Operation { Opcode: Opcode.Concat, Operands: [Constant high, var low] } when high.Bits == 0 => Supposed(low),
        Operation { Opcode: Opcode.ZeroExtend, Operands: [var low] } => Supposed(low),
        Operation { Opcode: Opcode.Extract, Low: 0, Operands: [var whole] }
            when Supposed(whole)?.Max <= Arithmetic.Mask(value.Width) => Supposed(whole),
        _ => null,
    };

    private Interval Range(Value value, int depth)
    {
        if (value is Constant constant) return Interval.Of(constant.Bits);
        if (_supposed.TryGetValue(value, out var supposed)) return supposed;
        var known = of(value);
        return depth > 0 && known == Interval.Full(value.Width) && value is Operation operation
            && OpcodeTable.Of(operation.Opcode).Range is { } range
                ? range(operation, operand => Range(operand, depth - 1))
                : known;
    }
}
