using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Clocked;

/// <summary>
/// The state of a thread as a flop for each of its states, of which at most one is 1 (one-hot encoding): none where the
/// thread has ended. It takes no logic to know the state, and more flops than a number does.
/// </summary>
internal sealed class OneHotState
{
    private readonly Netlist _n;
    private readonly SortedDictionary<int, (Flop Flop, List<Value> Entered)> _states = [];

    /// <summary>For a thread.</summary>
    public OneHotState(Netlist n, ThreadCycles thread)
    {
        _n = n;
        foreach (var state in thread.Cycles.Keys)
        {
            var flop = n.AddFlop(
                $"{thread.Thread.Name}_is_{state}", 1, thread.State.Reset == (UInt128)state ? 1u : 0u,
                $"{thread.State.Name}: {state}");
            _states[state] = (flop, []);
        }
    }

    /// <summary>1 while the thread is in a state.</summary>
    public Value IsIn(int state) => _states[state].Flop;

    /// <summary>Notes where a cycle that begins in a state leads to.</summary>
    /// <param name="state">The state in which it begins.</param>
    /// <param name="ways">What it writes to the number of the state; where it writes none, the thread stays.</param>
    public void Leave(int state, IEnumerable<RegisterUpdate> ways)
    {
        var active = _states[state].Flop;
        Value leaves = FoldingBuilder.Bit(false);
        foreach (var way in ways)
        {
            leaves = _n.Or(leaves, way.Condition);
            foreach (var (next, (_, entered)) in _states)
            {
                var isNext = _n.Equal(way.Value, new Constant(way.Value.Width, (UInt128)next));
                entered.Add(_n.And(active, _n.And(way.Condition, isNext)));
            }
        }
        _states[state].Entered.Add(_n.And(active, _n.Not(leaves)));
    }

    /// <summary>Gives each flop what it takes at the edge.</summary>
    public void Finish()
    {
        foreach (var (flop, entered) in _states.Values) flop.Next = _n.ReduceOr(entered);
    }
}
