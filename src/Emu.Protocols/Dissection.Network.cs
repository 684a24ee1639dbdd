namespace Emu.Protocols;

/// <content>The network layer.</content>
internal sealed partial class Dissection
{
    private void IPv4Packet(Span<byte> bytes)
    {
        if (!IPv4.TryParse(bytes, out var ip))
        {
            Malformed("ip", "IPv4", bytes);
            return;
        }

        _line.Append($", IPv4 {ip.Source} > {ip.Destination}");
        Add("ip.hdr_len", ip.HeaderLength);
        Add("ip.dsfield.dscp", ip.Dscp);
        Add("ip.dsfield.ecn", ip.Ecn);
        Add("ip.len", ip.TotalLength);
        AddHex("ip.id", ip.Identification, 4);
        Add("ip.flags.rb", ip.ReservedFlag);
        Add("ip.flags.df", ip.DontFragment);
        Add("ip.flags.mf", ip.MoreFragments);
        Add("ip.frag_offset", ip.FragmentOffset);
        Add("ip.ttl", ip.Ttl);
        Add("ip.proto", (byte)ip.Protocol);
        AddChecksum("ip.checksum", ip.HeaderChecksum, ip.HasValidHeaderChecksum);
        Add("ip.src", ip.Source);
        Add("ip.dst", ip.Destination);
        IPv4OptionList(ip.Options);

        if (ip.IsFragment) FragmentPayload(ip.FragmentOffset, ip.MoreFragments, ip.Payload);
        else if (ip.Protocol == IPProtocol.Icmp) IcmpMessage(ip.Payload);
        else if (ip.Protocol == IPProtocol.Udp) UdpDatagram(ip.Payload, ip);
        else if (ip.Protocol == IPProtocol.Tcp) TcpSegment(ip.Payload, ip);
        else OtherProtocol(ip.Protocol, ip.Payload);
    }

    private void IPv4OptionList(IPv4Options options)
    {
        while (options.MoveNext())
        {
            Add("ip.opt.type", (byte)options.Type);
            if (options.Type != IPv4OptionType.NoOperation) Add("ip.opt.len", options.Length);
            Payload("ip.opt.data", options.Data);
        }
        if (options.IsMalformed) _fields.Add(("_ws.malformed", "ip.opt"));
    }

    private void IPv6Packet(Span<byte> bytes)
    {
        if (!IPv6.TryParse(bytes, out var ip))
        {
            Malformed("ipv6", "IPv6", bytes);
            return;
        }

        _line.Append($", IPv6 {ip.Source} > {ip.Destination}");
        Add("ipv6.tclass.dscp", ip.Dscp);
        Add("ipv6.tclass.ecn", ip.Ecn);
        AddHex("ipv6.flow", ip.FlowLabel, 6);
        Add("ipv6.plen", ip.PayloadLength);
        Add("ipv6.nxt", (byte)ip.NextHeader);
        Add("ipv6.hlim", ip.HopLimit);
        Add("ipv6.src", ip.Source);
        Add("ipv6.dst", ip.Destination);

        var extensions = ip.Extensions;
        while (extensions.MoveNext()) IPv6Extension(extensions);
        if (extensions.IsMalformed) Malformed("ipv6.ext", "IPv6 extension header", extensions.Payload);
        else if (extensions.IsFragment)
            FragmentPayload(extensions.FragmentOffset, extensions.MoreFragments, extensions.Payload);
        else if (extensions.NextHeader == IPProtocol.Icmpv6) Icmpv6Message(extensions.Payload, ip);
        else if (extensions.NextHeader == IPProtocol.Udp) UdpDatagram(extensions.Payload, ip);
        else if (extensions.NextHeader == IPProtocol.Tcp) TcpSegment(extensions.Payload, ip);
        else OtherProtocol(extensions.NextHeader, extensions.Payload);
    }

    private void IPv6Extension(in IPv6Extensions extensions)
    {
        var name = extensions.Header switch
        {
            IPProtocol.HopByHopOptions => "ipv6.hopopts",
            IPProtocol.Routing => "ipv6.routing",
            IPProtocol.Fragment => "ipv6.fraghdr",
            IPProtocol.DestinationOptions => "ipv6.dstopts",
            _ => $"ipv6.ext{(byte)extensions.Header}",
        };
        Add(name + ".nxt", (byte)extensions.NextHeader);
        if (extensions.Header == IPProtocol.Fragment)
        {
            Add(name + ".offset", extensions.FragmentOffset);
            Add(name + ".more", extensions.MoreFragments);
        }
        else Add(name + ".len_oct", extensions.Bytes.Length);
    }

