using Emu.Compiler.IR;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Engines;

/// <summary>A state's use of the service's registers and counters.</summary>
internal sealed class RegionRegisters(
    EngineDesign design, EngineProgram program, EngineState state, RegionValues values)
{
    private readonly KeyedLists<Register, (Value Condition, Value Value)> _written = new();
    private readonly KeyedLists<Register, Block> _counted = new();

    /// <summary>Reads a register, which is always possible.</summary>
    public bool Read(Operation operation, Value condition)
    {
        Value Read(StateElement register) => values.Latest(
            _written[(Register)register],
            design.Netlist.Resize(design.State.Of((Register)register), operation.Width));

        return values.Define(operation, values.Selected(operation, 0, Read), condition);
    }

    /// <summary>Writes a register, unless what is written is known too late.</summary>
    public bool TryWrite(Operation operation, Value condition)
    {
        if (operation.Operands.Exists(o => design.Delays.Of(values.Of(o)) > design.LatestWritten)) return false;
        foreach (var (element, selected) in
            StateSelection.Conditions(design.Netlist, operation, 1, condition, values.Of))
            _written.Add((Register)element, (selected, values.Of(operation.Operands[0])));
        return true;
    }

    /// <summary>Adds to a counter, unless this state may have before, or the addend comes late.</summary>
    public bool TryCount(Operation operation, Value condition, Block block)
    {
        var (register, addend) = ((Register)operation.State[0], values.Of(operation.Operands[0]));
        if (values.IsLate(addend, design.Budget / 2)) return false;
        if (_counted[register].Any(earlier => Leads(earlier, block))) return false;
        _counted.Add(register, block);
        program.Counts.Add(register, (condition, addend));
        return true;
    }

    /// <summary>
    /// Connects the registers that are written: the last write counts. What is not written may be anything, so the
    /// first needs no choice.
    /// </summary>
    public void Connect()
    {
        foreach (var (register, writes) in _written)
            program.RegisterWrites.Add(register, (
                design.Netlist.ReduceOr(writes.Select(w => w.Condition)),
                values.Latest([.. writes.Skip(1)], writes[0].Value)));
    }

    /// <summary>Tells whether a block of this state is another, or may be passed before it.</summary>
    private bool Leads(Block from, Block to)
    {
        var (seen, waiting) = (new HashSet<Block>(), new Stack<Block>([to]));
        while (waiting.TryPop(out var block))
        {
            if (block == from) return true;
            if (block == state.Block || !seen.Add(block)) continue;
            foreach (var predecessor in block.Predecessors) waiting.Push(predecessor);
        }
        return false;
    }
}
