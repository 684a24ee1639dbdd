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
    private readonly List<(Value Active, Value Condition, Value Row, Value Byte)>[] _fixedWrites;
    private readonly Wire _offset;
    private readonly Value? _bank;
    private List<Value>? _rotated, _kept;

    /// <summary>Declares it.</summary>
    /// <param name="netlist">The circuit.</param>
    /// <param name="delays">The delays of operations; those of what is read are added.</param>
    /// <param name="lanes">Bytes of a beat.</param>
    /// <param name="rows">The beats that a frame may have, a power of two.</param>
    /// <param name="fixedBytes"><see cref="FixedBytes"/>.</param>
    /// <param name="isRegistered"><see cref="IsRegistered"/>.</param>
    /// <param name="bank">A bit that chooses one of two frames; null if there is one.</param>
    public FrameMemory(
        Netlist netlist, Delays delays, int lanes, int rows, int fixedBytes, bool isRegistered, Value? bank)
    {
        _bank = bank;
        (_n, _delays, _lanes, FixedBytes, IsRegistered) = (netlist, delays, lanes, fixedBytes, isRegistered);
        _section = _n.Begin("frame: a RAM for each byte of a beat");
        RowBits = Log(rows);
        _offset = _n.DeclareWire("frame_offset", RowBits + Log(lanes), "where the bytes begin that are read");
        _rams = [.. Enumerable.Range(0, lanes).Select(i => _n.AddRam($"frame_{i}", 8, bank is null ? rows : 2 * rows))];
        _reads = [.. _rams.Select((ram, i) =>
            _n.AddRead($"frame_{i}_read", ram, FoldingBuilder.Zero(ram.AddressWidth), isRegistered: false))];
        _fixedWrites = [.. _rams.Select(_ => new List<(Value, Value, Value, Value)>())];
    }

    /// <summary>Bits of a row's number.</summary>
    public int RowBits { get; }

    /// <summary>
    /// The number of first bytes that have read ports of their own, where they are read at constant offsets.
    /// </summary>
    public int FixedBytes { get; }

    /// <summary>True if bytes at a computed offset are there in the cycle after <see cref="Read"/>.</summary>
    public bool IsRegistered { get; }

    /// <summary>Levels of logic that the offset of a <see cref="Read"/> may have behind it.</summary>
    public int LatestOffset => IsRegistered ? Delays.Level : OffsetArrival;

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
    /// Bytes from an offset on, in a state that reads no others so; the next cycle's if <see cref="IsRegistered"/>.
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

    /// <summary>The bytes that were asked for in the cycle before, if <see cref="IsRegistered"/>.</summary>
    public List<Value> Words(int count, int? lane) => lane is { } first
        ? [.. Enumerable.Range(first, count).Select(i => Kept[i % _lanes])]
        : (_rotated ??= Rotated())[..count];

    /// <summary>The lane in which bytes at an offset begin; null if that depends on more than the program.</summary>
    public int? LaneOf(Value offset) => ConstantLane.Of(offset, LaneBits);

    /// <summary>A whole row.</summary>
    public IReadOnlyList<Value> Row(Value condition, Value row)
    {
        _offsets.Add((condition, _n.Concat(row, FoldingBuilder.Zero(LaneBits))));
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
        var next = _n.Add(row, new Constant(RowBits, 1));
        for (var i = 0; i < bytes.Count; i++)
            Write(active, condition, (first + i) % _lanes, first + i < _lanes ? row : next, bytes[i]);
    }

    /// <summary>Connects the ports, when all accesses are known.</summary>
    public void Build()
    {
        _n.Continue(_section);
        _offset.Source = _n.SelectOneHot(_offset.Width, _offsets);
        for (var i = 0; i < _lanes; i++) _reads[i].Address = InBank(RowOf(_offset, i));
        var (enables, rows, bytes) = FreeWrites();
        for (var i = 0; i < _lanes; i++)
        {
            List<(Value Active, Value Condition, Value Row, Value Byte)> all = [.. _fixedWrites[i]];
            if (enables.Count > 0) all.Add((_n.ReduceOr(_writes.Select(w => w.Active)), enables[i], rows[i], bytes[i]));
            _rams[i].Write = new RamWrite(
                InBank(_n.SelectOneHot(RowBits, all.Select(w => (w.Active, w.Row)))),
                _n.SelectOneHot(8, all.Select(w => (w.Active, w.Byte))),
                _n.ReduceOr(all.Select(w => w.Condition)));
        }
    }

    private static int Log(int number) => System.Numerics.BitOperations.Log2((uint)number);

    /// <summary>A row of the frame that is worked on.</summary>
    private Value InBank(Value row) => _bank is null ? row : _n.Concat(_bank, row);

    /// <summary>The row of a lane: one further for the lanes before the first byte.</summary>
    private Value RowOf(Value offset, int lane)
    {
        var row = _n.Extract(offset, LaneBits, RowBits);
        var isBefore = _n.Less(new Constant(LaneBits, (UInt128)lane), _n.Extract(offset, 0, LaneBits));
        return _n.Select(isBefore, _n.Add(row, new Constant(RowBits, 1)), row);
    }

    /// <summary>The bytes of the lanes, as they are read.</summary>
    private List<Value> Kept => _kept ??= IsRegistered
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
        var turn = IsRegistered
            ? _n.Registered("frame_turn", _n.Extract(_offset, 0, LaneBits), 0)
            : _n.Extract(_offset, 0, LaneBits);
        for (var bit = LaneBits - 1; bit >= 0; bit--)
        {
            var by = 1 << bit;
            var turns = _n.Extract(turn, bit, 1);
            bytes = [.. bytes.Select((b, i) => _n.Select(turns, bytes[(i + by) % _lanes], b))];
        }
        foreach (var value in bytes) _delays.Set(value, IsRegistered ? TurnLevels : OffsetArrival + ReadLevels);
        return bytes;
    }

    private (List<Value> Enables, List<Value> Rows, List<Value> Bytes) FreeWrites()
    {
        if (_writes.Count == 0) return ([], [], []);
        var offset = _n.AddWire(
            "frame_write_offset", _n.SelectOneHot(_offset.Width, _writes.Select(w => (w.Active, w.Offset))));
        List<Value> lanes = [.. Enumerable.Range(0, _lanes).Select(i => _n.Concat(
            _n.ReduceOr(_writes.Where(w => i < w.Bytes.Count).Select(w => w.Condition)),
            _n.SelectOneHot(8, _writes.Where(w => i < w.Bytes.Count).Select(w => (w.Active, w.Bytes[i])))))];
        for (var bit = 0; bit < LaneBits; bit++)
        {
            var by = 1 << bit;
            var turns = _n.Extract(offset, bit, 1);
            lanes = [.. lanes.Select((b, i) => _n.Select(turns, lanes[(i - by + _lanes) % _lanes], b))];
        }
        return (
            [.. lanes.Select(lane => _n.Extract(lane, 8, 1))],
            [.. lanes.Select((_, i) => RowOf(offset, i))],
            [.. lanes.Select(lane => _n.Extract(lane, 0, 8))]);
    }
}
