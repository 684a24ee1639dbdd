using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Units;

/// <summary>
/// The frame of the engine: a RAM for each byte of a beat, so that in one cycle any bytes that follow one another can
/// be read, and any written, wherever they begin; and bytes at known places besides, as many as wanted.
/// </summary>
internal sealed class FrameMemory
{
    /// <summary>Levels of logic that an offset may have behind it, so that the bytes are there in time.</summary>
    public const int OffsetArrival = 3 * Delays.Level;

    /// <summary>
    /// Levels from an offset to the bytes: choice of the state's offset, row of the lane, RAM, rotation.
    /// </summary>
    private const int ReadLevels = 5 * Delays.Level;

    /// <summary>Levels from bytes to the RAM that they are written to: choice of the state's, rotation, lane.</summary>
    public const int WriteLevels = 5;

    private const string Title = "frame: a RAM for each byte of a beat";

    /// <summary>Bits of a row of which a LUT makes any of the next.</summary>
    private const int BitsOfLut = 6;

    /// <summary>Levels of the rotation alone.</summary>
    private const int TurnLevels = 3 * Delays.Level;

    private readonly Netlist _n;
    private readonly Delays _delays;
    private readonly int _lanes;
    private readonly Section _section;
    private readonly Ram[] _rams;
    private readonly RamRead[] _reads;
    private readonly Dictionary<(int Lane, int Row), RamRead> _fixedReads = [];
    private readonly List<(Value Condition, Value Offset)> _offsets = [];
    private readonly List<(Value Active, Value Condition, Value Offset, List<Value> Bytes)> _writes = [];
    private readonly List<(Value Active, Value Condition, Value Row, Value Byte)>[] _fixedWrites, _postedWrites;
    private readonly Wire _offset;
    private readonly Value _address;
    private readonly Value? _bank;
    private (Value Condition, Value Row)? _rowRead;
    private List<Value>? _rotated, _kept;

    /// <summary>Declares it.</summary>
    /// <param name="netlist">The circuit.</param>
    /// <param name="delays">The delays of operations; those of what is read are added.</param>
    /// <param name="lanes">Bytes of a beat.</param>
    /// <param name="rows">The beats that a frame may have, a power of two.</param>
    /// <param name="fixedBytes"><see cref="FixedBytes"/>.</param>
    /// <param name="access"><see cref="Access"/>.</param>
    /// <param name="bank">A bit that chooses one of two frames; null if there is one.</param>
    public FrameMemory(
        Netlist netlist, Delays delays, int lanes, int rows, int fixedBytes, FrameMemoryAccess access, Value? bank)
    {
        _bank = bank;
        (_n, _delays, _lanes, FixedBytes, Access) = (netlist, delays, lanes, fixedBytes, access);
        _section = _n.Begin(Title);
        RowBits = Log(rows);
        _offset = _n.DeclareWire("frame_offset", RowBits + Log(lanes), "where the bytes begin that are read");
        _rams = [.. Enumerable.Range(0, lanes).Select(i => _n.AddRam($"frame_{i}", 8, bank is null ? rows : 2 * rows))];
        _reads = [.. _rams.Select((ram, i) =>
            _n.AddRead($"frame_{i}_read", ram, FoldingBuilder.Zero(ram.AddressWidth), isRegistered: false))];
        _fixedWrites = [.. _rams.Select(_ => new List<(Value, Value, Value, Value)>())];
        _postedWrites = [.. _rams.Select(_ => new List<(Value, Value, Value, Value)>())];
        _address = access == FrameMemoryAccess.OffsetsAndBytesInFlops
            ? _n.Registered("frame_offset_kept", _offset, 0)
            : _offset;
    }

    /// <summary>Bits of a row's number.</summary>
    public int RowBits { get; }

    /// <summary>
    /// The number of first bytes that have read ports of their own, where they are read at constant offsets.
    /// </summary>
    public int FixedBytes { get; }

    /// <summary>The flops on the way to and from bytes at computed offsets.</summary>
    public FrameMemoryAccess Access { get; }

    /// <summary>
    /// The cycles from <see cref="Read"/> to the one in which bytes at a computed offset are there; 0 for the same.
    /// </summary>
    public int ReadCycles => (int)Access;

    /// <summary>True if bytes at computed offsets are written a cycle after the one that says so.</summary>
    public bool PostsWrites => Access == FrameMemoryAccess.OffsetsAndBytesInFlops;

    /// <summary>Levels of logic that the offset of a <see cref="Read"/> may have behind it.</summary>
    public int LatestOffset => Access == FrameMemoryAccess.BytesInFlops ? Delays.Level : OffsetArrival;

    /// <summary>True if a part of a circuit is a frame memory.</summary>
    public static bool IsIn(Section section) => section.Title == Title;

    private int LaneBits => Log(_lanes);

