using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A tunnel router of the Locator/ID Separation Protocol (RFC 9300) with a static map cache: packets from the site
/// (port 0) to an endpoint in a known prefix leave in UDP to that prefix's locator (port 1), and those that come from
/// the core are taken out. Packets to destinations that are not mapped are forwarded as they are.
/// </summary>
public sealed class LispRouter : Service
{
    private const ushort DataPort = 4341;
    private const int LispHeaderLength = 8;
    private const int OuterLength = IPv4.MinHeaderLength + Udp.HeaderLength + LispHeaderLength;
    private const byte NoncePresent = 0x80, LocatorStatusBits = 0x40, InstancePresent = 0x08;

    private static readonly PortId s_site = new(0), s_core = new(1);

    private readonly IPv4Address _locator;
    private readonly MacAddress _mac, _siteMac, _coreMac;
    private readonly PrefixTable<IPv4Address, IPv4Address> _mapCache;
    private readonly int _mtu;
    private uint _nonce = 0x5A5A5A;

    /// <param name="locator">The routing locator of this router.</param>
    /// <param name="mapping">The map cache, each entry a prefix and its locator: <c>10.2.0.0/16=192.0.2.2</c>.</param>
    /// <param name="siteMac">The next hop in the site.</param>
    /// <param name="coreMac">The next hop in the core.</param>
    /// <param name="mtu">The longest packet of the core.</param>
    public LispRouter(
        IPv4Address locator, string[] mapping, MacAddress siteMac, MacAddress coreMac, int mtu = 1500)
    {
        _locator = locator;
        _mac = MacAddress.Of(locator);
        (_siteMac, _coreMac) = (siteMac, coreMac);
        _mtu = mtu;
        _mapCache = new PrefixTable<IPv4Address, IPv4Address>(mapping.Select(ParseMapping));
    }

    public Counter Encapsulated { get; } = new();

    public Counter Decapsulated { get; } = new();

    public Counter Native { get; } = new();

    public Counter TooBig { get; } = new();

    public Counter Expired { get; } = new();

    public Counter Invalid { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.Destination != _mac || ethernet.EtherType != EtherType.IPv4
            || !IPv4.TryParse(ethernet.Payload, out var ip) || !ip.HasValidHeaderChecksum)
        {
            Invalid.Increment();
            return;
        }

        if (frame.Ingress == s_site) FromSite(ref frame, ip);
        else FromCore(ref frame, ip);
    }

    private void FromSite(ref Frame frame, IPv4 ip)
    {
        if (ip.Ttl <= 1)
        {
            Expired.Increment();
            return;
        }
        ip.DecrementTtl();
        if (!_mapCache.TryGet(ip.Destination, out var remote))
        {
            Native.Increment();
            SendTo(ref frame, s_core, _coreMac);
            return;
        }
        if (ip.TotalLength + OuterLength > _mtu)
        {
            TooBig.Increment();
            return;
        }
        Encapsulate(ref frame, ip, remote);
        Encapsulated.Increment();
        SendTo(ref frame, s_core, _coreMac);
    }

    private void Encapsulate(ref Frame frame, IPv4 inner, IPv4Address remote)
    {
        var (ttl, dscp, ecn, length) = (inner.Ttl, inner.Dscp, inner.Ecn, inner.TotalLength);
        var flow = inner.Source.Bits ^ inner.Destination.Bits ^ (uint)inner.Protocol;
        if (inner.Payload.Length >= 4 && inner.Protocol is IPProtocol.Tcp or IPProtocol.Udp)
            flow ^= BinaryPrimitives.ReadUInt32BigEndian(inner.Payload);

        frame.Resize(Ethernet.HeaderLength + length); // padding stays behind
        frame.Insert(Ethernet.HeaderLength, OuterLength);
        if (!IPv4.TryInitialize(new Ethernet(frame).Payload, out var ip)) return;
        ip.Ttl = ttl;
        ip.Dscp = dscp;
        ip.Ecn = ecn;
        ip.DontFragment = true;
        ip.Protocol = IPProtocol.Udp;
        ip.Source = _locator;
        ip.Destination = remote;
        ip.WriteHeaderChecksum();

        // The checksum is 0, and the source port is a hash of the flow (RFC 9300 §5.3).
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        udp.SourcePort = (ushort)(0xF000 | (flow ^ flow >> 12 ^ flow >> 24) & 0xFFF);
        udp.DestinationPort = DataPort;
        _nonce = (_nonce * 1664525 + 1013904223) & 0xFF_FFFF;
        var header = udp.Payload[..LispHeaderLength];
        BinaryPrimitives.WriteUInt32BigEndian(header, (uint)(NoncePresent | LocatorStatusBits) << 24 | _nonce);
        BinaryPrimitives.WriteUInt32BigEndian(header[4..], 1);
    }

    private void FromCore(ref Frame frame, IPv4 outer)
    {
        if (outer.Destination != _locator || outer.IsFragment || outer.Protocol != IPProtocol.Udp
            || !Udp.TryParse(outer.Payload, out var udp) || udp.DestinationPort != DataPort
            || udp.Payload.Length < LispHeaderLength + IPv4.MinHeaderLength
            || (udp.Payload[0] & InstancePresent) != 0
            || !IPv4.TryParse(udp.Payload[LispHeaderLength..], out var inner) || !inner.HasValidHeaderChecksum)
        {
            Invalid.Increment();
            return;
        }

        // The outer TTL counted the hops through the core, and the outer ECN has seen its queues (RFC 9300 §5.3).
        var ttl = Math.Min(outer.Ttl, inner.Ttl);
        if (ttl <= 1)
        {
            Expired.Increment();
            return;
        }
        if (outer.Ecn == 3)
        {
            if (inner.Ecn == 0)
            {
                Invalid.Increment();
                return;
            }
            inner.Ecn = 3;
        }
        inner.Ttl = (byte)(ttl - 1);
        inner.WriteHeaderChecksum();

        var length = inner.TotalLength;
        frame.Remove(Ethernet.HeaderLength, outer.HeaderLength + Udp.HeaderLength + LispHeaderLength);
        frame.Resize(Ethernet.HeaderLength + length);
        Decapsulated.Increment();
        SendTo(ref frame, s_site, _siteMac);
    }

    private void SendTo(ref Frame frame, PortId port, MacAddress nextHop)
    {
        _ = new Ethernet(frame) { Source = _mac, Destination = nextHop };
        frame.ForwardTo(port);
    }

    private static (IPv4Address Prefix, int Length, IPv4Address Locator) ParseMapping(string text)
    {
        var parts = text.Split('/', '=');
        return (IPv4Address.Parse(parts[0]), int.Parse(parts[1]), IPv4Address.Parse(parts[2]));
    }
}
