using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// The walks over a frame in the order in which they are done: a loop that begins with what others have found, or with
/// words that are looked up by that, is of a later walk than these. Behind each walk frames wait for its results.
/// </summary>
/// <param name="frame">The event.</param>
internal sealed class FoldOrder(PipelineEvent frame)
{
    private readonly Dictionary<SerialFold, int> _walkOf = [];
    private readonly Dictionary<MemoryAccess, int> _walkBehind = [];

    /// <summary>The number of walks.</summary>
    public int Walks => frame.Checksums.Serial.Select(WalkOf).Append(0).Max();

    /// <summary>The number of the walk that a loop belongs to, from 1 on.</summary>
    public int WalkOf(SerialFold unit)
    {
        if (_walkOf.TryGetValue(unit, out var known)) return known;
        if (!unit.IsLate) return _walkOf[unit] = 1;
        var sources = frame.SourcesOf(unit.Operands).ToList();
        var walk = 1 + sources.Select(frame.Checksums.UnitOf).OfType<SerialFold>().Select(WalkOf).Append(0).Max();
        foreach (var read in sources.Select(frame.Dataflow.ReadOf).OfType<MemoryAccess>())
            _walkBehind[read] = Math.Min(walk, _walkBehind.GetValueOrDefault(read, walk));
        return _walkOf[unit] = walk;
    }

    /// <summary>
    /// The number of the first walk that begins with a word; null if none does, and it is looked up behind all.
    /// </summary>
    public int? WalkBehind(MemoryAccess read)
    {
        foreach (var unit in frame.Checksums.Serial) WalkOf(unit);
        return _walkBehind.TryGetValue(read, out var walk) ? walk : null;
    }
}
