using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Units;

/// <summary>
/// Words of a memory that follow one another, several a cycle, from any index on: the memory is in banks, word by word
/// in turn (cyclic partitioning), and what they give is rotated by the lowest bits of the index.
/// </summary>
/// <remarks>
/// The words that are next have an index that is a whole number of rows more, so the rotation stays what it is from the
/// first to the last. A bank's word is there a cycle after its row, and the words from it are made in later stages.
/// </remarks>
internal sealed class WordStream
{
    /// <summary>The cycles from the row to the banks' words.</summary>
    public const int Latency = 1;

    /// <summary>The levels from the edge to a bank's word, as of a block RAM.</summary>
    public const int Levels = 2 * Delays.Level;

    private readonly Netlist _n;
    private readonly Memory _memory;
    private readonly Wire _rotation;
    private readonly List<Wire> _banks;
    private readonly int _lanes, _rowBits;

    /// <summary>Declares it.</summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="memory">The memory.</param>
    /// <param name="lanes">The words of a cycle, a power of two.</param>
    public WordStream(Netlist n, Memory memory, int lanes)
    {
        (_n, _memory, _lanes) = (n, memory, lanes);
        _rowBits = Math.Max(1, BitOperations.Log2(BitOperations.RoundUpToPowerOf2((uint)Rows)));
        _rotation = new Wire("rotation", FoldingBuilder.Zero(Math.Max(1, LaneBits)));
        _banks = [.. Enumerable.Range(0, lanes).Select(_ => new Wire("word", FoldingBuilder.Zero(memory.Width)))];
        Words = Rotated();
    }

    /// <summary>Stand for the banks' words.</summary>
    public IEnumerable<Value> Banks => _banks;

    /// <summary>
    /// The banks, made by <see cref="Build"/>: word by word in turn. They have no write port yet.
    /// </summary>
    public List<Ram> Rams { get; } = [];

    /// <summary>The words, the one at the index first.</summary>
    public IReadOnlyList<Value> Words { get; }

    private int LaneBits => BitOperations.Log2((uint)_lanes);

    private int Rows => (_memory.Depth + _lanes - 1) / _lanes;

    /// <summary>The bits of an index that say which word it is.</summary>
    public Value Index(Value index) => _n.Resize(index, _rowBits + LaneBits);

    /// <summary>Makes it.</summary>
    /// <param name="index">The <see cref="Index"/> of the first word.</param>
    /// <param name="begins">1 in the cycle in which that is given.</param>
    /// <param name="moves">1 if the words in the next cycle are others.</param>
    /// <param name="goes">
    /// 1 if the words of the row that is given now are to be there in the next cycle, where words of one place may be
    /// followed by those of another at once; else they stay. Null if there is time between.
    /// </param>
    /// <returns>What the stand-ins stand for.</returns>
    public IEnumerable<(Value StandIn, Value Value)> Build(
        Value index, Value begins, Value moves, Value? goes = null)
    {
        var n = _n;
        var first = n.Extract(index, LaneBits, _rowBits);
        var one = new Constant(_rowBits, 1);
        var row = n.AddFlop("stream_row", _rowBits, 0);
        var after = n.AddFlop("stream_row_after", _rowBits, 0);
        (row.Next, row.Enable) = (n.Select(begins, first, after), moves);
        (after.Next, after.Enable) = (n.Add(row.Next, one), moves);
        Value rotation = FoldingBuilder.Zero(1);
        if (LaneBits > 0) rotation = n.Registered("stream_lane", n.Extract(index, 0, LaneBits), null, begins);
        yield return (_rotation, goes is null ? rotation : n.Registered("stream_rotation", rotation, null, goes));
        for (var bank = 0; bank < _lanes; bank++)
        {
            // A bank in front of the one with the first word has its word in the row behind.
            var isAfter = bank == _lanes - 1
                ? FoldingBuilder.Bit(false)
                : n.Less(new Constant(LaneBits, (UInt128)bank), rotation);
            var ram = n.AddRam(
                $"{Netlist.SnakeCase(_memory.Name)}_bank_{bank}", _memory.Width, 1 << _rowBits, Contents(bank),
                $"{_memory.Name}, one word of {_lanes}");
            Rams.Add(ram);
            yield return (_banks[bank], n.AddRead(
                $"{ram.Name}_read", ram, n.Select(isAfter, after, row), isRegistered: true, goes));
        }
    }

    /// <summary>The words of a bank.</summary>
    private List<UInt128> Contents(int bank) =>
    [
        .. Enumerable.Range(0, 1 << _rowBits).Select(row => row * _lanes + bank)
            .Select(at => at < _memory.Depth ? _memory.Reset[at] : UInt128.Zero),
    ];

    /// <summary>The banks' words, those of each lane chosen bit by bit of the rotation.</summary>
    private List<Value> Rotated()
    {
        List<Value> words = [.. _banks];
        for (var bit = 0; bit < LaneBits; bit++)
        {
            var (by, isBy, before) = (1 << bit, _n.Extract(_rotation, bit, 1), words);
            words = [.. before.Select((word, lane) => _n.Select(isBy, before[(lane + by) % _lanes], word))];
        }
        return words;
    }
}
