using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Shares a link between flows without a queue for each: it knows how fast each flow comes, works out the share that
/// all may have, and drops of a faster one so much that the share is left (Stoica, Shenker and Zhang 1998,
/// <i>Core-Stateless Fair Queueing</i>, §3).
/// </summary>
/// <remarks>Rates are in kilobits a second. Flows whose addresses have the same hash are one.</remarks>
/// <param name="capacity">What the link carries.</param>
/// <param name="averagingMicroseconds">The constant K over which the rate of a flow is averaged.</param>
/// <param name="windowMicroseconds">The constant K of the link: how often the share is worked out.</param>
public sealed class FairDropper(
    uint capacity = 1_000_000, uint averagingMicroseconds = 100, uint windowMicroseconds = 200) : Service
{
    private const int Flows = 256, HashBits = 8;
    private const ulong NanosecondsPerMicrosecond = 1000, KilobitsPerBitPerNanosecond = 1_000_000;

    private struct Flow
    {
        public ulong Last;
        public ulong Rate;
    }

    private readonly H3Hash _hash = new(keyWidth: 64, HashBits, seed: 0xFA1);
    private readonly Flow[] _flows = new Flow[Flows];
    private ulong _share = capacity;
    private ulong _windowStart, _arrivedBits, _acceptedBits, _largestRate;
    private uint _random = 2463534242;

    /// <summary>Packets that went on.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Packets dropped: of flows that had more than their share.</summary>
    public Counter Dropped { get; } = new();

    /// <summary>Windows in which more came than the link carries.</summary>
    public Counter CongestedWindows { get; } = new();

    /// <summary>Frames that belong to no flow, and go on.</summary>
    public Counter Others { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip))
        {
            Others.Increment();
            return;
        }
        var bits = 8 * (ulong)frame.Length;
        ref var flow = ref _flows[_hash.Index((UInt128)ip.Source.Bits << 32 | ip.Destination.Bits)];
        var rate = Averaged(flow, bits, frame.Time);
        (flow.Rate, flow.Last) = (rate, frame.Time);

        // Of a packet of a flow at rate r, 1 - share / r is the probability that it is dropped.
        var isDropped = rate > _share && Random() % rate >= _share;
        UpdateShare(bits, isDropped, isDropped ? _share : rate, frame.Time);
        if (isDropped)
        {
            Dropped.Increment();
            frame.Drop();
        }
        else Passed.Increment();
    }

    /// <summary>
    /// The rate with one more packet: (1 - w) × length / gap + w × rate, where w falls with the gap from 1 to 0.
    /// </summary>
    private ulong Averaged(in Flow flow, ulong bits, ulong time)
    {
        var constant = averagingMicroseconds * NanosecondsPerMicrosecond;
        var gap = time - flow.Last;
        if (gap >= constant) return bits * KilobitsPerBitPerNanosecond / constant;
        return flow.Rate - flow.Rate * gap / constant + bits * KilobitsPerBitPerNanosecond / constant;
    }

    private void UpdateShare(ulong bits, bool isDropped, ulong rate, ulong time)
    {
        _arrivedBits += bits;
        if (!isDropped) _acceptedBits += bits;
        _largestRate = Math.Max(_largestRate, rate);

        var window = windowMicroseconds * NanosecondsPerMicrosecond;
        if (time - _windowStart < window) return;
        var elapsed = Math.Min(time - _windowStart, 1000 * window);
        var arrived = _arrivedBits * KilobitsPerBitPerNanosecond / elapsed;
        if (arrived >= capacity)
        {
            var accepted = Math.Max(1, _acceptedBits * KilobitsPerBitPerNanosecond / elapsed);
            _share = Math.Clamp(_share * capacity / accepted, 1, capacity);
            CongestedWindows.Increment();
        }
        else _share = Math.Max(_largestRate, capacity / 16); // all may have what the fastest has
        (_windowStart, _arrivedBits, _acceptedBits, _largestRate) = (time, 0, 0, 0);
    }

    /// <summary>Marsaglia 2003, <i>Xorshift RNGs</i>.</summary>
    private uint Random()
    {
        _random ^= _random << 13;
        _random ^= _random >> 17;
        _random ^= _random << 5;
        return _random;
    }
}
