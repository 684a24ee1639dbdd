using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Units;

/// <summary>
/// A value as a constant times the state and something more, modulo a power of two; made with a number in the place of
/// the state.
/// </summary>
/// <param name="n">Makes values.</param>
/// <param name="dependence">The values that are computed of the state.</param>
/// <param name="low">Its low bits, of which that which is more may be made; null if none are given.</param>
/// <param name="number">The number.</param>
internal sealed class AffineMap(FoldingBuilder n, Dependence dependence, Value? low, Value number)
{
    private readonly TriangularMap? _low = low is null ? null : new TriangularMap(n, dependence, low);
    private readonly Dictionary<(Value, int), (UInt128 Factor, Value Made)?> _made = [];

    /// <summary>The constant, and its product with the number and what is more; null if it is made otherwise.</summary>
    /// <param name="value">The value.</param>
    /// <param name="width">Its low bits that count.</param>
    public (UInt128 Factor, Value Made)? Of(Value value, int width)
    {
        if (value == dependence.State) return (1, n.Resize(number, width));
        if (!dependence.Has(value)) return (0, n.Resize(value, width));
        if (_made.TryGetValue((value, width), out var known)) return known;
        return _made[(value, width)] = OfOperation((Operation)value, width);
    }

    private (UInt128 Factor, Value Made)? OfOperation(Operation operation, int width)
    {
        var o = operation.Operands;
        switch (operation.Opcode)
        {
            case Opcode.Extract when operation.Low == 0:
            case Opcode.ZeroExtend or Opcode.Truncate when o[0].Width >= width:
                return Of(o[0], width);
            case Opcode.Concat when o[1].Width >= width:
                return Of(o[1], width);
            case Opcode.Concat when !dependence.Has(o[1]):
                var by = o[1].Width;
                return Of(o[0], width - by) is var (factor, made)
                    ? (factor << by & Arithmetic.Mask(width), n.Concat(made, o[1]))
                    : null;
            case Opcode.Concat:
                return OfOtherLow(operation, width);
            case Opcode.Add when Of(o[0], width) is var (a, x) && Of(o[1], width) is var (b, y):
                return (a + b & Arithmetic.Mask(width), n.Add(x, y));
            case Opcode.Subtract when Of(o[0], width) is var (a, x) && Of(o[1], width) is var (b, y):
                return (a - b & Arithmetic.Mask(width), n.Subtract(x, y));
            case Opcode.Select when !dependence.Has(o[0]) && Of(o[1], width) is var (a, x)
                && Of(o[2], width) is var (b, y) && a == b:
                return (a, n.Select(o[0], x, y));
            default:
                return _low?.Of(operation, width) is { } bits ? (0, bits) : null;
        }
    }

    /// <summary>
    /// A value of which the low bits are others: what these are more than its own is added, which the low bits alone
    /// tell. So the rest of the state stays a number that is multiplied.
    /// </summary>
    private (UInt128 Factor, Value Made)? OfOtherLow(Operation concat, int width)
    {
        if (concat.Operands is not [Operation { Opcode: Opcode.Extract, Operands: [var whole] } high, var low]
            || high.Low != low.Width || _low?.Of(low, low.Width) is not { } bits
            || _low.Of(whole, low.Width) is not { } own || Of(whole, width) is not var (factor, made))
            return null;
        // A bit more says whether it is less.
        var more = n.Subtract(n.Resize(bits, low.Width + 1), n.Resize(own, low.Width + 1));
        return (factor, n.Add(made, width > more.Width ? n.Make(Opcode.SignExtend, width, more) : more));
    }
}