    /// <summary>The byte at a known place.</summary>
    public Value At(int offset)
    {
        var (lane, row) = (offset % _lanes, offset / _lanes);
        if (_fixedReads.TryGetValue((lane, row), out var known)) return known;
        _n.Continue(_section);
        var read = _n.AddRead(
            $"frame_byte_{offset}", _rams[lane], InBank(new Constant(RowBits, (UInt128)row)), isRegistered: false);
        _delays.Set(read, Delays.Level);
        return _fixedReads[(lane, row)] = read;
    }

    /// <summary>
    /// Bytes from an offset on, in a state that reads no others so; <see cref="ReadCycles"/> later.
    /// </summary>
    /// <param name="condition">True in that state.</param>
    /// <param name="offset">The offset of the first byte.</param>
    /// <param name="count">The number of bytes.</param>
    /// <param name="lane">The lane of the first byte where that is always the same: then nothing is rotated.</param>
    public List<Value> Read(Value condition, Value offset, int count, int? lane = null)
    {
        _offsets.Add((condition, _n.Resize(offset, _offset.Width)));
        return Words(count, lane);
    }

    /// <summary>The bytes that were asked for <see cref="ReadCycles"/> ago.</summary>
    public List<Value> Words(int count, int? lane) => lane is { } first
        ? [.. Enumerable.Range(first, count).Select(i => Kept[i % _lanes])]
        : (_rotated ??= Rotated())[..count];

    /// <summary>The lane in which bytes at an offset begin; null if that depends on more than the program.</summary>
    public int? LaneOf(Value offset) => ConstantLane.Of(offset, LaneBits);

    /// <summary>A whole row.</summary>
    public IReadOnlyList<Value> Row(Value condition, Value row)
    {
        if (PostsWrites) _rowRead = (condition, row);
        else _offsets.Add((condition, _n.Concat(row, FoldingBuilder.Zero(LaneBits))));
        return _reads;
    }

    /// <summary>
    /// Writes a byte in a lane under a condition, in a state that writes no other there:
    /// where and what do not wait for the condition.
    /// </summary>
    public void Write(Value active, Value condition, int lane, Value row, Value value) =>
        _fixedWrites[lane].Add((active, condition, row, value));

    /// <summary>Writes bytes from an offset on under a condition, in a state that writes no others.</summary>
    /// <param name="active">True in that state.</param>
    /// <param name="condition">True if they are written there.</param>
    /// <param name="offset">The offset of the first byte.</param>
    /// <param name="bytes">The bytes.</param>
    /// <param name="lane">The lane of the first byte where that is always the same: then nothing is rotated.</param>
    public void Write(Value active, Value condition, Value offset, List<Value> bytes, int? lane = null)
    {
        offset = _n.Resize(offset, _offset.Width);
        if (lane is not { } first)
        {
            _writes.Add((active, condition, offset, bytes));
            return;
        }
        var row = _n.Extract(offset, LaneBits, RowBits);
        var next = After(row);
        var writes = PostsWrites ? _postedWrites : _fixedWrites;
        for (var i = 0; i < bytes.Count; i++)
            writes[(first + i) % _lanes].Add((active, condition, first + i < _lanes ? row : next, bytes[i]));
    }

    /// <summary>Connects the ports, when all accesses are known.</summary>
    public void Build()
    {
        _n.Continue(_section);
        _offset.Source = _n.SelectOneHot(_offset.Width, _offsets);
        for (var i = 0; i < _lanes; i++) _reads[i].Address = InBank(ReadRow(i));
        var (isActive, enables, rows, bytes) = FreeWrites();
        for (var i = 0; i < _lanes; i++)
        {
            List<(Value Active, Value Condition, Value Row, Value Byte)> all = [.. _fixedWrites[i], .. Posted(i)];
            if (enables.Count > 0) all.Add((isActive, enables[i], rows[i], bytes[i]));
            _rams[i].Write = new RamWrite(
                InBank(_n.SelectOneHot(RowBits, all.Select(w => (w.Active, w.Row)))),
                _n.SelectOneHot(8, all.Select(w => (w.Active, w.Byte))),
                _n.ReduceOr(all.Select(w => w.Condition)));
        }
    }

    private static int Log(int number) => System.Numerics.BitOperations.Log2((uint)number);

    /// <summary>A row of the frame that is worked on.</summary>
    private Value InBank(Value row) => _bank is null ? row : _n.Concat(_bank, row);

    /// <summary>The row that is read of a lane.</summary>
    private Value ReadRow(int lane) => _rowRead is var (condition, row)
        ? _n.Select(condition, row, RowOf(_address, lane))
        : RowOf(_address, lane);

    /// <summary>The row of a lane: one further for the lanes before the first byte.</summary>
    private Value RowOf(Value offset, int lane)
    {
        var row = _n.Extract(offset, LaneBits, RowBits);
        var isBefore = _n.Less(new Constant(LaneBits, (UInt128)lane), _n.Extract(offset, 0, LaneBits));
        return _n.Select(isBefore, After(row), row);
    }

