using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A relay of Automatic Multicast Tunneling (RFC 7450): gateways somewhere in the unicast network find it, ask it,
/// join a group by an IGMPv3 report in a membership update, and each gets a copy of the group's packets in UDP.
/// </summary>
/// <param name="address">The relay's address.</param>
/// <param name="mac">Its MAC address.</param>
/// <param name="multicast">The port at which the groups' packets arrive.</param>
/// <param name="unicast">The port of the gateways.</param>
/// <param name="seconds">How long a membership lasts without an update.</param>
/// <param name="seed">Of the response MACs, secret.</param>
public sealed class AmtRelay(
    IPv4Address address, MacAddress mac, int multicast = 0, int unicast = 1, int seconds = 260, ulong seed = 1)
    : Service
{
    private const ushort Port = 2268;
    private const int Members = 4;
    private const int UdpOffset = Ethernet.HeaderLength + IPv4.MinHeaderLength;
    private const int MessageOffset = UdpOffset + Udp.HeaderLength;
    private const int DataHeader = 2;
    private const int LongestPacket = 1500 - IPv4.MinHeaderLength - Udp.HeaderLength - DataHeader;

    private const byte Discovery = 1, Advertisement = 2, Request = 3, Query = 4, Update = 5, Data = 6;
    private const int AdvertisementLength = 12, QueryHeader = 12, UpdateHeader = 12;
    private const byte Report = 0x22;

    private struct Member
    {
        public IPv4Address Gateway;
        public ushort Port;
        public MacAddress Mac;
        public IPv4Address Group;
        public ulong Expiry;
    }

    private readonly Member[] _members = new Member[Members];
    private readonly PortId _multicast = new(multicast);
    private readonly PortId _unicast = new(unicast);

    /// <summary>Advertisements and queries sent.</summary>
    public Counter Answers { get; } = new();

    /// <summary>Memberships begun or renewed.</summary>
    public Counter Joins { get; } = new();

    /// <summary>Memberships ended by their gateway.</summary>
    public Counter Leaves { get; } = new();

    /// <summary>Updates that were not asked for, or that there is no room for.</summary>
    public Counter Refused { get; } = new();

    /// <summary>Copies of packets sent to gateways.</summary>
    public Counter Copies { get; } = new();

    /// <summary>Packets of groups that are too long for the tunnel.</summary>
    public Counter TooLong { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment)
            return;
        if (frame.Ingress == _multicast && ip.Destination.IsMulticast)
            Distribute(ref frame, ip.Destination, ip.TotalLength);
        else if (frame.Ingress == _unicast && ip.Destination == address && ip.HeaderLength == IPv4.MinHeaderLength
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp)
            && udp.DestinationPort == Port && udp.Payload.Length >= 8)
            Control(ref frame, ip.Source, udp.SourcePort, udp.Payload);
    }

    private void Control(ref Frame frame, IPv4Address gateway, ushort port, Span<byte> message)
    {
        var nonce = message.GetUInt32(4);
        switch (message[0])
        {
            case Discovery:
                Begin(ref frame, AdvertisementLength, gateway, port);
                frame.Bytes[MessageOffset] = Advertisement;
                frame.Bytes.SetUInt32(MessageOffset + 4, nonce);
                frame.Bytes.SetIPv4Address(MessageOffset + 8, address);
                Finish(ref frame);
                break;
            case Request:
                var response = ResponseMac(gateway, port, nonce);
                Begin(ref frame, QueryHeader + 36, gateway, port);
                frame.Bytes[MessageOffset] = Query;
                frame.Bytes.SetMacAddress(MessageOffset + 2, response);
                frame.Bytes.SetUInt32(MessageOffset + 8, nonce);
                WriteGeneralQuery(frame.Bytes.Slice(MessageOffset + QueryHeader, 36));
                Finish(ref frame);
                break;
            case Update when message.Length > UpdateHeader:
                if (message.GetMacAddress(2) == ResponseMac(gateway, port, message.GetUInt32(8)))
                    Change(message[UpdateHeader..], gateway, port, new Ethernet(frame).Source, frame.Seconds);
                else
                    Refused.Increment();
                break;
        }
    }

    /// <summary>Takes the first record of an IGMPv3 report (RFC 3376 §4.2).</summary>
    private void Change(Span<byte> packet, IPv4Address gateway, ushort port, MacAddress source, ulong now)
    {
        if (!IPv4.TryParse(packet, out var ip) || ip.Protocol != IPProtocol.Igmp || ip.Payload.Length < 16
            || ip.Payload[0] != Report || ip.Payload.GetUInt16(6) == 0
            || !InternetChecksum.IsValid(InternetChecksum.Sum(ip.Payload)))
        {
            Refused.Increment();
            return;
        }

        var group = ip.Payload.GetIPv4Address(12);
        var isLeave = ip.Payload[8] is 1 or 3 or 6 && ip.Payload.GetUInt16(10) == 0;
        var slot = -1;
        for (var i = 0; i < Members; i++)
        {
            ref readonly var member = ref _members[i];
            var isSame = member.Gateway == gateway && member.Port == port && member.Group == group;
            if (isSame && now < member.Expiry)
            {
                slot = i;
                break;
            }
            if (slot < 0 && now >= member.Expiry) slot = i;
        }
        if (slot < 0)
        {
            Refused.Increment();
            return;
        }
        if (isLeave) Leaves.Increment();
        else Joins.Increment();
        _members[slot] = new Member
        {
            Gateway = gateway,
            Port = port,
            Mac = source,
            Group = group,
            Expiry = isLeave ? 0 : now + (ulong)seconds,
        };
    }

    private void Distribute(ref Frame frame, IPv4Address group, int length)
    {
        if (length > LongestPacket)
        {
            TooLong.Increment();
            return;
        }
        frame.Resize(Ethernet.HeaderLength + length);
        frame.Insert(Ethernet.HeaderLength, IPv4.MinHeaderLength + Udp.HeaderLength + DataHeader);
        frame.Bytes[MessageOffset] = Data;
        for (var i = 0; i < Members; i++)
        {
            ref readonly var member = ref _members[i];
            if (member.Group != group || frame.Seconds >= member.Expiry) continue;
            WriteHeaders(ref frame, member.Mac, member.Gateway, member.Port);
            frame.Send(PortSet.Of(_unicast));
            Copies.Increment();
        }
    }

    private MacAddress ResponseMac(IPv4Address gateway, ushort port, uint nonce) =>
        new(SipHash.Of(seed, (ulong)gateway.Bits << 16 | port, nonce));

    /// <summary>An IGMPv3 general query (RFC 3376 §4.1) in a packet with the router alert option.</summary>
    private void WriteGeneralQuery(Span<byte> packet)
    {
        if (!IPv4.TryInitialize(packet, out var ip, headerLength: 24)) return;
        ip.Ttl = 1;
        ip.Protocol = IPProtocol.Igmp;
        ip.Source = address;
        ip.Destination = new IPv4Address(0xE0000001);
        BinaryPrimitives.WriteUInt32BigEndian(ip.OptionBytes, 0x94040000);
        ip.WriteHeaderChecksum();
        var query = ip.Payload;
        query[0] = 0x11;
        query[1] = 100;
        query[8] = 2;
        query[9] = 125;
        query.SetUInt16(2, InternetChecksum.Compute(query));
    }

    /// <summary>Empties the frame, but for the addresses of Ethernet, and makes room for a message.</summary>
    private void Begin(ref Frame frame, int length, IPv4Address gateway, ushort port)
    {
        var source = new Ethernet(frame).Source;
        frame.Resize(Ethernet.HeaderLength);
        frame.Resize(MessageOffset + length);
        WriteHeaders(ref frame, source, gateway, port);
    }

    private void Finish(ref Frame frame)
    {
        if (frame.Length < Ethernet.MinFrameLength) frame.Resize(Ethernet.MinFrameLength);
        Answers.Increment();
        frame.Reply();
    }

    private void WriteHeaders(ref Frame frame, MacAddress destination, IPv4Address gateway, ushort port)
    {
        var ethernet = new Ethernet(frame);
        ethernet.Destination = destination;
        ethernet.Source = mac;
        ethernet.EtherType = EtherType.IPv4;
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        ip.Ttl = IPv4.DefaultTtl;
        ip.Protocol = IPProtocol.Udp;
        ip.Source = address;
        ip.Destination = gateway;
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        udp.SourcePort = Port;
        udp.DestinationPort = port;
    }
}
