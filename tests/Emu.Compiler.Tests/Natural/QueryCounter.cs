using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Counts questions of DNS by their type and by the length of their names, on a link that it does not change.
/// </summary>
public sealed class QueryCounter : Service
{
    private const ushort A = 1, Aaaa = 28, Txt = 16, Https = 65;

    private readonly ulong[] _lengths = new ulong[8];

    public Counter A4 { get; } = new();

    public Counter A6 { get; } = new();

    public Counter Texts { get; } = new();

    public Counter Web { get; } = new();

    public Counter Others { get; } = new();

    public Counter Broken { get; } = new();

    /// <summary>Names of 224 bytes and more.</summary>
    public ulong Longest => _lengths[7];

    public override void Process(ref Frame frame)
    {
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
        var ethernet = new Ethernet(frame);
        Span<byte> datagram = default;
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Udp)
            datagram = ip.Payload;
        else if (ethernet.EtherType == EtherType.IPv6 && IPv6.TryParse(ethernet.Payload, out var ip6)
            && ip6.NextHeader == IPProtocol.Udp)
            datagram = ip6.Payload;
        if (!Udp.TryParse(datagram, out var udp) || udp.DestinationPort != Dns.Port
            || !Dns.TryParse(udp.Payload, out var dns) || dns.IsResponse)
            return;
        if (!TryReadType(udp.Payload, out var type, out var length))
        {
            Broken.Increment();
            return;
        }
        _lengths[length >> 5]++;
        (type switch { A => A4, Aaaa => A6, Txt => Texts, Https => Web, _ => Others }).Increment();
    }

    private static bool TryReadType(ReadOnlySpan<byte> message, out ushort type, out int length)
    {
        var at = Dns.HeaderLength;
        (type, length) = (0, 0);
        while (at < message.Length)
        {
            var label = message[at];
            if (label == 0)
            {
                length = at - Dns.HeaderLength + 1;
                return BinaryPrimitives.TryReadUInt16BigEndian(message[(at + 1)..], out type) && length < 256;
            }
            if (label >= 64) return false;
            at += label + 1;
        }
        return false;
    }
}
