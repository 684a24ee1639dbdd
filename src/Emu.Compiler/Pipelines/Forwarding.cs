using Emu.Compiler.IR;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// The memories that have writes of the frames ahead forwarded to their reads (a bypass), and those writes.
/// </summary>
internal sealed class Forwarding
{
    private readonly Dictionary<Memory, List<ForwardedWrite>> _writes = [];
    private readonly Dictionary<Value, ForwardedWrite> _writeOf = new(ReferenceEqualityComparer.Instance);

    /// <summary>The memories.</summary>
    public IReadOnlyCollection<Memory> Memories => _writes.Keys;

    /// <summary>The values that stand for parts of writes.</summary>
    public IEnumerable<(Value StandIn, ForwardedWrite Write)> StandIns => _writeOf.Select(w => (w.Key, w.Value));

    /// <summary>True if a memory has its writes forwarded.</summary>
    public bool Has(Memory memory) => _writes.ContainsKey(memory);

    /// <summary>
    /// The writes of a memory, the nearest first: of the frame <c>interval</c> stages ahead, the next, and so on.
    /// </summary>
    public IReadOnlyList<ForwardedWrite> Of(Memory memory) => _writes.TryGetValue(memory, out var known) ? known : [];

    /// <summary>The write that a value stands for a part of; null if it stands for none.</summary>
    public ForwardedWrite? WriteOf(Value value) => _writeOf.GetValueOrDefault(value);

    /// <summary>Has the writes of a memory forwarded; which, is known later.</summary>
    public void Add(Memory memory) => _writes[memory] = [];

    /// <summary>Has them forwarded no more.</summary>
    public void Remove(Memory memory)
    {
        foreach (var part in Of(memory).SelectMany(write => write.StandIns)) _writeOf.Remove(part);
        _writes.Remove(memory);
    }

    /// <summary>Adds a write, behind the nearer ones of its memory.</summary>
    public void Add(ForwardedWrite write)
    {
        foreach (var part in write.StandIns) _writeOf[part] = write;
        _writes[write.Memory].Add(write);
    }
}
