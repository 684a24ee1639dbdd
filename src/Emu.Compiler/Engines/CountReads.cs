using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Engines;

/// <summary>
/// The counts that the program of a slow path asks for. It waits at each until what was counted before is in it.
/// </summary>
internal sealed class CountReads(EngineDesign design, EngineProgram program)
{
    /// <summary>The count that was asked for last.</summary>
    public Value Count { get; private set; } = FoldingBuilder.Bit(false);

    /// <summary>Asks for a count; it is there in a state, which begins then.</summary>
    public void Ask(Register register, Value condition, EngineState next)
    {
        var n = design.Netlist;
        program.Continue();
        var waits = n.AddFlop("count_asked", 1, 0, $"the program waits for {register.Name}");
        (var isThere, Count) = design.ReadCount(register, waits);
        waits.Next = n.Or(condition, n.And(waits, n.Not(isThere)));
        program.AddTransition(n.And(waits, isThere), next);
    }
}
