using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// A part of the state that each turn multiplies by a constant and adds something to, as the digits of a number: what
/// several turns do is one such map (Horner's rule in look-ahead form; Parhi and Messerschmitt 1989, <em>Pipeline
/// interleaving and parallelism in recursive digital filters</em>), and only the product by their constants needs
/// what the part was.
/// </summary>
internal static class AffineTurns
{
    /// <summary>The part behind all turns; null if they make it otherwise.</summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="fold">The fold.</param>
    /// <param name="group">The turns.</param>
    /// <param name="turns">The same, one behind the other.</param>
    /// <param name="part">The number of the part.</param>
    public static Value? Of(Netlist n, FrameFold fold, FoldGroup group, TurnChain turns, int part)
    {
        var width = turns.State[part].Width;
        var (factor, addend) = (UInt128.One, (Value)FoldingBuilder.Zero(width));
        foreach (var (lane, before) in group.Lanes.Zip(turns.Before))
        {
            var standIn = new Wire("fold_number", FoldingBuilder.Zero(width));
            List<Value> state = [.. before];
            state[part] = standIn;
            var turn = new TurnCopy(n, fold, lane.Parameters(group.Invariants, state));
            if (new AffineMap(n, standIn).Of(turn.Next[part], width) is not var (by, more)) return null;
            // In front of the first turn the part is what the loop begins with, which this keeps.
            if (!Constant.Is(lane.IsTaken, 1))
            {
                var initial = group.Initial[part];
                more = n.Select(lane.IsTaken, more, n.Subtract(initial, Times(n, initial, by)));
            }
            (factor, addend) = (factor * by & Arithmetic.Mask(width), n.Add(Times(n, addend, by), more));
        }
        var (terms, negative) = ConstantProduct.TermsOf(n, turns.Before[0][part], new Constant(width, factor));
        addend = n.Add(addend, new Constant(width, (UInt128)negative));
        return CarrySaveSum.Of(n, [.. terms, addend]);
    }

    private static Value Times(Netlist n, Value value, UInt128 factor) => ConstantProduct.Of(
        n, new Operation(Opcode.Multiply, value.Width, value, new Constant(value.Width, factor)), same => same);
}
