using System.Numerics;
using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Marks packets of hosts that send often: the time between two packets of a host is averaged with exponentially
/// falling weights (EWMA; Roberts 1959), and where the mean is below a least one, packets get the code point of
/// lower effort (RFC 8622).
/// </summary>
/// <remarks>
/// Addresses with one hash share a mean. Frames without IPv4 pass unmarked.
/// </remarks>
/// <example>--least-microseconds 100 --weight 10</example>
/// <param name="leastMicroseconds">The least mean time between packets, 1 to 1000000.</param>
/// <param name="weight">What the newest time counts in the mean, in percent: 1 to 100.</param>
/// <param name="hosts">The number of means: a power of two, 2 to 65536.</param>
/// <param name="hashSeed">Seed of the hash; choose your own where hosts are not trusted.</param>
public sealed class GapMonitor(uint leastMicroseconds = 100, uint weight = 10, int hosts = 1024, ulong hashSeed = 1)
    : Service
{
    private const uint Percent = 100;
    private const ulong Longest = 4_000_000_000;
    private const byte LowerEffort = 1;

    private readonly Gap[] _gaps = new Gap[InRange((uint)hosts, 2, 65_536, nameof(hosts))];
    private readonly H3Hash _hash = new(IPv4Address.Width, BitOperations.Log2((uint)hosts), hashSeed);
    private readonly uint _least = InRange(leastMicroseconds, 1, 1_000_000, nameof(leastMicroseconds)) * 1000;
    private readonly uint _weight = InRange(weight, 1, Percent, nameof(weight));

    /// <summary>Packets that were marked.</summary>
    public Counter Marked { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;

        ref var gap = ref _gaps[_hash.Index(ip.Source.KeyBits)];
        var now = (uint)Math.Min(frame.Time - gap.Last, Longest);
        gap.Last = frame.Time;
        gap.Mean = (uint)(((ulong)gap.Mean * (Percent - _weight) + (ulong)now * _weight) / Percent);
        if (gap.Mean >= _least) return;

        ip.Dscp = LowerEffort;
        ip.WriteHeaderChecksum();
        Marked.Increment();
    }

    private static uint InRange(uint value, uint least, uint most, string name) =>
        value >= least && value <= most && (name != nameof(hosts) || BitOperations.IsPow2(value))
            ? value
            : throw new ArgumentOutOfRangeException(name, value, $"from {least} to {most} (hosts: a power of two)");

    private struct Gap
    {
        public ulong Last;
        public uint Mean;
    }
}
