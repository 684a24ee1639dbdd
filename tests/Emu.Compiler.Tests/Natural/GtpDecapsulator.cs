using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>Takes IP packets out of GTP-U tunnels (3GPP TS 29.281) whose TEID is known, and counts by tunnel.</summary>
public sealed class GtpDecapsulator(IPv4Address address, MacAddress mac, MacAddress gateway) : Service
{
    private readonly ulong[] _bytes = new ulong[256];

    public Counter Decapsulated { get; } = new();

    public Counter Dropped { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.HeaderLength != 20 || ip.Destination != address || ip.Protocol != IPProtocol.Udp
            || !Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != 2152)
        {
            Dropped.Increment();
            return;
        }
        var gtp = udp.Payload;
        if (gtp.Length < 8 || (gtp[0] & 0xF0) != 0x30 || gtp[1] != 255)
        {
            Dropped.Increment();
            return;
        }
        var teid = BinaryPrimitives.ReadUInt32BigEndian(gtp[4..]);
        var header = (gtp[0] & 7) != 0 ? 12 : 8;
        if (header == 12 && (gtp.Length < 12 || gtp[11] != 0) || teid >> 8 != 1)
        {
            Dropped.Increment();
            return;
        }
        var inner = gtp[header..];
        if (inner.Length < 20)
        {
            Dropped.Increment();
            return;
        }
        var type = inner[0] >> 4 == 6 ? EtherType.IPv6 : EtherType.IPv4;
        _bytes[teid & 0xFF] += (uint)inner.Length;
        var total = inner.Length;
        frame.Remove(14, 28 + header);
        frame.Resize(14 + total);
        _ = new Ethernet(frame) { Source = mac, Destination = gateway, EtherType = type };
        frame.ForwardTo(new PortId(1));
        Decapsulated.Increment();
    }
}
