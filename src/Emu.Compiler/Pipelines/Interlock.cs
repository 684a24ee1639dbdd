using Emu.Compiler.IR;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// The memories of which a frame waits for a row that a frame ahead may still write, instead of having the write
/// forwarded.
/// </summary>
/// <remarks>
/// An interlock on the addresses of dynamic accesses, as of Dai, Zhao, Liu, Srinath, Gupta and Zhang 2017,
/// <em>Dynamic hazard resolution for pipelining irregular loops in high-level synthesis</em>: frames that meet in no
/// row keep the least distance.
/// </remarks>
/// <param name="isAllowed">True if memories may have one.</param>
internal sealed class Interlock(bool isAllowed)
{
    private readonly HashSet<Memory> _memories = [];

    /// <summary>True if memories may have one.</summary>
    public bool IsAllowed { get; } = isAllowed;

    /// <summary>True if a memory has one.</summary>
    public bool Has(StateElement element) => element is Memory memory && _memories.Contains(memory);

    /// <summary>Gives a memory one.</summary>
    public void Add(Memory memory) => _memories.Add(memory);

    /// <summary>The hazards of an event at the memories that have one.</summary>
    public IReadOnlyList<RowHazard> Hazards(PipelineEvent frame, RowAnalysis rows) =>
        [.. rows.Hazards(frame.Dataflow.Writes.Select(write => write.Memory).Where(Has))];
}
