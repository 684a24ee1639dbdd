using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>The bytes of a frame while an event handles it: as they came, moved, and written.</summary>
/// <param name="n">The netlist in which values are made.</param>
/// <param name="source">Gives the bytes as they came, and the length.</param>
/// <param name="paths">The paths of the function.</param>
internal sealed class FrameDataflow(Netlist n, IEventSource source, BlockPaths paths)
{
    private readonly SortedDictionary<int, List<(Block Block, Value Condition, Value Byte)>> _written = [];
    private readonly List<Block> _resizes = [];

    /// <summary>The moves of the bytes from an offset on to another, each with its condition: at most one.</summary>
    public List<(Block Block, Value Condition, int From, int To)> Moves { get; } = [];

    /// <summary>Bytes that are written, by their offset: when, and what they are then.</summary>
    public IEnumerable<(int Offset, Value Condition, Value Byte)> Written => _written.Select(entry => (entry.Key,
        n.ReduceOr(entry.Value.Select(w => w.Condition).Distinct(ReferenceEqualityComparer.Instance).Cast<Value>()),
        entry.Value.Skip(1).Aggregate(entry.Value[0].Byte, (so, w) => n.Select(w.Condition, w.Byte, so))));

    /// <summary>The frame gets another length in a block; it may be longer there than it was.</summary>
    public void Resize(Block block) => _resizes.Add(block);

    /// <summary>The bytes that an operation reads, as one value.</summary>
    public Value Read(Operation operation, int offset, Block block)
    {
        List<Value> bytes =
        [
            .. Enumerable.Range(offset, operation.Width / 8).Select(at => Octet(at, block)),
        ];
        if (operation.Location?.Name is { } name)
            for (var i = 0; i < bytes.Count; i++) if (bytes[i] is not Constant) n.Describe(bytes[i], name, offset + i);
        return bytes.Aggregate(n.Concat);
    }

    /// <summary>Writes the bytes of a value from an offset on.</summary>
    public void Write(int offset, Value data, Block block, Value condition)
    {
        for (var i = 0; i < data.Width / 8; i++)
        {
            if (!_written.TryGetValue(offset + i, out var writes)) _written[offset + i] = writes = [];
            // A value that is overwritten under the same condition was never there.
            writes.RemoveAll(w => w.Condition == condition);
            writes.Add((block, condition, n.Extract(data, data.Width - 8 * (i + 1), 8)));
        }
    }

    /// <summary>The offset behind the last byte that may have been written before a block ends.</summary>
    public int WrittenEnd(Block block) =>
        _written.Where(entry => entry.Value.Exists(w => paths.Leads(w.Block, block)))
            .Select(entry => entry.Key + 1).DefaultIfEmpty().Last();

    /// <summary>A byte as it is in a block.</summary>
    public Value Octet(int offset, Block block) => (_written.GetValueOrDefault(offset) ?? [])
        .Where(w => paths.Leads(w.Block, block))
        .Aggregate(Moved(offset, block), (so, w) =>
            paths.Dominates(w.Block, block) ? w.Byte : n.Select(w.Condition, w.Byte, so));

    /// <summary>A byte that nobody wrote, where it may have been moved to.</summary>
    private Value Moved(int offset, Block block)
    {
        var value = Received(offset, block);
        foreach (var move in Moves.Where(m => paths.Leads(m.Block, block) && offset >= m.To))
        {
            var moved = Received(offset - move.To + move.From, block);
            value = paths.Dominates(move.Block, block) ? moved : n.Select(move.Condition, moved, value);
        }
        return value;
    }

    /// <summary>A byte as it came; when the frame may have been made longer, 0 behind its end.</summary>
    private Value Received(int offset, Block block)
    {
        if (!_resizes.Exists(resize => paths.Leads(resize, block))) return source.Byte(offset);
        var length = source.Input(new Operation(Opcode.Input, 32) { Input = FrameInput.Length }, operand => operand);
        return n.Select(n.Less(new Constant(32, (UInt128)offset), length), source.Byte(offset), FoldingBuilder.Zero(8));
    }
}
