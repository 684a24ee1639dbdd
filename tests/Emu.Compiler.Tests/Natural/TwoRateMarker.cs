using System.Numerics;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// The two-rate three-color marker (RFC 2698), color-blind, for each source: packets within the committed rate are
/// marked AF11, those within the peak rate AF12, others AF13, or are dropped (RFC 2597).
/// </summary>
/// <remarks>
/// Tokens are bytes; what a time brings beyond whole bytes is kept as a remainder. Sources with one hash share their
/// buckets. Ports are in pairs: what comes in by 0 leaves by 1.
/// </remarks>
public sealed class TwoRateMarker : Service
{
    private const ulong Second = 1_000_000_000;
    private const byte Green = 10, Yellow = 12, Red = 14;

    private readonly Meter[] _meters;
    private readonly H3Hash _hash;
    private readonly Profile _committed, _peak;
    private readonly bool _dropsRed;

    /// <param name="committedRate">The committed rate, in bytes a second.</param>
    /// <param name="committedBurst">The bytes of a full committed bucket.</param>
    /// <param name="peakRate">The peak rate, in bytes a second, not below the committed one.</param>
    /// <param name="peakBurst">The bytes of a full peak bucket.</param>
    /// <param name="dropsRed">Packets above the peak rate are dropped.</param>
    /// <param name="sources">The number of pairs of buckets: a power of two.</param>
    public TwoRateMarker(
        uint committedRate = 100_000, uint committedBurst = 3_000, uint peakRate = 200_000, uint peakBurst = 6_000,
        bool dropsRed = false, int sources = 256)
    {
        if (committedRate == 0 || peakRate < committedRate || committedBurst < 1500 || peakBurst < 1500)
            throw new ArgumentException("rates are from 1, the peak above the committed, bursts a packet at least");
        if (sources < 2 || !BitOperations.IsPow2(sources)) throw new ArgumentOutOfRangeException(nameof(sources));
        _committed = new Profile(committedRate, committedBurst);
        _peak = new Profile(peakRate, peakBurst);
        _dropsRed = dropsRed;
        _hash = new H3Hash(IPv4Address.Width, BitOperations.Log2((uint)sources), seed: 2698);
        _meters = new Meter[sources];
        foreach (ref var meter in _meters.AsSpan())
            (meter.Committed.Tokens, meter.Peak.Tokens) = (committedBurst, peakBurst);
    }

    public Counter Greens { get; } = new();

    public Counter Yellows { get; } = new();

    public Counter Reds { get; } = new();

    public override void Process(ref Frame frame)
    {
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;

        ref var meter = ref _meters[_hash.Index(ip.Source.KeyBits)];
        var elapsed = frame.Time - meter.Updated;
        meter.Updated = frame.Time;
        meter.Committed.Refill(_committed, elapsed);
        meter.Peak.Refill(_peak, elapsed);

        uint size = ip.TotalLength;
        if (!meter.Peak.Has(size))
        {
            Reds.Increment();
            if (_dropsRed) frame.Drop();
            else Mark(ip, Red);
            return;
        }
        meter.Peak.Tokens -= size;
        if (!meter.Committed.Has(size))
        {
            Yellows.Increment();
            Mark(ip, Yellow);
            return;
        }
        meter.Committed.Tokens -= size;
        Greens.Increment();
        Mark(ip, Green);
    }

    private static void Mark(IPv4 ip, byte dscp)
    {
        // The word of version, IHL and DSCP changes in its low half (RFC 1624).
        var change = InternetChecksum.Change((uint)ip.Dscp << 2, (uint)dscp << 2);
        ip.Dscp = dscp;
        ip.HeaderChecksum = InternetChecksum.Update(ip.HeaderChecksum, change);
    }

    /// <summary>A rate and a burst, and the time in which the burst comes.</summary>
    private readonly struct Profile(uint rate, uint burst)
    {
        public uint Rate { get; } = rate;

        public uint Burst { get; } = burst;

        public ulong FillTime { get; } = ((ulong)burst * Second + rate - 1) / rate;
    }

    private struct TokenBucket
    {
        public uint Tokens, Remainder;

        public readonly bool Has(uint bytes) => Tokens >= bytes;

        public void Refill(in Profile profile, ulong elapsed)
        {
            if (elapsed >= profile.FillTime)
            {
                (Tokens, Remainder) = (profile.Burst, 0);
                return;
            }
            var (bytes, rest) = Math.DivRem(elapsed * profile.Rate + Remainder, Second);
            Tokens += (uint)bytes;
            Remainder = (uint)rest;
            if (Tokens >= profile.Burst) (Tokens, Remainder) = (profile.Burst, 0);
        }
    }

    private struct Meter
    {
        public ulong Updated;
        public TokenBucket Committed, Peak;
    }
}