    /// <summary>The row behind another. Where its bits are few each is a LUT, and no carry is waited for.</summary>
    private Value After(Value row)
    {
        if (RowBits > BitsOfLut) return _n.Add(row, new Constant(RowBits, 1));
        // A bit changes behind ones alone.
        Value Next(int bit) => bit == 0
            ? _n.Not(_n.Extract(row, 0, 1))
            : _n.Xor(
                _n.Extract(row, bit, 1), _n.Equal(_n.Extract(row, 0, bit), new Constant(bit, Arithmetic.Mask(bit))));
        return Enumerable.Range(0, RowBits).Select(Next).Aggregate((low, bit) => _n.Concat(bit, low));
    }

    /// <summary>The bytes of the lanes, as they are read.</summary>
    private List<Value> Kept => _kept ??= ReadCycles > 0
        ? [.. _reads.Select((read, lane) => (Value)_n.RegisteredPart("frame_kept", -lane, read))]
        : ReadNow();

    /// <summary>The bytes of the lanes, which come as late as rotated ones may: all states have an offset.</summary>
    private List<Value> ReadNow()
    {
        foreach (var read in _reads) _delays.Set(read, OffsetArrival + ReadLevels);
        return [.. _reads];
    }

    /// <summary>The bytes read, the first one first.</summary>
    private List<Value> Rotated()
    {
        var bytes = Kept;
        var turn = _n.Extract(_address, 0, LaneBits);
        if (ReadCycles > 0) turn = _n.Registered("frame_turn", turn, 0);
        for (var bit = LaneBits - 1; bit >= 0; bit--)
        {
            var by = 1 << bit;
            var turns = _n.Extract(turn, bit, 1);
            bytes = [.. bytes.Select((b, i) => _n.Select(turns, bytes[(i + by) % _lanes], b))];
        }
        foreach (var value in bytes) _delays.Set(value, ReadCycles > 0 ? TurnLevels : OffsetArrival + ReadLevels);
        return bytes;
    }

    /// <summary>The bytes written in a lane, known from the cycle before.</summary>
    private IEnumerable<(Value Active, Value Condition, Value Row, Value Byte)> Posted(int lane)
    {
        var writes = _postedWrites[lane];
        if (writes.Count == 0) yield break;
        // Another state may be active in that cycle, if this one did not write.
        var condition = Post("writes", _n.ReduceOr(writes.Select(w => w.Condition)));
        yield return (
            condition,
            condition,
            Post("row", _n.SelectOneHot(RowBits, writes.Select(w => (w.Active, w.Row)))),
            Post("byte", _n.SelectOneHot(8, writes.Select(w => (w.Active, w.Byte)))));
    }

    private (Value Active, List<Value> Enables, List<Value> Rows, List<Value> Bytes) FreeWrites()
    {
        if (_writes.Count == 0) return (FoldingBuilder.Bit(false), [], [], []);
        // Posted, another state may be active in that cycle, if this one did not write.
        var active = Post("active", _n.ReduceOr(_writes.Select(w => PostsWrites ? w.Condition : w.Active)));
        var offset = Post("offset", _n.AddWire(
            "frame_write_offset", _n.SelectOneHot(_offset.Width, _writes.Select(w => (w.Active, w.Offset)))));
        List<Value> lanes = [.. Enumerable.Range(0, _lanes).Select(i => Post("bytes", _n.Concat(
            _n.ReduceOr(_writes.Where(w => i < w.Bytes.Count).Select(w => w.Condition)),
            _n.SelectOneHot(8, _writes.Where(w => i < w.Bytes.Count).Select(w => (w.Active, w.Bytes[i]))))))];
        for (var bit = 0; bit < LaneBits; bit++)
        {
            var by = 1 << bit;
            var turns = _n.Extract(offset, bit, 1);
            lanes = [.. lanes.Select((b, i) => _n.Select(turns, lanes[(i - by + _lanes) % _lanes], b))];
        }
        return (
            active,
            [.. lanes.Select(lane => _n.Extract(lane, 8, 1))],
            [.. lanes.Select((_, i) => RowOf(offset, i))],
            [.. lanes.Select(lane => _n.Extract(lane, 0, 8))]);
    }

    /// <summary>A value that is written, in flops where writes are posted.</summary>
    private Value Post(string name, Value value) =>
        PostsWrites && value is not Constant ? _n.Registered($"frame_post_{name}", value, 0) : value;
}

/// <summary>
/// The flops on the way to and from bytes at computed offsets: a shorter cycle for each, and a later one.
/// </summary>
internal enum FrameMemoryAccess
{
    /// <summary>None: bytes are there in the cycle in which they are asked for.</summary>
    Direct = 0,

    /// <summary>The bytes of the lanes, in front of the rotation.</summary>
    BytesInFlops = 1,

    /// <summary>These, the offset, and what is written.</summary>
    OffsetsAndBytesInFlops = 2,
}
