using Emu.Compiler.IR;

namespace Emu.Compiler.Scheduling;

/// <summary>
/// The state objects that lie on loops: an event's write to one depends on its read there, directly or through others.
/// </summary>
internal sealed class StateLoops
{
    private readonly Dictionary<Value, HashSet<StateElement>> _sources = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<StateElement, HashSet<StateElement>> _before = [];
    private readonly HashSet<Memory> _dataFromLoop = [];

    /// <summary>Finds them.</summary>
    /// <param name="dataflow">Without forwarding.</param>
    /// <param name="registers">The registers whose numbers before the event the values stand for.</param>
    public StateLoops(Dataflow dataflow, IReadOnlyDictionary<Value, Register> registers)
    {
        foreach (var (value, register) in registers) _sources[value] = [register];
        foreach (var call in dataflow.CoreCalls) _sources[call.Results] = [.. call.Inputs.SelectMany(Sources)];
        foreach (var read in dataflow.Reads) _sources[read.Word] = [read.Memory, .. Sources(read.Index)];
        foreach (var (memory, update) in dataflow.Writes)
        {
            _before[memory] =
            [
                .. Before(memory), .. Sources(update.Condition), .. Sources(update.Index), .. Sources(update.Data),
            ];
        }
        foreach (var (register, update) in dataflow.Updates)
            _before[register] = [.. Sources(update.Condition), .. Sources(update.Value)];
        Close();
        foreach (var (memory, update) in dataflow.Writes)
        {
            if (Sources(update.Data).Overlaps(Of(memory))) _dataFromLoop.Add(memory);
        }
    }

    /// <summary>The objects on the loops through one; none if it is on no loop.</summary>
    public IReadOnlyCollection<StateElement> Of(StateElement element) =>
        Before(element) is var before && before.Contains(element)
            ? [.. before.Where(other => Before(other).Contains(element))]
            : [];

    /// <summary>The objects whose contents decide what is written to one, directly or through others.</summary>
    public IReadOnlyCollection<StateElement> Before(StateElement element) =>
        _before.TryGetValue(element, out var before) ? before : [];

    /// <summary>
    /// True if the data written to a memory, not only its address and condition, depend on what its loops read.
    /// </summary>
    public bool HasDataFromLoop(Memory memory) => _dataFromLoop.Contains(memory);

    /// <summary>The objects of whose contents before the event a value is computed.</summary>
    private HashSet<StateElement> Sources(Value value)
    {
        if (_sources.TryGetValue(value, out var known)) return known;
        HashSet<StateElement> all = [];
        if (value is Operation operation)
        {
            foreach (var operand in operation.Operands) all.UnionWith(Sources(operand));
        }
        return _sources[value] = all;
    }

    /// <summary>Adds indirect sources: the sources of an object's source are its sources, too.</summary>
    private void Close()
    {
        for (var grows = true; grows;)
        {
            grows = false;
            foreach (var before in _before.Values)
            {
                var size = before.Count;
                foreach (var element in before.ToList())
                {
                    if (_before.TryGetValue(element, out var further)) before.UnionWith(further);
                }
                grows |= before.Count > size;
            }
        }
    }
}
