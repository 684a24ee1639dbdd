using Emu.Compiler.IR;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// Memories whose rows were sought and are not known before state is looked at. That depends on what an event computes,
/// and so on the writes that it sees forwarded; neither on an interval nor on a budget: attempts at others have it from
/// the first.
/// </summary>
internal sealed class UnknownRows
{
    private readonly HashSet<(Memory Memory, string Forwarded)> _unknown = [];

    /// <summary>True if the rows of a memory are known to be unknown.</summary>
    public bool Has(Memory memory, Forwarding forwarding) => _unknown.Contains((memory, NumbersOf(forwarding)));

    /// <summary>Notes that the rows of a memory are not known.</summary>
    public void Add(Memory memory, Forwarding forwarding) => _unknown.Add((memory, NumbersOf(forwarding)));

    /// <summary>The numbers of writes that are forwarded, and not how far ahead their frames are.</summary>
    private static string NumbersOf(Forwarding forwarding) => string.Join(
        ' ', forwarding.Memories.Select(memory => $"{memory.Name}:{forwarding.Of(memory).Count}").Order());
}
