using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Drops what a host sends beyond so many packets a second, for any number of hosts: packets are counted in a sketch
/// for each source address, anew each second.
/// </summary>
/// <remarks>
/// A host may be held back too early, when others that send much share its counters, and never too late. Packets with
/// IPv4 options count as others do; frames without IPv4 pass.
/// </remarks>
/// <example>--limit 1000</example>
/// <param name="limit">The packets of a host that pass in a second, at least 1.</param>
/// <param name="columns">The counters of each of the sketch's four rows: a power of two, 2 to 65536.</param>
/// <param name="hashSeed">Seed of the hashes; choose your own where hosts are not trusted.</param>
public sealed class FloodGuard(uint limit = 1000, int columns = 1024, ulong hashSeed = 1) : Service
{
    private readonly CountMinSketch<Period> _counts = new(rows: 4, columns, hashSeed);

    /// <summary>Packets that passed.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Packets dropped: their source had sent too many.</summary>
    public Counter Dropped { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && _counts.Add(new Period(ip.Source, (uint)frame.Seconds), 1) > limit)
        {
            Dropped.Increment();
            return;
        }
        Passed.Increment();
        frame.Flood();
    }

    /// <summary>A source in a second.</summary>
    private readonly record struct Period(IPv4Address Source, uint Second) : ITableKey<Period>
    {
        public static int Width => 64;

        public UInt128 KeyBits => (UInt128)Second << 32 | Source.Bits;
    }
}
