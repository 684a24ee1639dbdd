using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Adds up counters of StatsD, "name:12|c", by a hash of the name: two values of 32 bits are read byte by byte, and
/// used behind all of them.
/// </summary>
public sealed class StatisticsCounter : Service
{
    private const ushort Port = 8125;

    private const uint OffsetBasis = 2166136261, Prime = 16777619;

    private readonly ulong[] _sums = new ulong[256];

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != Port)
        {
            frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
            return;
        }
        var text = udp.Payload;
        var (hash, at) = (OffsetBasis, 0);
        while (at < text.Length && text[at] != (byte)':') hash = (hash ^ text[at++]) * Prime;
        at++;
        var (value, digits) = (0u, 0);
        while (at < text.Length && text[at] is >= (byte)'0' and <= (byte)'9')
        {
            value = value * 10 + (uint)(text[at++] - '0');
            digits++;
        }
        if (digits == 0 || at + 1 >= text.Length || text[at] != (byte)'|' || text[at + 1] != (byte)'c')
        {
            Malformed.Increment();
            return;
        }
        _sums[hash & 255] += value;
    }
}