    private void FragmentPayload(int offset, bool more, Span<byte> bytes)
    {
        _line.Append($" fragment at {offset * 8}{(more ? "+" : "")}");
        Payload("data.data", bytes);
    }

    private void OtherProtocol(IPProtocol protocol, Span<byte> bytes)
    {
        _line.Append($" protocol {(byte)protocol}");
        Payload("data.data", bytes);
    }

    private void IcmpMessage(Span<byte> bytes)
    {
        if (!Icmp.TryParse(bytes, out var icmp))
        {
            Malformed("icmp", "ICMP", bytes);
            return;
        }

        var isQuery = icmp.Type is IcmpType.EchoRequest
            or IcmpType.EchoReply or IcmpType.Timestamp or IcmpType.TimestampReply;
        _line.Append(icmp.Type switch
        {
            IcmpType.EchoRequest => $" ICMP echo request id {icmp.Identifier} seq {icmp.SequenceNumber}",
            IcmpType.EchoReply => $" ICMP echo reply id {icmp.Identifier} seq {icmp.SequenceNumber}",
            _ => $" ICMP type {(byte)icmp.Type} code {icmp.Code}",
        });
        Add("icmp.type", (byte)icmp.Type);
        Add("icmp.code", icmp.Code);
        AddChecksum("icmp.checksum", icmp.Checksum, icmp.HasValidChecksum);
        if (isQuery)
        {
            Add("icmp.ident", icmp.Identifier);
            Add("icmp.seq", icmp.SequenceNumber);
        }
        else AddHex("icmp.unused", icmp.RestOfHeader, 8);
        Payload("data.data", icmp.Data);
    }

    private void Icmpv6Message(Span<byte> bytes, in IPv6 ip)
    {
        if (!Icmpv6.TryParse(bytes, out var icmp))
        {
            Malformed("icmpv6", "ICMPv6", bytes);
            return;
        }

        _line.Append(icmp.Type switch
        {
            Icmpv6Type.EchoRequest => $" ICMPv6 echo request id {icmp.Identifier} seq {icmp.SequenceNumber}",
            Icmpv6Type.EchoReply => $" ICMPv6 echo reply id {icmp.Identifier} seq {icmp.SequenceNumber}",
            Icmpv6Type.NeighborSolicitation => " ICMPv6 neighbor solicitation",
            Icmpv6Type.NeighborAdvertisement => " ICMPv6 neighbor advertisement",
            _ => $" ICMPv6 type {(byte)icmp.Type} code {icmp.Code}",
        });
        Add("icmpv6.type", (byte)icmp.Type);
        Add("icmpv6.code", icmp.Code);
        AddChecksum("icmpv6.checksum", icmp.Checksum, icmp.HasValidChecksum(ip));
        Icmpv6Body(icmp);
    }

    private void Icmpv6Body(in Icmpv6 icmp)
    {
        if (NeighborSolicitation.TryParse(icmp, out var solicitation))
        {
            _line.Append($" for {solicitation.Target}");
            Add("icmpv6.nd.ns.target_address", solicitation.Target);
            NeighborOptionList(solicitation.Options);
        }
        else if (NeighborAdvertisement.TryParse(icmp, out var advertisement))
        {
            _line.Append($" of {advertisement.Target}");
            Add("icmpv6.nd.na.flag.r", advertisement.IsRouter);
            Add("icmpv6.nd.na.flag.s", advertisement.Solicited);
            Add("icmpv6.nd.na.flag.o", advertisement.Override);
            Add("icmpv6.nd.na.target_address", advertisement.Target);
            NeighborOptionList(advertisement.Options);
        }
        else if (icmp.Type is Icmpv6Type.EchoRequest or Icmpv6Type.EchoReply)
        {
            Add("icmpv6.echo.identifier", icmp.Identifier);
            Add("icmpv6.echo.sequence_number", icmp.SequenceNumber);
            Payload("data.data", icmp.Data);
        }
        else
        {
            AddHex("icmpv6.reserved", icmp.RestOfHeader, 8);
            Payload("data.data", icmp.Data);
        }
    }

    private void NeighborOptionList(NeighborDiscoveryOptions options)
    {
        while (options.MoveNext())
        {
            Add("icmpv6.opt.type", (byte)options.Type);
            Add("icmpv6.opt.length", options.Length);
            if (options.TryReadLinkLayerAddress(out var address)) Add("icmpv6.opt.linkaddr", address);
            else Payload("icmpv6.opt.data", options.Data);
        }
        if (options.IsMalformed) _fields.Add(("_ws.malformed", "icmpv6.opt"));
    }
}
