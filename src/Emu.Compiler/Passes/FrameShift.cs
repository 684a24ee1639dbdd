using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The places of a frame's bytes after moves, one behind the other: the first bytes are where they were, all from an
/// offset on have moved by one distance, and those between came from several places.
/// </summary>
/// <param name="Before">The moves before the last; null if there is one only.</param>
/// <param name="From">The last move takes all bytes from this offset on.</param>
/// <param name="To">It puts them to this one, and behind.</param>
internal sealed record FrameShift(FrameShift? Before, int From, int To)
{
    /// <summary>
    /// The one move, if it is to the front by a distance that is computed: then nothing is said of places here.
    /// </summary>
    public Operation? Computed { get; private init; }

    /// <summary>The number of bytes in front that no move has changed.</summary>
    public int Kept { get; } = Math.Min(Before?.Kept ?? To, To);

    /// <summary>The offset from which on all bytes have moved by the distance.</summary>
    public int Start { get; } = Math.Max(To, Before?.Start + To - From ?? 0);

    /// <summary>The bytes by which they have; negative towards the front.</summary>
    public int Distance { get; } = (Before?.Distance ?? 0) + To - From;

    /// <summary>The most bytes by which one has come to the front.</summary>
    public int Forwards { get; } = Math.Max(0, From - To) + (Before?.Forwards ?? 0);

    /// <summary>The offset at which a byte came.</summary>
    public int Origin(int offset)
    {
        if (offset >= To) offset += From - To;
        return Before?.Origin(offset) ?? offset;
    }

    /// <summary>
    /// The bytes that are put in one by one, since neither their place nor the distance says where they came: those
    /// between, and where all others have moved by a beat or more, those in front, too.
    /// </summary>
    /// <param name="beat">The bytes of a beat.</param>
    public IEnumerable<int> PutIn(int beat)
    {
        var first = Math.Abs(Distance) < beat ? Kept : 0;
        return Enumerable.Range(first, Start - first);
    }

    /// <summary>The bytes in front of all that move by the distance, before they move and after.</summary>
    public int Head => Math.Min(Start, Start - Distance);

    /// <summary>
    /// The bytes that are put in where the head leaves as it came, and nothing is in the room that a move to the back
    /// makes.
    /// </summary>
    public IEnumerable<int> PutInBehindHead()
    {
        var first = Math.Min(Kept, Head);
        return Enumerable.Range(first, Start - first);
    }

    /// <summary>
    /// The moves that a function without loops may have made behind each of its moves, and those of which a frame or
    /// a copy may leave.
    /// </summary>
    /// <param name="function">The function.</param>
    public static (HashSet<FrameShift> All, HashSet<FrameShift> Leaving) Of(Function function)
    {
        var (all, leaving) = (new HashSet<FrameShift>(), new HashSet<FrameShift>());
        var atEnd = new Dictionary<Block, HashSet<FrameShift?>>();
        foreach (var block in function.Blocks())
        {
            HashSet<FrameShift?> now = [.. block.Predecessors.Where(atEnd.ContainsKey).SelectMany(p => atEnd[p])];
            if (block.Predecessors.Count == 0) now.Add(null);
            foreach (var operation in block.Operations)
            {
                if (operation.Opcode == Opcode.Send) leaving.UnionWith(now.OfType<FrameShift>());
                if (operation.Opcode != Opcode.FrameMove) continue;
                now = [.. now.Select(before => Behind(before, operation))];
                all.UnionWith(now.OfType<FrameShift>());
            }
            if (block.Terminator is Return end && !Constant.Is(end.Egress, 0))
                leaving.UnionWith(now.OfType<FrameShift>());
            atEnd[block] = now;
        }
        return (all, leaving);
    }

    /// <summary>The moves with another behind them; one whose offsets are computed is alone.</summary>
    public static FrameShift Behind(FrameShift? before, Operation move) => move.Operands is [Constant, Constant, _]
        ? new FrameShift(before, OffsetOf(move.Operands[0]), OffsetOf(move.Operands[1]))
        : new FrameShift(null, 0, 0) { Computed = move };

    private static int OffsetOf(Value operand) => (int)((Constant)operand).Bits;
}
