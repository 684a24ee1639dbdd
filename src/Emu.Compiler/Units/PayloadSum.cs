using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// The ones' complement sum (RFC 1071) of a frame's bytes from a constant offset on, taken while its beats pass: what
/// lies before the header window's last beat from the header, the rest beat by beat. It is not folded:
/// carries are in the bits from 16 on.
/// </summary>
/// <remarks>
/// Stages are counted as the pipeline's are, those of a beat from the cycle in which it is accepted. A beat is masked
/// and its words are added in pairs in the first stage, two levels of adders are in each that follows,
/// and the last adds to the sum so far; where the clock is fast, one word to it and not two.
/// Where loops have written the bytes, a <see cref="PayloadMap"/> is in front.
/// </remarks>
internal sealed class PayloadSum : IPayloadUnit
{
    /// <summary>Enough for the carries of 16,384 words.</summary>
    public const int Width = OnesComplementSums.WidestSum;

    private readonly Netlist _n;
    private readonly HeaderWindow _header;
    private readonly int _lanes;
    private readonly int _base;
    private readonly int _offset;
    private readonly int _first;
    private readonly Value _remaining;
    private readonly Value _before;
    private readonly PayloadMap? _map;
    private readonly bool _isFast;

    /// <summary>True if the header's last beat is summed whole: known early, where the clock is fast.</summary>
    private readonly Value? _isFirstWhole;

    /// <summary>Declares it.</summary>
    /// <param name="netlist">The netlist in which it is made.</param>
    /// <param name="header">The stream.</param>
    /// <param name="options">The device.</param>
    /// <param name="offset">The offset at which the bytes begin.</param>
    /// <param name="without">The number of bytes there, all of the header, that are left out: an even one.</param>
    /// <param name="length">The number of bytes, known from the header, those that are left out among them.</param>
    /// <param name="octet">Gives those of the header that are not left out.</param>
    /// <param name="map">Loops that have written the bytes that are summed; null if there are none.</param>
    public PayloadSum(
        Netlist netlist, HeaderWindow header, HardwareOptions options, int offset, int without, Value length,
        Func<int, Value> octet, PayloadMap? map)
    {
        (_first, _map) = (offset + without, map);
        (_n, _header, _lanes, _offset) = (netlist, header, options.Lanes, offset);
        _base = header.LastBeatOffset;
        var bits = Interval.Of((UInt128)(2 * options.Capacity)).Width;
        var count = _n.Resize(length, bits);
        var ahead = _base - offset;
        _remaining = ahead <= 0 ? _n.Add(count, new Constant(bits, (UInt128)(-ahead)))
            : _n.Select(
                _n.Less(count, new Constant(bits, (UInt128)ahead)),
                FoldingBuilder.Zero(bits),
                _n.Subtract(count, new Constant(bits, (UInt128)ahead)));
        _isFast = options.IsFast;
        if (_isFast) _isFirstWhole = IsAny(_n, _n.Extract(_remaining, LaneBits, bits - LaneBits));
        var bytes = Enumerable.Range(without, Math.Max(0, ahead - without))
            .Select(i => Masked(octet(offset + i), _n.Less(new Constant(bits, (UInt128)i), count))).ToList();
        _before = bytes.Count == 0 ? FoldingBuilder.Zero(Width) : _n.Resize(OfBytes(_n, bytes), Width);
        Total = new Wire("sum", FoldingBuilder.Zero(Width));
    }

    /// <summary>Stands for the sum.</summary>
    public Wire Total { get; }

    /// <summary>The values that it needs of the header.</summary>
    public IReadOnlyList<Value> Operands =>
        [_remaining, _before, .. _isFirstWhole is null ? (Value[])[] : [_isFirstWhole], .. MapOperands];

    private IEnumerable<Value> MapOperands => _map?.Operands.SelectMany(operands => operands) ?? [];

    /// <summary>The cycles that a beat is in the map before it is masked.</summary>
    private int MapLatency => _map?.Latency ?? 0;

    /// <summary>The sum of the words that bytes make, as a balanced tree; a last byte alone is a high one.</summary>
    public static Value OfBytes(Netlist n, IReadOnlyList<Value> bytes)
    {
        var words = new List<Value>();
        for (var i = 0; i < bytes.Count; i += 2)
            words.Add(n.Concat(bytes[i], i + 1 < bytes.Count ? bytes[i + 1] : FoldingBuilder.Zero(8)));
        while (words.Count > 1) words = Pairs(n, words);
        return words[0];
    }

    /// <summary>A sum with its carries added: 16 bits, 0 only if all is.</summary>
    public static Value Folded(Netlist n, Value sum)
    {
        var once = n.Add(n.Resize(n.Extract(sum, 0, 16), 17), n.Resize(n.Extract(sum, 16, sum.Width - 16), 17));
        return n.Add(n.Extract(once, 0, 16), n.Resize(n.Extract(once, 16, 1), 16));
    }

    /// <summary>
    /// True if a sum is all ones when it is folded: its low half and its carries are each other's complement. With
    /// carries below 2^13 the first addition is all ones or has none that carries again into all ones, so none is
    /// needed.
    /// </summary>
    public static Value IsWhole(Netlist n, Value sum) =>
        n.Equal(n.Extract(sum, 0, 16), n.Not(n.Resize(n.Extract(sum, 16, sum.Width - 16), 16)));

    /// <summary>
    /// The stage in which beats are masked, or go into the map, given when the values of the header are there.
    /// </summary>
    public int MaskStage(Func<Value, int> stageOf) => MapOperands.Select(value => stageOf(value) + 1)
        .Append(1)
        .Append(Math.Max(stageOf(_isFirstWhole ?? _remaining) + 1, stageOf(_before) - TreeStages) - MapLatency).Max();

