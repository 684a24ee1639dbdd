using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>Takes frames out of GENEVE tunnels (RFC 8926), whatever options they have, and counts by network.</summary>
public sealed class GeneveEnd(IPv4Address address) : Service
{
    private const ushort Bridged = 0x6558;

    private readonly ulong[] _frames = new ulong[64];

    public Counter Received { get; } = new();

    public Counter Dropped { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.HeaderLength != IPv4.MinHeaderLength || ip.Destination != address
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != 6081)
        {
            Dropped.Increment();
            return;
        }
        var geneve = udp.Payload;
        if (geneve.Length < 8 || geneve[0] >> 6 != 0 || BinaryPrimitives.ReadUInt16BigEndian(geneve[2..]) != Bridged)
        {
            Dropped.Increment();
            return;
        }
        var header = 8 + (geneve[0] & 0x3F) * 4;
        var length = geneve.Length - header;
        if (length < Ethernet.HeaderLength)
        {
            Dropped.Increment();
            return;
        }
        _frames[geneve[6] & 63]++;
        frame.Remove(0, Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength + header);
        frame.Resize(length);
        frame.ForwardTo(new PortId(1));
        Received.Increment();
    }
}
