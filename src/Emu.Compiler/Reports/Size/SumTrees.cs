using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Reports.Size;

/// <summary>
/// Sums of several terms: a sum that only another one uses, and of which no carry is lost before, is a part of that,
/// and both are one tree of adders.
/// </summary>
internal sealed class SumTrees
{
    private readonly Dictionary<Value, int> _uses = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<Value> _parts = new(ReferenceEqualityComparer.Instance);

    public SumTrees(IReadOnlyList<Value> values)
    {
        foreach (var operand in values.SelectMany(CombinationalOrder.Operands))
            _uses[operand] = _uses.GetValueOrDefault(operand) + 1;
        foreach (var sum in values.OfType<Operation>().Where(IsSum))
            foreach (var operand in sum.Operands)
                if (Inner(operand, sum.Width) is { } inner) _parts.Add(inner);
    }

    /// <summary>True if the sum has no adder of its own.</summary>
    public bool IsPartOfAnother(Operation sum) => _parts.Contains(sum);

    /// <summary>The terms that a sum adds and subtracts.</summary>
    public IEnumerable<(Value Value, bool IsSubtracted)> TermsOf(Operation sum) =>
        Terms(sum, sum.Width, isSubtracted: false);

    private IEnumerable<(Value Value, bool IsSubtracted)> Terms(Operation sum, int width, bool isSubtracted)
    {
        for (var i = 0; i < sum.Operands.Count; i++)
        {
            var isNegative = isSubtracted ^ (sum.Opcode == Opcode.Subtract && i == 1);
            if (Inner(sum.Operands[i], width) is { } inner)
                foreach (var term in Terms(inner, width, isNegative)) yield return term;
            else yield return (sum.Operands[i], isNegative);
        }
    }

    /// <summary>
    /// The sum that an operand is, if nothing else uses it and it may be added to without its carry being lost.
    /// </summary>
    private Operation? Inner(Value operand, int width)
    {
        var value = operand;
        while (Named(value) is { } below)
        {
            if (_uses.GetValueOrDefault(value) > 1) return null;
            value = below;
        }
        if (value is not Operation inner || !IsSum(inner) || _uses.GetValueOrDefault(inner) > 1) return null;
        return inner.Width >= width || !MayOverflow(inner) ? inner : null;
    }

    /// <summary>
    /// The value that another is with zeros above, or by another name; null when it is something else.
    /// </summary>
    private static Value? Named(Value value) => value switch
    {
        Wire wire => wire.Source,
        Operation { Opcode: Opcode.ZeroExtend } extended => extended.Operands[0],
        Operation { Opcode: Opcode.Concat } concat when Constant.Is(concat.Operands[0], 0) => concat.Operands[1],
        _ => null,
    };

    private static bool IsSum(Operation o) => o.Opcode is Opcode.Add or Opcode.Subtract;

    private static bool MayOverflow(Operation sum) =>
        sum.Opcode == Opcode.Subtract || sum.Operands.Max(Significant) >= sum.Width;

    /// <summary>The bits of a value below those that are 0.</summary>
    private static int Significant(Value value) => value switch
    {
        Constant constant => Interval.Of(constant.Bits).Width,
        Operation { Opcode: Opcode.Add } sum => Math.Min(sum.Width, sum.Operands.Max(Significant) + 1),
        _ => Named(value) is { } named ? Significant(named) : value.Width,
    };
}