    /// <inheritdoc />
    public int Latency => MapLatency + TreeStages + 1;

    /// <summary>Stages of the tree before the one that adds to the sum.</summary>
    private int TreeStages
    {
        get
        {
            var stages = 1;
            for (var words = _lanes / 4; words > (_isFast ? 1 : 2); words = (words + 3) / 4) stages++;
            return stages;
        }
    }

    /// <summary>Makes it.</summary>
    /// <param name="maskStage">The stage in which beats are masked.</param>
    /// <param name="valueIn">Gives values of the header in a stage.</param>
    /// <param name="passes">1 when a frame passes a stage.</param>
    /// <param name="queue">Not asked: the sum is there with the last beat.</param>
    public Value Build(
        int maskStage, Func<Value, int, Value> valueIn, Func<int, Value> passes, IssueQueue? queue)
    {
        var n = _n;
        var data = _map is null ? _header.PayloadData(maskStage) : Mapped(_map, maskStage, valueIn);
        maskStage += MapLatency;
        var (isValid, isStart) = _header.Payload(maskStage);
        var section = n.Begin("checksum of the payload");
        var remaining = n.AddFlop("sum_remaining", _remaining.Width, 0, "bytes to be summed from this beat on");
        var now = n.AddWire("sum_bytes", n.Select(isStart, valueIn(_remaining, maskStage), remaining));
        var laneBits = LaneBits;
        var beats = n.Extract(now, laneBits, now.Width - laneBits);
        var isAll = _isFirstWhole is null
            ? IsAny(n, beats)
            : IsWholeBeat(isStart, valueIn(_isFirstWhole, maskStage), beats, isValid);
        var left = n.Concat(n.Subtract(beats, new Constant(beats.Width, 1)), n.Extract(now, 0, laneBits));
        (remaining.Next, remaining.Enable) = (n.Select(isAll, left, FoldingBuilder.Zero(now.Width)), isValid);

        var low = n.Extract(now, 0, laneBits);
        var bytes = data.Select((octet, i) =>
        {
            var isDue = n.Or(isAll, n.Less(new Constant(laneBits, (UInt128)i), low));
            // The first beat may begin before the offset.
            return Masked(octet, _base + i < _first ? n.And(isDue, n.Not(isStart)) : isDue);
        }).ToList();
        // A byte at an even distance from the offset is the high one of its word,
        // whichever word of the beat it stands in.
        var words = Enumerable.Range(0, _lanes / 2)
            .Select(i => (_offset & 1) == 0
                ? n.Concat(bytes[2 * i], bytes[2 * i + 1])
                : n.Concat(bytes[2 * i + 1], bytes[2 * i]))
            .ToList();
        words = Registered(Pairs(n, words), 0);
        for (var stage = 1; stage < TreeStages; stage++) words = Registered(Pairs(n, Pairs(n, words)), stage);

        var adds = _header.Payload(maskStage + TreeStages);
        n.Continue(section);
        var total = n.AddFlop("sum_total", Width, 0, "of the frame so far");
        var sum = n.Resize(words.Count > 1 ? Pairs(n, words)[0] : words[0], Width);
        total.Next = n.Add(n.Select(adds.IsStart, valueIn(_before, maskStage + TreeStages), total), sum);
        total.Enable = adds.IsValid;
        return total;
    }

    private int LaneBits => Interval.Of((UInt128)_lanes).Width - 1;

    private static Value IsAny(Netlist n, Value count) => n.Not(n.Equal(count, FoldingBuilder.Zero(count.Width)));

    /// <summary>True if all bytes of a beat are summed: known from the beat before it, or from the header.</summary>
    private Value IsWholeBeat(Value isStart, Value isFirstWhole, Value beats, Value isValid)
    {
        var n = _n;
        var isNextWhole = n.AddFlop("sum_next_whole", 1, 0, "all bytes of the next beat are summed");
        var isWhole = n.Select(isStart, isFirstWhole, isNextWhole);
        (isNextWhole.Next, isNextWhole.Enable) =
            (n.And(isWhole, n.Not(n.Equal(beats, new Constant(beats.Width, 1)))), isValid);
        return isWhole;
    }

    /// <summary>The bytes of beats as loops leave them.</summary>
    private List<Value> Mapped(PayloadMap map, int stage, Func<Value, int, Value> valueIn)
    {
        var (isValid, isStart) = _header.Payload(stage);
        var place = new MapPlace(isStart, isStart, isValid);
        return map.Build(
            _header.PayloadData(stage), [.. map.Operands.Select(_ => place)],
            [.. map.Operands.Select(operands => operands.Select(value => valueIn(value, stage)).ToList())], goes: null);
    }

    private List<Value> Registered(List<Value> words, int stage) =>
        [.. words.Select((word, i) => (Value)_n.RegisteredPart($"sum_{stage}", -i, word))];

    private Value Masked(Value data, Value isDue) => _n.Select(isDue, data, FoldingBuilder.Zero(8));

    private static List<Value> Pairs(Netlist n, List<Value> words)
    {
        var sums = new List<Value>();
        for (var i = 0; i < words.Count; i += 2)
        {
            var width = words[i].Width + 1;
            sums.Add(i + 1 < words.Count
                ? n.Add(n.Resize(words[i], width), n.Resize(words[i + 1], width))
                : n.Resize(words[i], width));
        }
        return sums;
    }
}
