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
/// <remarks>
/// A turn may change the low bits in another way as well, as a hash that takes a byte by exclusive or. What that adds
/// to the number hangs on its low bits alone, which are smaller recurrences of their own
/// (<see cref="TriangularBits"/>).
/// </remarks>
internal sealed class AffineTurns
{
    /// <summary>The most low bits that are changed in another way.</summary>
    private const int MostLow = 16;

    private readonly Netlist _n;
    private readonly int _part, _width;
    private readonly Value _initial;
    private readonly TriangularBits? _low;
    private UInt128 _factor = UInt128.One;
    private Value _addend;
    private Value? _acts;

    private AffineTurns(Netlist n, FoldGroup group, TurnChain turns, int part, int lowBits)
    {
        (_n, _part, _width, _initial) = (n, part, turns.State[part].Width, group.Initial[part]);
        _addend = FoldingBuilder.Zero(_width);
        if (lowBits > 0) _low = new TriangularBits(n, group.IsFirst, _initial, lowBits);
    }

    /// <summary>The part as one number.</summary>
    public RecurrenceWay Whole { get; private set; } = null!;

    /// <summary>The part as two numbers that add up to it, so that no carry is waited for.</summary>
    public RecurrenceWay Saved { get; private set; } = null!;

    /// <summary>The ways to make a part of the state; null if turns make it otherwise.</summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="fold">The fold.</param>
    /// <param name="group">The turns.</param>
    /// <param name="turns">The same, one behind the other.</param>
    /// <param name="part">The number of the part.</param>
    public static AffineTurns? Of(Netlist n, FrameFold fold, FoldGroup group, TurnChain turns, int part)
    {
        var made = new AffineTurns(n, group, turns, part, LowBits(fold, part));
        foreach (var (lane, before) in group.Lanes.Zip(turns.Before))
            if (!made.TryTake(fold, lane, group.Invariants, before)) return null;
        made.Finish(group, turns);
        return made;
    }

    private void Finish(FoldGroup group, TurnChain turns)
    {
        var (n, part) = (_n, turns.State[_part]);
        var low = _low is null ? [] : _low.Wires.Zip(
            _low.Next, (wire, next) => (IReadOnlyList<(Wire, Value)>)[(wire, next)]).ToList();
        var zero = FoldingBuilder.Zero(_width);
        // A multiple of 0 is 0.
        var acts = Constant.Is(_initial, 0) ? FoldingBuilder.Bit(true) : _acts!;
        Value InFront(Value first, Value later) => n.Select(acts, n.Select(group.IsFirst, first, later), zero);
        Whole = new RecurrenceWay([.. low, [(part, CarrySaveSum.Of(n, Terms(InFront(_initial, part))))]], []);
        var (sum, carries) = (new Wire("fold_sum", zero), new Wire("fold_carries", zero));
        var (nextSum, nextCarries) = CarrySaveSum.Saved(
            n, Terms(InFront(_initial, sum), InFront(zero, carries)));
        Saved = new RecurrenceWay(
            [.. low, [(sum, nextSum), (carries, nextCarries)]], [(part, n.Add(sum, carries))]);
    }

    /// <summary>The terms of which the part behind all turns is the sum.</summary>
    /// <param name="parts">Numbers that add up to the part in front of them.</param>
    private List<Value> Terms(params ReadOnlySpan<Value> parts)
    {
        var (all, addend) = (new List<Value>(), _addend);
        foreach (var part in parts)
        {
            var (terms, more) = ConstantProduct.TermsOf(_n, part, new Constant(_width, _factor));
            all.AddRange(terms);
            addend = _n.Add(addend, new Constant(_width, (UInt128)more));
        }
        return [.. all, addend];
    }

    /// <summary>The low bits of a part that a turn puts together with others anew.</summary>
    private static int LowBits(FrameFold fold, int part)
    {
        var state = new Dependence(fold.StateParameters[part], []);
        return fold.Body.Operations.Select(operation => operation switch
        {
            { Opcode: Opcode.Concat, Operands: [Operation { Opcode: Opcode.Extract } high, var low] }
                when high.Low == low.Width && low.Width <= MostLow && state.Has(high) && state.Has(low) => low.Width,
            _ => 0,
        }).DefaultIfEmpty().Max();
    }

    private bool TryTake(
        FrameFold fold, FoldLanes.Lane lane, IReadOnlyList<Value> invariants, IReadOnlyList<Value> before)
    {
        var n = _n;
        var standIn = new Wire("fold_number", FoldingBuilder.Zero(_width));
        List<Value> state = [.. before];
        state[_part] = standIn;
        var next = new TurnCopy(n, fold, lane.Parameters(invariants, state)).Next[_part];
        var dependence = new Dependence(standIn, before);
        var (acts, changed) = Acting(lane, next, standIn);
        if (new AffineMap(n, dependence, _low?.Number, _addend).Of(changed, _width) is not var (by, made)) return false;
        // Until then the part is what the loop begins with, and no turn has changed it.
        _acts ??= acts;
        _addend = n.Select(acts, made, _initial);
        _factor = _factor * by & Arithmetic.Mask(_width);
        return _low?.TryTake(lane.IsTaken, dependence, next) != false;
    }

    /// <summary>
    /// From when on turns change the part, to what: it stays in front of the first turn, and where a turn says so until
    /// a bound is reached.
    /// </summary>
    private (Value Acts, Value Next) Acting(FoldLanes.Lane lane, Value next, Value standIn)
    {
        var acts = lane.IsTaken;
        while (next is Operation { Opcode: Opcode.Select, Operands: [var condition, var then, var otherwise] })
        {
            if (lane.Reached.Contains(condition) && otherwise == standIn) next = then;
            else if (lane.Reached.Contains(_n.Not(condition)) && then == standIn)
                (condition, next) = (_n.Not(condition), otherwise);
            else break;
            acts = _n.And(acts, condition);
        }
        return (acts, next);
    }
}
