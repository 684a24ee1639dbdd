using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Stateless translation of UDP between IPv6, at port 0, and IPv4, at port 1 (RFC 7915), with the prefix 64:ff9b::/96
/// (RFC 6052), which leaves checksums as they are.
/// </summary>
public sealed class Nat64(MacAddress mac, MacAddress inside, MacAddress outside) : Service
{
    private static readonly UInt128 s_prefix = (UInt128)0x0064FF9B00000000ul << 64;

    public Counter Down { get; } = new();

    public Counter Up { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (frame.Ingress.Index == 0)
        {
            if (ethernet.EtherType != EtherType.IPv6 || !IPv6.TryParse(ethernet.Payload, out var ip6)) return;
            if (ip6.NextHeader != IPProtocol.Udp || ip6.HopLimit <= 1 || !Udp.TryParse(ip6.Payload, out _)) return;
            if (ip6.Destination.Bits >> 32 != s_prefix >> 32 || ip6.Source.Bits >> 32 != s_prefix >> 32) return;
            var (source, destination) = ((uint)ip6.Source.Bits, (uint)ip6.Destination.Bits);
            var (hops, length, dscp) = (ip6.HopLimit, ip6.PayloadLength, ip6.Dscp);
            frame.Remove(14, 20);
            frame.Resize(Math.Max(60, 14 + 20 + length));
            ethernet = new Ethernet(frame) { Source = mac, Destination = outside, EtherType = EtherType.IPv4 };
            if (!IPv4.TryInitialize(ethernet.Payload[..(20 + length)], out var ip)) return;
            ip.Dscp = dscp;
            ip.DontFragment = true;
            ip.Ttl = (byte)(hops - 1);
            ip.Protocol = IPProtocol.Udp;
            ip.Source = new IPv4Address(source);
            ip.Destination = new IPv4Address(destination);
            ip.WriteHeaderChecksum();
            frame.ForwardTo(new PortId(1));
            Down.Increment();
        }
        else
        {
            if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment)
                return;
            if (ip.HeaderLength != 20 || ip.Protocol != IPProtocol.Udp || ip.Ttl <= 1) return;
            if (!Udp.TryParse(ip.Payload, out var udp) || udp.Checksum == 0) return;
            var (source, destination) = (ip.Source.Bits, ip.Destination.Bits);
            var (hops, length, dscp) = (ip.Ttl, ip.Payload.Length, ip.Dscp);
            frame.Resize(34 + length);
            frame.Insert(14, 20);
            ethernet = new Ethernet(frame) { Source = mac, Destination = inside, EtherType = EtherType.IPv6 };
            if (!IPv6.TryInitialize(ethernet.Payload, out var ip6)) return;
            ip6.Dscp = dscp;
            ip6.HopLimit = (byte)(hops - 1);
            ip6.NextHeader = IPProtocol.Udp;
            ip6.Source = new IPv6Address(s_prefix | source);
            ip6.Destination = new IPv6Address(s_prefix | destination);
            frame.ForwardTo(new PortId(0));
            Up.Increment();
        }
    }
}
