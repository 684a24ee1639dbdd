using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// Passes over turns of a walk that do nothing: where the next one that does something is further away than what is on
/// its way to the state, bytes are moved on by several groups a cycle, and no turns are made of them. It is to a walk
/// what a taken branch is to a program, with the groups on their way as its delay slots (Hennessy and Patterson 2011,
/// <em>Computer Architecture</em>, appendix C).
/// </summary>
internal sealed class TurnPasser
{
    /// <summary>The groups by which bytes move on at once.</summary>
    public const int Stride = 4;

    private readonly Netlist _n;
    private readonly int _turns;
    private readonly Flop _rest, _passed, _isPassing;

    /// <summary>Declares it.</summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="turns">The turns of a group.</param>
    /// <param name="width">The bits of a number of turns.</param>
    public TurnPasser(Netlist n, int turns, int width)
    {
        (_n, _turns) = (n, turns);
        _rest = n.AddFlop("fold_rest", width, 0, "turns that are still to be passed over");
        _passed = n.AddFlop("fold_passed", width, 0);
        _isPassing = n.AddFlop("fold_passes", 1, 0);
        Starts = n.DeclareWire("fold_starts_passing", 1);
        Turns = n.DeclareWire("fold_to_pass", width);
    }

    /// <summary>True if turns of a state may be passed over: they may be more than two strides.</summary>
    /// <param name="turns">The turns of a group.</param>
    /// <param name="width">The bits of a number of turns.</param>
    /// <param name="groups">The groups of a beat.</param>
    public static bool Pays(int turns, int width, int groups) =>
        groups > Stride && width < FrameFold.OffsetBits && 1 << width > 2 * Stride * turns;

    /// <summary>1 if turns are passed over from the next cycle on; set by the unit, which knows the state.</summary>
    public Wire Starts { get; }

    /// <summary>The number of these turns.</summary>
    public Wire Turns { get; }

    /// <summary>The turns passed over in front of the group that is given next.</summary>
    public PassedTurns Known => new(_isPassing, _rest, _passed);

    /// <summary>1 if bytes move on by a stride.</summary>
    public Value MovesFar { get; private set; } = FoldingBuilder.Bit(false);

    /// <summary>1 if bytes move on, by a stride or by a group, without a group being given.</summary>
    public Value Moves { get; private set; } = FoldingBuilder.Bit(false);

    /// <summary>1 if all of the beat has been passed over, then.</summary>
    public Value UsesUp { get; private set; } = FoldingBuilder.Bit(false);

    /// <summary>Follows a beat. The last group of a frame's last beat is not passed over: it ends the loop.</summary>
    /// <param name="isThere">1 if there is a beat.</param>
    /// <param name="behind">The groups of the beat behind the next one.</param>
    /// <param name="isLastBeat">1 if it is the frame's last.</param>
    /// <param name="isBeyond">1 if groups behind the frame's last byte are given.</param>
    public void Follow(Value isThere, Value behind, Value isLastBeat, Value isBeyond)
    {
        var n = _n;
        Value Has(int groups) => n.Less(new Constant(_rest.Width, (UInt128)(groups * _turns - 1)), _rest);
        Value AreBehind(int groups) => n.Less(new Constant(behind.Width, (UInt128)(groups - 1)), behind);
        Value IsBehind(int groups) => n.Equal(behind, new Constant(behind.Width, (UInt128)groups));
        Value MayPass(int groups) => n.Or(AreBehind(groups), n.And(n.Not(isLastBeat), IsBehind(groups - 1)));
        var passes = n.And(n.And(isThere, _isPassing), n.Not(isBeyond));
        MovesFar = n.And(passes, n.And(Has(Stride), MayPass(Stride)));
        Moves = n.AddWire("fold_moves_on", n.And(passes, n.And(Has(1), MayPass(1))));
        Value Ends(int groups) => n.And(IsBehind(groups - 1), Has(groups));
        UsesUp = n.And(n.And(passes, n.Not(isLastBeat)), n.Or(Ends(Stride), Ends(1)));
    }

    /// <summary>Follows the groups.</summary>
    /// <param name="begins">1 if a frame begins.</param>
    /// <param name="gives">1 if a group is given.</param>
    public void Finish(Value begins, Value gives)
    {
        var n = _n;
        var moved = n.Select(
            MovesFar, new Constant(_rest.Width, (UInt128)(Stride * _turns)),
            new Constant(_rest.Width, (UInt128)_turns));
        _isPassing.Next = n.And(n.Not(begins), n.Or(Starts, n.And(_isPassing, n.Not(gives))));
        _rest.Next = n.Select(Moves, n.Subtract(_rest, moved), Turns);
        _rest.Enable = n.Or(Starts, Moves);
        _passed.Next = n.Select(Moves, n.Add(_passed, moved), FoldingBuilder.Zero(_passed.Width));
        _passed.Enable = n.Or(Starts, Moves);
    }

    /// <summary>Finds where there are turns to be passed over.</summary>
    /// <param name="state">The turns to be passed over behind the last group that is done.</param>
    /// <param name="flow">The groups.</param>
    /// <param name="isDone">1 when a group is done.</param>
    /// <param name="unsettled">The first groups of a frame, which may have no turns.</param>
    public void Watch(Value state, FoldFlow flow, Value isDone, int unsettled)
    {
        var n = _n;
        const int Bits = FoldFlow.FrameBits + 1;
        Constant Number(int number) => new(Bits, (UInt128)number);
        var onWay = n.AddFlop("fold_on_way", Bits, 0, "groups that are given and not done");
        onWay.Next = n.Select(
            flow.Gives, n.Select(isDone, onWay, n.Add(onWay, Number(1))),
            n.Select(isDone, n.Subtract(onWay, Number(1)), onWay));
        // What the state says is of other groups until the first of the frame, or behind those passed over, is done.
        var begins = n.Registered("fold_began", flow.Begins, 0);
        var restarts = n.Or(begins, n.Registered("fold_started_passing", Starts, 0));
        var stale = n.AddFlop("fold_stale", Bits, 0, "groups to be done until the state is of use");
        var isStale = n.Not(n.Equal(stale, Number(0)));
        var first = n.Select(begins, Number(1 + unsettled), Number(1));
        stale.Next = n.Select(
            restarts, n.Add(onWay, n.Select(isDone, n.Subtract(first, Number(1)), first)),
            n.Select(n.And(isDone, isStale), n.Subtract(stale, Number(1)), stale));
        Value Turns(Value groups)
        {
            var shift = BitOperations.Log2((uint)_turns);
            return n.Resize(shift == 0 ? groups : n.Concat(groups, FoldingBuilder.Zero(shift)), state.Width);
        }
        var left = n.Subtract(state, Turns(onWay));
        var far = new Constant(state.Width + 1, (UInt128)((Stride + 1) * _turns));
        var isFar = n.Less(
            n.Add(n.Resize(Turns(onWay), state.Width + 1), far), n.Resize(state, state.Width + 1));
        var isOfUse = n.And(n.Not(isStale), n.Not(n.Or(restarts, _isPassing)));
        Starts.Source = n.And(isFar, isOfUse);
        this.Turns.Source = n.Select(
            flow.Gives, n.Subtract(left, new Constant(state.Width, (UInt128)_turns)), left);
    }
}
