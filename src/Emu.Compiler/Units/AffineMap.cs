using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Units;

/// <summary>A value as a constant times another and something more, modulo a power of two.</summary>
/// <param name="n">Makes values.</param>
/// <param name="state">The other.</param>
internal sealed class AffineMap(FoldingBuilder n, Value state)
{
    private readonly Dictionary<Value, bool> _depends = new(ReferenceEqualityComparer.Instance);

    /// <summary>The factor, and what is added; null if it is made otherwise.</summary>
    /// <param name="value">The value.</param>
    /// <param name="width">Its low bits that count.</param>
    public (UInt128 Factor, Value Addend)? Of(Value value, int width)
    {
        if (value == state) return (1, FoldingBuilder.Zero(width));
        if (!Depends(value)) return (0, n.Resize(value, width));
        var (operation, o) = ((Operation)value, ((Operation)value).Operands);
        switch (operation.Opcode)
        {
            case Opcode.Extract when operation.Low == 0:
            case Opcode.ZeroExtend or Opcode.Truncate when o[0].Width >= width:
                return Of(o[0], width);
            case Opcode.Concat when o[1].Width >= width:
                return Of(o[1], width);
            case Opcode.Concat when !Depends(o[1]):
                var low = o[1].Width;
                return Of(o[0], width - low) is var (factor, addend)
                    ? (factor << low & Arithmetic.Mask(width), n.Concat(addend, o[1]))
                    : null;
            case Opcode.Add when Of(o[0], width) is var (a, x) && Of(o[1], width) is var (b, y):
                return (a + b & Arithmetic.Mask(width), n.Add(x, y));
            case Opcode.Subtract when Of(o[0], width) is var (a, x) && Of(o[1], width) is var (b, y):
                return (a - b & Arithmetic.Mask(width), n.Subtract(x, y));
            case Opcode.Select when !Depends(o[0]) && Of(o[1], width) is var (a, x) && Of(o[2], width) is var (b, y)
                && a == b:
                return (a, n.Select(o[0], x, y));
            default:
                return null;
        }
    }

    private bool Depends(Value value)
    {
        if (value == state) return true;
        if (value is not Operation operation) return false;
        if (_depends.TryGetValue(value, out var known)) return known;
        return _depends[value] = operation.Operands.Exists(Depends);
    }
}
