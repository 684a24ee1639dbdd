using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>The registers or memories of an operation of which an operand selects one.</summary>
internal static class StateSelection
{
    /// <summary>The condition under which an effect is on each of them.</summary>
    /// <param name="n">The netlist in which conditions are made.</param>
    /// <param name="operation">The effect.</param>
    /// <param name="selector">The operand that selects, if there are several.</param>
    /// <param name="condition">The condition of the effect.</param>
    /// <param name="of">Gives the values of operands.</param>
    public static IEnumerable<(StateElement Element, Value Condition)> Conditions(
        Netlist n, Operation operation, int selector, Value condition, Func<Value, Value> of)
    {
        if (operation.State.Count == 1) return [(operation.State[0], condition)];
        var selected = of(operation.Operands[selector]);
        return operation.State.Select((element, i) =>
            (element, n.And(condition, n.Equal(selected, new Constant(selected.Width, (UInt128)i)))));
    }
}
