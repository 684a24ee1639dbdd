using System.Numerics;
using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Holds what each host sends to a rate that is kept exactly: of the tokens that a time brings, what is less than a
/// byte is kept as a remainder (RFC 2697 §3.1, one rate, one burst).
/// </summary>
/// <remarks>
/// Addresses with one hash share a bucket. Frames without IPv4 pass.
/// </remarks>
/// <example>--rate-kbps 8000 --burst 15000</example>
/// <param name="rateKbps">The rate of each bucket, in kbit/s: 1 to 8000000.</param>
/// <param name="burst">The bytes that a full bucket holds: 1514 to 1000000.</param>
/// <param name="buckets">The number of buckets: a power of two, 2 to 65536.</param>
/// <param name="hashSeed">Seed of the hash; choose your own where hosts are not trusted.</param>
public sealed class ExactPolicer(uint rateKbps = 8_000, uint burst = 15_000, int buckets = 256, ulong hashSeed = 1)
    : Service
{
    private const ulong Second = 1_000_000_000;

    /// <summary>Thousandths of bits in a byte, times a second: 1 kbit/s brings one of these each nanosecond.</summary>
    private const ulong UnitsOfByte = 8_000_000;

    private readonly Bucket[] _buckets = new Bucket[InRange((uint)buckets, 2, 65_536, nameof(buckets))];
    private readonly H3Hash _hash = new(IPv4Address.Width, BitOperations.Log2((uint)buckets), hashSeed);
    private readonly uint _rate = InRange(rateKbps, 1, 8_000_000, nameof(rateKbps));
    private readonly uint _burst = InRange(burst, 1514, 1_000_000, nameof(burst));

    /// <summary>Packets that passed.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Packets dropped: their bucket had too few tokens.</summary>
    public Counter Held { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;

        ref var bucket = ref _buckets[_hash.Index(ip.Source.KeyBits)];
        var elapsed = Math.Min(frame.Time - bucket.Updated, Second);
        bucket.Updated = frame.Time;
        var units = elapsed * _rate + bucket.Remainder;
        bucket.Remainder = (uint)(units % UnitsOfByte);
        var tokens = Math.Min(bucket.Tokens + (uint)(units / UnitsOfByte), _burst);
        if (tokens < (uint)frame.Length)
        {
            bucket.Tokens = tokens;
            Held.Increment();
            frame.Drop();
            return;
        }
        bucket.Tokens = tokens - (uint)frame.Length;
        Passed.Increment();
    }

    private static uint InRange(uint value, uint least, uint most, string name) =>
        value >= least && value <= most && (name != nameof(buckets) || BitOperations.IsPow2(value))
            ? value
            : throw new ArgumentOutOfRangeException(name, value, $"from {least} to {most} (buckets: a power of two)");

    private struct Bucket
    {
        public ulong Updated;
        public uint Tokens;
        public uint Remainder;
    }
}
