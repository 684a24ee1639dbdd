using System.Numerics;
using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Holds what each host sends to a rate: a bucket of tokens for each source address (RFC 2697 §3.1, one rate, one
/// burst). A packet that finds too few tokens is dropped.
/// </summary>
/// <remarks>
/// Addresses with one hash share a bucket. Datagrams to a port that is exempt pass.
/// </remarks>
/// <example>--rate-kbps 10000 --burst 15000 --exempt 53</example>
/// <param name="rateKbps">The rate of each bucket, in kbit/s: 8 to 8000000.</param>
/// <param name="burst">The bytes that a full bucket holds: 1514 to 1000000.</param>
/// <param name="buckets">The number of buckets: a power of two, 2 to 65536.</param>
/// <param name="exempt">A UDP port to which datagrams are not held back, 1 to 65535; 0 for none.</param>
/// <param name="hashSeed">Seed of the hash; choose your own where hosts are not trusted.</param>
public sealed class Policer(
    int rateKbps = 10_000, int burst = 15_000, int buckets = 1024, ushort exempt = 0, ulong hashSeed = 1) : Service
{
    private readonly TokenBuckets _buckets = new(
        InRange(buckets, 2, 65_536, nameof(buckets)),
        InRange(rateKbps, 8, 8_000_000, nameof(rateKbps)) * 125,
        InRange(burst, 1514, 1_000_000, nameof(burst)));
    private readonly H3Hash _hash = new(IPv4Address.Width, BitOperations.Log2((uint)buckets), hashSeed);

    /// <summary>Packets that passed.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Packets dropped: their bucket had too few tokens.</summary>
    public Counter Held { get; } = new();

    /// <summary>Frames without IPv4, and datagrams to the exempt port: they pass.</summary>
    public Counter Exempt { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        frame.Flood();
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || IsExempt(ip))
        {
            Exempt.Increment();
            return;
        }
        if (_buckets.TryTake(_hash.Index(ip.Source.KeyBits), (uint)frame.Length, frame.Time)) Passed.Increment();
        else
        {
            Held.Increment();
            frame.Drop();
        }
    }

    private bool IsExempt(IPv4 ip) =>
        ip.Protocol == IPProtocol.Udp && !ip.IsFragment
        && Udp.TryParse(ip.Payload, out var udp) && udp.DestinationPort == exempt && exempt != 0;

    private static int InRange(int value, int least, int most, string name) =>
        value >= least && value <= most && (name != nameof(buckets) || BitOperations.IsPow2(value))
            ? value
            : throw new ArgumentOutOfRangeException(name, value, $"from {least} to {most} (buckets: a power of two)");
}
