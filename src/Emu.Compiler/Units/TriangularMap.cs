using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Units;

/// <summary>
/// The low bits of values, made of the low bits of another value alone: no bit of a sum, of a product or of a bitwise
/// operation needs a higher bit of what it is made of (triangular functions; Klimov and Shamir 2002, <em>A new class
/// of invertible mappings</em>).
/// </summary>
/// <param name="n">Makes values.</param>
/// <param name="dependence">The values that are computed of the other.</param>
/// <param name="low">Its low bits.</param>
internal sealed class TriangularMap(FoldingBuilder n, Dependence dependence, Value low)
{
    private readonly Dictionary<(Value, int), Value?> _made = [];

    /// <summary>The bits; null if they need others.</summary>
    /// <param name="value">The value.</param>
    /// <param name="bits">Their number.</param>
    public Value? Of(Value value, int bits)
    {
        if (!dependence.Has(value)) return n.Resize(value, bits);
        if (value == dependence.State) return bits <= low.Width ? n.Extract(low, 0, bits) : null;
        if (_made.TryGetValue((value, bits), out var known)) return known;
        return _made[(value, bits)] = Made((Operation)value, bits);
    }

    private Value? Made(Operation operation, int bits)
    {
        var o = operation.Operands;
        switch (operation.Opcode)
        {
            case Opcode.Add or Opcode.Subtract or Opcode.Xor or Opcode.And or Opcode.Or
                when Of(o[0], bits) is { } a && Of(o[1], bits) is { } b:
                return n.Make(operation.Opcode, bits, a, b);
            case Opcode.Extract when operation.Low == 0:
            case Opcode.ZeroExtend or Opcode.Truncate when bits <= o[0].Width:
                return Of(o[0], bits);
            case Opcode.Concat when bits <= o[1].Width:
                return Of(o[1], bits);
            case Opcode.Concat when Of(o[1], o[1].Width) is { } part && Of(o[0], bits - o[1].Width) is { } rest:
                return n.Concat(rest, part);
            case Opcode.Select when !dependence.Has(o[0]) && Of(o[1], bits) is { } a && Of(o[2], bits) is { } b:
                return n.Select(o[0], a, b);
            default:
                return null;
        }
    }
}
