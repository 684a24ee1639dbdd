using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// An offset as a sum of values, each once, and a constant, modulo a power of two that no offset reaches.
/// </summary>
/// <param name="Terms">The values, without zeros in front of them.</param>
/// <param name="Constant">The constant.</param>
internal sealed record TurnOffset(IReadOnlyList<Value> Terms, UInt128 Constant)
{
    /// <summary>The sum that a value is.</summary>
    /// <param name="value">An offset.</param>
    /// <param name="bits">The bits of an offset.</param>
    /// <param name="isWhole">True of an operation of fewer bits whose result needs no more.</param>
    public static TurnOffset Of(Value value, int bits, Predicate<Operation> isWhole)
    {
        bool Keeps(Value one) => one.Width >= bits || isWhole((Operation)one);
        var (terms, number) = (new List<Value>(), UInt128.Zero);
        var open = new Stack<Value>([value]);
        while (open.TryPop(out var next))
        {
            switch (next)
            {
                case Constant constant:
                    number += constant.Bits;
                    break;
                case Operation { Opcode: Opcode.Add, Operands: var o } when Keeps(next):
                    o.ForEach(open.Push);
                    break;
                case Operation { Opcode: Opcode.Subtract, Operands: [var a, Constant b] } when Keeps(next):
                    open.Push(a);
                    number -= b.Bits;
                    break;
                case Operation { Opcode: Opcode.Concat, Operands: [Constant { Bits: var zeros }, var low] }
                    when zeros == 0:
                    open.Push(low);
                    break;
                case Operation { Opcode: Opcode.ZeroExtend, Operands: [var part] }:
                    open.Push(part);
                    break;
                case Operation { Opcode: Opcode.Truncate, Operands: [var whole] } when Keeps(next):
                    open.Push(whole);
                    break;
                case Operation { Opcode: Opcode.Extract, Low: 0, Operands: [var all] } when Keeps(next):
                    open.Push(all);
                    break;
                default:
                    terms.Add(next);
                    break;
            }
        }
        return new TurnOffset(terms, number & Arithmetic.Mask(bits));
    }

    /// <summary>True if two differ by a constant.</summary>
    public bool IsLike(TurnOffset other) =>
        Terms.Count == other.Terms.Count
        && new HashSet<Value>(Terms, ReferenceEqualityComparer.Instance).SetEquals(other.Terms);
}
