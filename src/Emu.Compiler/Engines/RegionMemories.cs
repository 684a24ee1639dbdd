using Emu.Compiler.IR;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Engines;

/// <summary>A state's use of the service's memories: each has a port to read and one to write.</summary>
internal sealed class RegionMemories(
    EngineDesign design, EngineProgram program, EngineState state, RegionValues values)
{
    private readonly Dictionary<Memory, Value> _readAt = [];
    private readonly HashSet<Memory> _written = [];

    /// <summary>True if a word that an operation reads is there a cycle after its address.</summary>
    public bool IsRegistered(Operation operation) =>
        operation.Opcode == Opcode.MemoryRead && operation.State.Any(m => IsRegistered((Memory)m));

    /// <summary>
    /// Requests the words of block RAMs that the first of some operations read; they are there in the next state.
    /// </summary>
    /// <returns>The number of these operations.</returns>
    public int Request(IEnumerable<Operation> operations)
    {
        var requested = new HashSet<Memory>();
        var words = 0;
        foreach (var read in operations.TakeWhile(IsRegistered))
        {
            var at = values.Of(read.Operands[0]);
            var memories = read.State.Cast<Memory>().ToList();
            if (design.Delays.Of(at) > design.LatestAddress
                || memories.Exists(m => requested.Contains(m) || !CanRead(m, at)))
                break;
            requested.UnionWith(memories);
            foreach (var memory in memories.Where(IsRegistered)) Read(memory, at);
            words++;
        }
        return words;
    }

    /// <summary>The word that the state before requested, or one of a distributed RAM beside it.</summary>
    public Value Requested(Operation operation)
    {
        var at = values.Of(operation.Operands[0]);
        return values.Selected(
            operation, 1, m => IsRegistered((Memory)m) ? Word((Memory)m) : Read((Memory)m, at));
    }

    /// <summary>Reads a word in this cycle, unless it comes a cycle later or the port is taken.</summary>
    public bool TryRead(Operation operation, Value condition)
    {
        var at = values.Of(operation.Operands[0]);
        if (design.Delays.Of(at) > design.LatestAddress) return false;
        if (IsRegistered(operation) || !operation.State.Cast<Memory>().All(m => CanRead(m, at))) return false;
        return values.Define(
            operation, values.Selected(operation, 1, element => Read((Memory)element, at)), condition);
    }

    /// <summary>Writes a word, unless this state has written the memory, or it is known too late.</summary>
    public bool TryWrite(Operation operation, Value condition)
    {
        if (operation.State.Cast<Memory>().Any(_written.Contains)
            || operation.Operands.Exists(o => design.Delays.Of(values.Of(o)) > design.LatestWritten))
            return false;
        foreach (var (element, selected) in
            StateSelection.Conditions(design.Netlist, operation, 2, condition, values.Of))
        {
            _written.Add((Memory)element);
            design.State.Of((Memory)element)
                .Write(selected, values.Of(operation.Operands[0]), values.Of(operation.Operands[1]));
        }
        return true;
    }

    private bool IsRegistered(Memory memory) => design.State.Of(memory).IsRegistered;

    /// <summary>
    /// True if a memory's port is free for an address, and the word would miss no write of this state.
    /// </summary>
    private bool CanRead(Memory memory, Value at) =>
        !_written.Contains(memory) && (!_readAt.TryGetValue(memory, out var other) || Constant.AreSame(other, at));

    /// <summary>Has a memory's port show a word, in this cycle or the next.</summary>
    private Value Read(Memory memory, Value at)
    {
        var word = Word(memory);
        _readAt[memory] = at;
        program.AddRead(memory, state.Active, design.State.Of(memory).Address(at));
        return word;
    }

    /// <summary>The word that a memory's port shows.</summary>
    private Value Word(Memory memory)
    {
        var read = program.ReadPort(memory);
        return design.State.Of(memory).Element(read);
    }
}
