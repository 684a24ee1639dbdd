using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>The bytes of a frame while an event handles it: as they came, moved, and written.</summary>
/// <remarks>
/// Bytes that are written and then moved are written behind the move, at the places where they are then (code sinking).
/// So a frame is, at any place, the bytes that came, moved, and bytes written over them.
/// </remarks>
/// <param name="n">The netlist in which values are made.</param>
/// <param name="source">Gives the bytes as they came, and the length.</param>
/// <param name="paths">The paths of the function.</param>
/// <param name="leaving">The moves of which frames leave.</param>
internal sealed class FrameDataflow(
    Netlist n, IEventSource source, BlockPaths paths, IReadOnlySet<FrameShift> leaving)
{
    private readonly SortedDictionary<int, List<ByteWrite>> _written = [];
    private readonly List<(Block Block, Value Condition, int From, int To)> _moves = [];
    private readonly List<Relocation> _relocations = [];
    private readonly List<Block> _resizes = [];
    private readonly List<(Block Block, Value Condition)> _clears = [];
    private readonly List<(Block Block, MappedBytes Map)> _maps = [];
    private readonly WriteWindows _windows = new(n, paths, source.LengthBits);
    private readonly TableLoads _loads = new(n, paths, source.LengthBits);
    private readonly Dictionary<Operation, (Value From, Value To)> _computed = [];
    private readonly bool _isComputed = leaving.Any(shift => shift.Computed is not null);

    /// <summary>A byte is written, or is again as it was moved there.</summary>
    /// <param name="Block">The block of the write, or of the move that took it here.</param>
    /// <param name="Condition">The condition under which it is.</param>
    /// <param name="Byte">The byte; null if a move took another here, which nobody wrote.</param>
    /// <param name="IsSure">True if it is done whenever the block is passed.</param>
    private sealed record ByteWrite(Block Block, Value Condition, Value? Byte, bool IsSure = true);

    /// <summary>Moves that an event makes one behind the other, and no others.</summary>
    /// <param name="Block">The block of the last.</param>
    /// <param name="Condition">The condition under which it does.</param>
    /// <param name="Shift">The moves.</param>
    /// <param name="IsSure">True if it does whenever the block is passed.</param>
    private sealed record Relocation(Block Block, Value Condition, FrameShift Shift, bool IsSure)
    {
        /// <summary>The blocks in which another move follows.</summary>
        public IReadOnlyList<Block> Ends { get; init; } = [];
    }

    /// <summary>The frame as it leaves in the end.</summary>
    public LeavingFrame AtEnd() => Leaving(_ => true);

    /// <summary>The frame as it is now, in a block.</summary>
    public LeavingFrame Now(Block block) => Leaving(at => paths.Leads(at, block));

    /// <summary>The frame gets another length in a block; it may be longer there than it was.</summary>
    public void Resize(Block block) => _resizes.Add(block);

    /// <summary>Bytes that may have been cut off are 0 now.</summary>
    /// <param name="length">The length to which the frame was cut.</param>
    /// <param name="first">The least that it may be.</param>
    /// <param name="end">The offset up to which bytes are put in.</param>
    /// <param name="block">The block in which the frame gets longer.</param>
    /// <param name="condition">The condition under which it does.</param>
    public void Clear(Value length, int first, int end, Block block, Value condition)
    {
        for (var at = first; at < end; at++)
        {
            var isCut = n.Not(n.Less(new Constant(length.Width, (UInt128)at), length));
            Add(at, new ByteWrite(block, n.And(condition, isCut), FoldingBuilder.Zero(8), IsSure: false));
        }
    }

    /// <summary>
    /// The frame, which has no bytes, gets some: all of them are 0. It is moved neither before nor behind.
    /// </summary>
    /// <param name="block">The block in which it does.</param>
    /// <param name="condition">The condition under which it does.</param>
    public void Clear(Block block, Value condition)
    {
        foreach (var at in _written.Keys.ToList())
            Add(at, new ByteWrite(block, condition, FoldingBuilder.Zero(8)));
        _clears.Add((block, condition));
    }

    /// <summary>A loop writes bytes in a block; none of them is written before or behind it.</summary>
    public void Map(Block block, MappedBytes map) => _maps.Add((block, map));

    /// <summary>The loops that may have written bytes before a block ends, in their order.</summary>
    public IReadOnlyList<MappedBytes> Maps(Block block) => MapsIn(at => paths.Leads(at, block));

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
            Add(offset + i, new ByteWrite(block, condition, n.Extract(data, data.Width - 8 * (i + 1), 8)));
    }

    /// <summary>
    /// Writes the bytes of a value from an offset on that is computed. None of them is asked for, moved or written at a
    /// constant offset from now on.
    /// </summary>
    /// <param name="place">The offset in the program.</param>
    /// <param name="offset">What it is.</param>
    /// <param name="data">The value.</param>
    /// <param name="block">The block of the write.</param>
    /// <param name="condition">The condition under which it is done.</param>
    public void WriteAt(Value place, Value offset, Value data, Block block, Value condition) =>
        _windows.Add(place, offset, data, block, condition);

    /// <summary>
    /// Copies bytes of a table to an offset on. None of them is asked for, moved or written from now on.
    /// </summary>
    /// <param name="table">The table.</param>
    /// <param name="operands">The offset, the index in the table and the number of bytes.</param>
    /// <param name="block">The block of the copy.</param>
    /// <param name="condition">The condition under which it is made.</param>
    public void Load(Memory table, IReadOnlyList<Value> operands, Block block, Value condition) =>
        _loads.Add(table, block, condition, operands[0], operands[1], operands[2]);

    /// <summary>
    /// Moves all bytes from an offset on to another in front of it, both of which are computed. None of them has been
    /// written or moved before, and none is asked for.
    /// </summary>
    public void Move(Operation move, Value from, Value to, Block block, Value condition)
    {
        _computed[move] = (from, to);
        Relocate(move, block, condition);
    }

    /// <summary>Moves all bytes from an offset on to another.</summary>
    public void Move(Operation move, int from, int to, Block block, Value condition)
    {
        var before = _written.ToDictionary(
            entry => entry.Key, entry => entry.Value.FindAll(w => paths.Leads(w.Block, block)));
        List<ByteWrite> Before(int offset) => before.GetValueOrDefault(offset) ?? [];
        var places = before.Keys.Where(at => at >= to)
            .Concat(before.Keys.Where(at => at >= from).Select(at => at + to - from)).Distinct();
        foreach (var at in places.ToList())
        {
            if (Before(at).Count > 0) Add(at, new ByteWrite(block, condition, null));
            foreach (var write in Before(at + from - to))
            {
                var isSure = write.IsSure && paths.Dominates(write.Block, block);
                Add(at, new ByteWrite(
                    block, isSure ? condition : n.And(condition, write.Condition), write.Byte, isSure));
            }
        }
        Relocate(move, block, condition);
        _moves.Add((block, condition, from, to));
    }

    /// <summary>The offset behind the last byte that may have been written before a block ends.</summary>
    public int WrittenEnd(Block block) =>
        _written.Where(entry => entry.Value.Exists(w => paths.Leads(w.Block, block)))
            .Select(entry => entry.Key + 1).DefaultIfEmpty().Last();

    /// <summary>A byte as it is in a block.</summary>
    public Value Octet(int offset, Block block)
    {
        var moved = Maps(block).Aggregate(
            Moved(offset, block, block, _moves.Count), (so, map) => map.At(n, offset, so));
        moved = _clears.Where(clear => paths.Leads(clear.Block, block)).Aggregate(
            moved, (so, clear) => paths.Dominates(clear.Block, block)
                ? FoldingBuilder.Zero(8)
                : n.Select(clear.Condition, FoldingBuilder.Zero(8), so));
        return (_written.GetValueOrDefault(offset) ?? [])
            .Where(w => paths.Leads(w.Block, block))
            .Aggregate(moved, (so, w) => w.IsSure && paths.Dominates(w.Block, block)
                ? w.Byte ?? moved
                : n.Select(w.Condition, w.Byte ?? moved, so));
    }

    /// <summary>Notes a write behind all others of its byte.</summary>
    private void Add(int offset, ByteWrite write)
    {
        if (!_written.TryGetValue(offset, out var writes)) _written[offset] = writes = [];
        // A value that is overwritten under the same condition was never there.
        writes.RemoveAll(w => w.Condition == write.Condition);
        writes.Add(write);
    }

    /// <summary>Notes a move behind those that may have been made before, each of them and none.</summary>
    private void Relocate(Operation move, Block block, Value condition)
    {
        var isFirst = condition;
        var isSecond = false;
        foreach (var (i, before) in _relocations.ToList().Index())
        {
            if (!paths.Leads(before.Block, block) || before.Ends.Any(end => paths.Dominates(end, block))) continue;
            var isSure = before.IsSure && paths.Dominates(before.Block, block);
            var both = isSure ? condition : n.And(condition, before.Condition);
            _relocations.Add(new Relocation(block, both, FrameShift.Behind(before.Shift, move), isSure));
            _relocations[i] = before with
            {
                Condition = n.And(before.Condition, n.Not(condition)),
                IsSure = false,
                Ends = [.. before.Ends, block],
            };
            isFirst = n.And(isFirst, n.Not(before.Condition));
            isSecond |= isSure;
        }
        if (!isSecond)
            _relocations.Add(new Relocation(
                block, isFirst, FrameShift.Behind(null, move), ReferenceEquals(isFirst, condition)));
    }

    /// <summary>The moves and the bytes written in some blocks, as a frame leaves with them.</summary>
    private LeavingFrame Leaving(Func<Block, bool> counts)
    {
        var moves = _relocations.FindAll(
            r => leaving.Contains(r.Shift) && !Constant.Is(r.Condition, 0) && counts(r.Block));
        return new LeavingFrame(
            [.. Put(moves, counts)],
            [.. moves.GroupBy(r => (r.Shift.Start, r.Shift.Distance, r.Shift.Computed)).Select(group =>
                new LeavingMove(
                    n.ReduceOr(group.Select(r => r.Condition)), group.Key.Start, group.Key.Distance,
                    group.Key.Computed is { } computed ? _computed[computed] : null))],
            MapsIn(counts),
            [.. _windows.Placed(counts)], [.. _loads.Loaded(counts)],
            _clears.Exists(clear => counts(clear.Block))
                ? n.ReduceOr(_clears.Where(clear => counts(clear.Block)).Select(clear => clear.Condition))
                : null);
    }

    private List<MappedBytes> MapsIn(Func<Block, bool> counts) =>
        [.. _maps.Where(each => counts(each.Block)).Select(each => each.Map)];

    /// <summary>The bytes that are put in as the frame leaves.</summary>
    private IEnumerable<(int Offset, Value Condition, Value Byte)> Put(
        List<Relocation> moves, Func<Block, bool> counts)
    {
        var moved = moves.SelectMany(r =>
                (_isComputed ? r.Shift.PutInBehindHead() : r.Shift.PutIn(source.BeatBytes))
                    .Select(at => (Offset: at, r.Condition, From: r.Shift.Origin(at))))
            .ToLookup(put => put.Offset);
        foreach (var offset in _written.Keys.Concat(moved.Select(put => put.Key)).Distinct().Order().ToList())
        {
            var writes = (_written.GetValueOrDefault(offset) ?? []).FindAll(w => counts(w.Block));
            var (condition, value) = Put(
                [.. moved[offset]
                    // A byte that is always written there is not asked for.
                    .Where(put => !writes.Exists(w => w.Byte is not null && w.Condition == put.Condition))
                    .Select(put => (put.Condition, Lasting(put.From)))],
                writes);
            if (value is not null && !Constant.Is(condition, 0)) yield return (offset, condition, value);
        }
    }

    /// <summary>A byte that is put in: one that has moved, and what was written over it.</summary>
    private (Value Condition, Value? Byte) Put(List<(Value Condition, Value Byte)> moved, List<ByteWrite> writes)
    {
        Value? Chosen(Value? so, Value condition, Value octet) =>
            so is null ? octet : n.Select(condition, octet, so);
        Value AnyOf(IEnumerable<Value> conditions) =>
            n.ReduceOr(conditions.Distinct(ReferenceEqualityComparer.Instance).Cast<Value>());
        var (conditions, value) = (moved.ConvertAll(m => m.Condition), (Value?)null);
        foreach (var (condition, octet) in moved) value = Chosen(value, condition, octet);
        var movedByte = value;
        foreach (var write in writes)
        {
            if (write.Byte is { } octet) (conditions, value) =
                ([.. conditions, write.Condition], Chosen(value, write.Condition, octet));
            else
            {
                conditions = [n.And(AnyOf(conditions), n.Not(write.Condition)), .. moved.Select(
                    m => n.And(m.Condition, write.Condition))];
                if (movedByte is not null) value = Chosen(value, write.Condition, movedByte);
            }
        }
        return (AnyOf(conditions), value);
    }

    /// <summary>A byte that nobody wrote, where it may have been moved to.</summary>
    /// <param name="offset">Where it is.</param>
    /// <param name="at">The block in which it is there.</param>
    /// <param name="asked">The block that asks for it.</param>
    /// <param name="moves">The number of moves that may have taken it there.</param>
    private Value Moved(int offset, Block at, Block asked, int moves)
    {
        for (var i = moves - 1; i >= 0; i--)
        {
            var (block, condition, from, to) = _moves[i];
            if (offset < to || !paths.Leads(block, at)) continue;
            var moved = Moved(offset - to + from, block, asked, i);
            return paths.Dominates(block, at) ? moved : n.Select(condition, moved, Moved(offset, at, asked, i));
        }
        return _resizes.Exists(resize => paths.Leads(resize, asked)) ? Lasting(offset) : source.Byte(offset);
    }

    /// <summary>A byte as it came; since the frame may have been made longer, 0 behind its end.</summary>
    private Value Lasting(int offset)
    {
        if (_resizes.Count == 0 || offset < FrameLength.Header) return source.Byte(offset);
        var length = source.Input(new Operation(Opcode.Input, 32) { Input = FrameInput.Length }, operand => operand);
        return n.Select(n.Less(new Constant(32, (UInt128)offset), length), source.Byte(offset), FoldingBuilder.Zero(8));
    }
}
