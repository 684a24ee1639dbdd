using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// The places that a walk comes to by the turns of a group, from each turn at which it may begin there, and in each of
/// the few states that go with it: a finite function that is known in front of the state, which then only chooses (the
/// parallel prefix of automata of Ladner and Fischer 1980, <em>Parallel prefix computation</em>; jumps as in the lists
/// of Hillis and Steele 1986, <em>Data parallel algorithms</em>).
/// </summary>
/// <param name="n">The netlist in which it is made.</param>
/// <param name="fold">The walk.</param>
/// <param name="group">The turns.</param>
/// <param name="turns">The same, one behind the other.</param>
/// <param name="parts">The parts of the state that need one another; the first counts turns that do nothing.</param>
internal sealed class WalkJumps(
    Netlist n, FrameFold fold, FoldGroup group, TurnChain turns, IReadOnlyList<int> parts)
{
    /// <summary>The most bits of the parts besides the number of turns, and the most states that they have.</summary>
    private const int MostBits = 5, MostStates = 12;

    private readonly List<UInt128> _states = [];

    private int Lanes => group.Lanes.Count;

    private IEnumerable<int> Others => parts.Skip(1);

    /// <summary>The next of the parts; null if there are too many states, or they need more than the bytes.</summary>
    public static IReadOnlyList<Value>? Of(
        Netlist n, FrameFold fold, FoldGroup group, TurnChain turns, IReadOnlyList<int> parts)
    {
        var jumps = new WalkJumps(n, fold, group, turns, parts);
        return jumps.TryFindStates() ? jumps.Next() : null;
    }

    private int WidthOf(int part) => turns.State[part].Width;

    /// <summary>Finds the states that turns lead to, from the one in front of the first.</summary>
    private bool TryFindStates()
    {
        var bits = Others.Sum(WidthOf);
        if (bits > MostBits || !Constant.Is(group.Initial[0], 0)
            || Others.Any(part => group.Initial[part] is not Constant))
            return false;
        _states.Add(Joined(Others.Select(part => group.Initial[part])) is Constant first ? first.Bits : 0);
        for (var i = 0; i < _states.Count; i++)
        {
            var next = Joined(Turn(Lanes - 1, _states[i]).Skip(1));
            for (var state = UInt128.Zero; state >> bits == 0; state++)
                if (!_states.Contains(state) && !Constant.Is(IsAt(next, state), 0)) _states.Add(state);
            if (_states.Count > MostStates) return false;
        }
        return true;
    }

    /// <summary>The parts behind a turn that does something, given the state of the others in front of it.</summary>
    private List<Value> Turn(int lane, UInt128 state)
    {
        List<Value> before = [.. turns.Before[lane]];
        before[0] = FoldingBuilder.Zero(WidthOf(0));
        var low = Others.Sum(WidthOf);
        foreach (var part in Others)
        {
            low -= WidthOf(part);
            before[part] = new Constant(WidthOf(part), state >> low);
        }
        var turn = new TurnCopy(n, fold, group.Lanes[lane].Parameters(group.Invariants, before));
        return [.. parts.Select(part => turn.Next[part])];
    }

    private Value Joined(IEnumerable<Value> values) =>
        values.Aggregate((Value?)null, (so, value) => so is null ? value : n.Concat(so, value))
        ?? FoldingBuilder.Zero(1);

    private Value IsAt(Value joined, UInt128 state) => n.Equal(joined, new Constant(joined.Width, state));

    private List<Value> Next()
    {
        var from = new Value[Lanes][];
        for (var lane = Lanes - 1; lane >= 0; lane--)
            from[lane] = [.. _states.Select((_, state) => From(lane, state, from))];
        var (rest, other) = (turns.Before[0][0], Joined(Others.Select(part => turns.Before[0][part])));
        var laneBits = Math.Min(rest.Width, BitOperations.Log2((uint)Lanes));
        var byState = from.Take(1 << laneBits).Select(values => n.SelectByIndex(ByNumber(values), other)).ToList();
        var chosen = n.SelectByIndex(byState, n.Extract(rest, 0, laneBits));
        var passed = n.Subtract(rest, Number(rest.Width, Lanes));
        return Parts(n.Select(
            IsAtLeast(rest, Lanes), Others.Any() ? n.Concat(passed, other) : passed, chosen));
    }

    /// <summary>Values of the states found, in the order of the states' numbers.</summary>
    private List<Value> ByNumber(Value[] values) =>
        [.. Enumerable.Range(0, (int)_states.Max() + 1).Select(number =>
            values[Math.Max(0, _states.IndexOf((UInt128)number))])];

    /// <summary>The parts behind the group, together, if a turn of it is the next that does something.</summary>
    private Value From(int lane, int state, Value[][] from)
    {
        var turn = Turn(lane, _states[state]);
        var (rest, next) = (turn[0], Joined(turn.Skip(1)));
        var behind = Lanes - 1 - lane;
        var ways = new List<(Value Condition, Value Value)>
        {
            (IsAtLeast(rest, behind), Joined([n.Subtract(rest, Number(rest.Width, behind)), .. turn.Skip(1)])),
        };
        for (var passed = 0; passed < behind && (UInt128)passed <= Arithmetic.Mask(rest.Width); passed++)
        {
            for (var to = 0; to < _states.Count; to++)
            {
                var isNext = n.Equal(rest, Number(rest.Width, passed));
                if (Others.Any()) isNext = n.And(isNext, IsAt(next, _states[to]));
                if (!Constant.Is(isNext, 0)) ways.Add((isNext, from[lane + 1 + passed][to]));
            }
        }
        var value = n.SelectOneHot(ways[0].Value.Width, ways);
        // Lanes in front of the first turn are passed over, before any of the walk's.
        var unchanged = behind > 0 ? from[lane + 1][state]
            : Joined([FoldingBuilder.Zero(rest.Width), .. StateParts(_states[state])]);
        return n.Select(group.Lanes[lane].IsTaken, value, unchanged);
    }

    private IEnumerable<Value> StateParts(UInt128 state) =>
        Others.Any() ? [new Constant(Others.Sum(WidthOf), state)] : [];

    private List<Value> Parts(Value joined)
    {
        var low = joined.Width;
        return [.. parts.Select(part => n.Extract(joined, low -= WidthOf(part), WidthOf(part)))];
    }

    private Value IsAtLeast(Value rest, int number) => (UInt128)number > Arithmetic.Mask(rest.Width)
        ? FoldingBuilder.Bit(false)
        : n.Not(n.Less(rest, Number(rest.Width, number)));

    private static Constant Number(int width, int number) => new(width, (UInt128)number & Arithmetic.Mask(width));
}
