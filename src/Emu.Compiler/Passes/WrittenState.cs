using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The state that may have been written before a block begins:
/// up to its first write, every read of a state gives what the event found.
/// </summary>
internal sealed class WrittenState
{
    /// <summary>Stands for the frame among the state elements.</summary>
    public static object Frame { get; } = new();

    private readonly Dictionary<Block, HashSet<object>> _atStart = [];

    public WrittenState(Function function)
    {
        var blocks = function.Blocks();
        var all = blocks.SelectMany(block => block.Operations).SelectMany(operation => operation.State).ToHashSet();
        foreach (var block in blocks) _atStart[block] = new HashSet<object>(ReferenceEqualityComparer.Instance);
        for (var changed = true; changed;)
        {
            changed = false;
            foreach (var block in blocks)
            {
                var atEnd = new HashSet<object>(_atStart[block], ReferenceEqualityComparer.Instance);
                foreach (var operation in block.Operations) Note(operation, atEnd);
                // Other threads, and the outside, write while this one waits for the next edge.
                if (block.Terminator is Pause) atEnd.UnionWith(all);
                foreach (var successor in block.Terminator!.Successors)
                {
                    var before = _atStart[successor].Count;
                    _atStart[successor].UnionWith(atEnd);
                    changed |= _atStart[successor].Count > before;
                }
            }
        }
    }

    /// <summary>
    /// The state that may have been written when a block begins: state elements, and <see cref="Frame"/>.
    /// </summary>
    public HashSet<object> AtStart(Block block) => new(_atStart[block], ReferenceEqualityComparer.Instance);

    /// <summary>Adds what an operation writes.</summary>
    public static void Note(Operation operation, HashSet<object> written)
    {
        if (operation.WritesFrame) written.Add(Frame);
        else if (operation.IsEffect) written.UnionWith(operation.State);
    }

    /// <summary>True if a read gives what the event found.</summary>
    public static bool IsFirst(Operation read, HashSet<object> written) =>
        read.Opcode is Opcode.FrameRead or Opcode.FrameSum or Opcode.FrameFold
            ? !written.Contains(Frame)
            : !read.State.Any(written.Contains);
}
