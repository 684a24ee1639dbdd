using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Units;

namespace Emu.Compiler.Engines;

/// <summary>
/// The counts that the program of a slow path asks for, and those that it sets. It waits at each until what was counted
/// before is in it.
/// </summary>
internal sealed class CountAccesses(EngineDesign design, EngineProgram program)
{
    private readonly List<(Value Condition, Value Count)> _set = [];
    private Flop? _given;

    /// <summary>The count that was asked for last.</summary>
    public Value Count { get; private set; } = FoldingBuilder.Bit(false);

    /// <summary>Asks for a count; it is there in a state, which begins then.</summary>
    public void Ask(Register register, Value condition, EngineState next)
    {
        Value isThere = FoldingBuilder.Bit(false);
        Wait("count_asked", register, condition, next, waits =>
        {
            (isThere, Count) = design.ReadCount(register, waits);
            return isThere;
        });
    }

    /// <summary>Sets a count; a state begins when it is that.</summary>
    public void Set(Register register, Value count, Value condition, EngineState next)
    {
        if (Constant.Is(count, 0))
        {
            Wait("count_cleared", register, condition, next, waits => design.WriteCount(register, waits, null));
            return;
        }
        program.Continue();
        _given ??= design.Netlist.AddFlop("count_given", CounterBank.Bits, null, "what a count is set to");
        _set.Add((condition, design.Netlist.Resize(count, CounterBank.Bits)));
        Wait("count_set", register, condition, next, waits => design.WriteCount(register, waits, _given));
    }

    /// <summary>Connects what counts are set to, when all that sets one is known.</summary>
    public void Build()
    {
        if (_given is null) return;
        var n = design.Netlist;
        // What is not set may be anything, so the first needs no choice.
        _given.Next = _set.Skip(1).Aggregate(
            _set[0].Count, (other, set) => n.Select(set.Condition, set.Count, other));
        _given.Enable = n.ReduceOr(_set.Select(set => set.Condition));
    }

    private void Wait(string name, Register register, Value condition, EngineState next, Func<Value, Value> isDoneOf)
    {
        var n = design.Netlist;
        program.Continue();
        var waits = n.AddFlop(name, 1, 0, $"the program waits for {register.Name}");
        var isDone = isDoneOf(waits);
        waits.Next = n.Or(condition, n.And(waits, n.Not(isDone)));
        program.AddTransition(n.And(waits, isDone), next);
    }
}
