using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Tells requests for pages that were asked for before from others, by a Bloom filter of their paths: what is asked
/// for the second time goes to a cache.
/// </summary>
public sealed class UrlBloom(int cache, int origin) : Service
{
    private const int Bits = 1 << 15, Hashes = 3;

    private readonly ulong[] _seen = new ulong[Bits / 64];

    public Counter First { get; } = new();

    public Counter Again { get; } = new();

    public override void Process(ref Frame frame)
    {
        frame.ForwardTo(new PortId(origin));
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Tcp || !Tcp.TryParse(ip.Payload, out var tcp) || tcp.DestinationPort != 80)
            return;
        var request = tcp.Payload;
        if (!request.StartsWith("GET "u8)) return;
        var path = request[4..];
        var length = path.IndexOf((byte)' ');
        if (length <= 0) return;

        var hash = 2166136261u;
        foreach (var octet in path[..length]) hash = (hash ^ octet) * 16777619;

        var step = hash >> 17 | 1;
        var wasSeen = true;
        for (var i = 0; i < Hashes; i++)
        {
            var bit = (hash + (uint)i * step) % Bits;
            var mask = 1ul << (int)(bit % 64);
            if ((_seen[bit / 64] & mask) == 0)
            {
                wasSeen = false;
                _seen[bit / 64] |= mask;
            }
        }
        if (wasSeen)
        {
            Again.Increment();
            frame.ForwardTo(new PortId(cache));
        }
        else
        {
            First.Increment();
        }
    }
}
