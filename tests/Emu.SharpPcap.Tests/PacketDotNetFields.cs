using System.Net.NetworkInformation;
using Emu.Protocols.Tests;
using PacketDotNet;
using PacketDotNet.Ndp;
using PacketDotNet.Tcp;

namespace Emu.SharpPcap.Tests;

/// <summary>The fields of a frame as PacketDotNet sees them, under the names of <c>PacketText</c>.</summary>
internal sealed class PacketDotNetFields
{
    /// <summary>IANA "use for experimentation" (RFC 3692).</summary>
    private const int ExperimentalProtocol = 253;

    private const byte NoOperation = (byte)PacketDotNet.Tcp.OptionTypes.NoOperation;

    private readonly FieldTable _table = new();

    private PacketDotNetFields(EthernetPacket packet) => Add(packet);

    public static FieldTable Of(EthernetPacket packet) => new PacketDotNetFields(packet)._table;

    private static string Text(PhysicalAddress address) =>
        string.Join(':', address.GetAddressBytes().Select(octet => octet.ToString("x2")));

    private void Add(string name, object value) => _table.Add(name, value.ToString()!);

    private void Add(string name, bool value) => _table.Add(name, value ? "1" : "0");

    private void Add(EthernetPacket ethernet)
    {
        Add("eth.dst", Text(ethernet.DestinationHardwareAddress));
        Add("eth.src", Text(ethernet.SourceHardwareAddress));
        var type = (ushort)ethernet.Type;
        if (type >= 0x600) Add("eth.type", type);
        else Add("eth.len", type);
        AddPayload(ethernet);
    }

    private void AddPayload(Packet packet)
    {
        switch (packet.PayloadPacket)
        {
            case Ieee8021QPacket tag:
                Add(tag, packet is EthernetPacket { Type: not EthernetType.VLanTaggedFrame } ? "ieee8021ad" : "vlan");
                break;
            case ArpPacket arp:
                Add(arp);
                break;
            case IPv4Packet ip:
                Add(ip);
                break;
            case IPv6Packet ip:
                Add(ip);
                break;
        }
    }

    private void Add(Ieee8021QPacket tag, string name)
    {
        Add($"{name}.priority", (int)tag.PriorityControlPoint);
        Add($"{name}.dei", tag.CanonicalFormatIndicator);
        Add($"{name}.id", tag.VlanIdentifier);
        if (name == "vlan") Add((ushort)tag.Type >= 0x600 ? "vlan.etype" : "vlan.len", (ushort)tag.Type);
        AddPayload(tag);
    }

    private void Add(ArpPacket arp)
    {
        Add("arp.opcode", (int)arp.Operation);
        Add("arp.src.hw_mac", Text(arp.SenderHardwareAddress));
        Add("arp.src.proto_ipv4", arp.SenderProtocolAddress);
        Add("arp.dst.hw_mac", Text(arp.TargetHardwareAddress));
        Add("arp.dst.proto_ipv4", arp.TargetProtocolAddress);
    }

    private void Add(IPv4Packet ip)
    {
        Add("ip.hdr_len", ip.HeaderLength * 4);
        Add("ip.dsfield.dscp", ip.TypeOfService >> 2);
        Add("ip.dsfield.ecn", ip.TypeOfService & 3);
        Add("ip.len", ip.TotalLength);
        Add("ip.id", ip.Id);
        Add("ip.flags.rb", (ip.FragmentFlags & 4) != 0);
        Add("ip.flags.df", (ip.FragmentFlags & 2) != 0);
        Add("ip.flags.mf", (ip.FragmentFlags & 1) != 0);
        Add("ip.frag_offset", ip.FragmentOffset);
        Add("ip.ttl", ip.TimeToLive);
        Add("ip.proto", (int)ip.Protocol);
        Add("ip.checksum", ip.Checksum);
        Add("ip.checksum.status", ip.ValidIPChecksum);
        Add("ip.src", ip.SourceAddress);
        Add("ip.dst", ip.DestinationAddress);
        if ((ip.FragmentFlags & 1) == 0 && ip.FragmentOffset == 0) AddUpperLayer(ip, ip.Protocol);
    }

    private void Add(IPv6Packet ip)
    {
        Add("ipv6.tclass.dscp", ip.TrafficClass >> 2);
        Add("ipv6.tclass.ecn", ip.TrafficClass & 3);
        Add("ipv6.flow", ip.FlowLabel);
        Add("ipv6.plen", ip.PayloadLength);
        Add("ipv6.nxt", (int)ip.NextHeader);
        Add("ipv6.hlim", ip.HopLimit);
        Add("ipv6.src", ip.SourceAddress);
        Add("ipv6.dst", ip.DestinationAddress);
        foreach (var extension in ip.ExtensionHeaders) Add(extension);
        if (ip.ExtensionHeaders.Count == 0) AddUpperLayer(ip, ip.NextHeader);
    }

    private void Add(IPv6ExtensionHeader extension)
    {
        if (extension is IPv6FragmentationExtensionHeader fragment)
        {
            Add("ipv6.fraghdr.nxt", (int)fragment.NextHeader);
            Add("ipv6.fraghdr.offset", fragment.FragmentOffset);
            Add("ipv6.fraghdr.more", fragment.More);
            return;
        }
        Add("ipv6.dstopts.nxt", (int)extension.NextHeader);
        Add("ipv6.dstopts.len_oct", extension.Length);
    }

    private void AddUpperLayer(IPPacket ip, ProtocolType protocol)
    {
        if ((int)protocol == ExperimentalProtocol) return;
        switch (ip.PayloadPacket)
        {
            case IcmpV4Packet icmp:
                Add("icmp.type", (int)icmp.TypeCode >> 8);
                Add("icmp.code", (int)icmp.TypeCode & 0xFF);
                Add("icmp.checksum", icmp.Checksum);
                Add("icmp.checksum.status", icmp.ValidIcmpChecksum);
                Add("icmp.ident", icmp.Id);
                Add("icmp.seq", icmp.Sequence);
                break;
            case IcmpV6Packet icmp:
                Add(icmp);
                break;
            case UdpPacket udp:
                Add(udp);
                break;
            case TcpPacket tcp:
                Add(tcp);
                break;
        }
    }

    private void Add(IcmpV6Packet icmp)
    {
        Add("icmpv6.type", (int)icmp.Type);
        Add("icmpv6.code", icmp.Code);
        Add("icmpv6.checksum", icmp.Checksum);
        Add("icmpv6.checksum.status", icmp.ValidIcmpChecksum);
        switch (icmp.PayloadPacket)
        {
            case NdpNeighborSolicitationPacket solicitation:
                Add("icmpv6.nd.ns.target_address", solicitation.TargetAddress);
                Add(solicitation.OptionsCollection);
                break;
            case NdpNeighborAdvertisementPacket advertisement:
                Add("icmpv6.nd.na.flag.r", advertisement.Router);
                Add("icmpv6.nd.na.flag.s", advertisement.Solicited);
                Add("icmpv6.nd.na.flag.o", advertisement.Override);
                Add("icmpv6.nd.na.target_address", advertisement.TargetAddress);
                Add(advertisement.OptionsCollection);
                break;
        }
    }

    private void Add(List<NdpOption> options)
    {
        foreach (var option in options)
        {
            Add("icmpv6.opt.type", (int)option.Type);
            Add("icmpv6.opt.length", option.Length);
            if (option is NdpLinkLayerAddressOption link) Add("icmpv6.opt.linkaddr", Text(link.LinkLayerAddress));
        }
    }

    private void Add(UdpPacket udp)
    {
        Add("udp.srcport", udp.SourcePort);
        Add("udp.dstport", udp.DestinationPort);
        Add("udp.length", udp.Length);
        Add("udp.checksum", udp.Checksum);
        const string notPresent = "3";
        if (udp.Checksum == 0) Add("udp.checksum.status", notPresent);
        else Add("udp.checksum.status", udp.ValidUdpChecksum);
    }

    private void Add(TcpPacket tcp)
    {
        Add("tcp.srcport", tcp.SourcePort);
        Add("tcp.dstport", tcp.DestinationPort);
        Add("tcp.seq_raw", tcp.SequenceNumber);
        Add("tcp.ack_raw", tcp.AcknowledgmentNumber);
        Add("tcp.hdr_len", tcp.DataOffset * 4);
        // Of the reserved bits it has the last alone, as a flag.
        Add("tcp.flags", tcp.Flags | (tcp.HeaderData[12] & 0xE) << 8);
        Add("tcp.window_size_value", tcp.WindowSize);
        Add("tcp.checksum", tcp.Checksum);
        Add("tcp.checksum.status", tcp.ValidTcpChecksum);
        Add("tcp.urgent_pointer", (ushort)tcp.UrgentPointer);
        // With this flag PacketDotNet refuses to read options.
        tcp.Urgent = false;
        var options = tcp.OptionsCollection ?? [];
        foreach (var option in options) Add(option);
        // It stops in front of a last byte: one of no operation is an option all the same.
        var bytes = tcp.Options ?? [];
        if (bytes is [.., NoOperation] && options.Sum(option => option.Bytes.Length) == bytes.Length - 1)
            Add("tcp.option_kind", NoOperation);
        if (tcp.HasPayloadData && tcp.PayloadData.Length > 0)
            Add("tcp.payload", Convert.ToHexStringLower(tcp.PayloadData));
    }

    private void Add(TcpOption option)
    {
        if (option.Kind == PacketDotNet.Tcp.OptionTypes.EndOfOptionList) return;
        Add("tcp.option_kind", (int)option.Kind);
        if (option.Kind != PacketDotNet.Tcp.OptionTypes.NoOperation) Add("tcp.option_len", option.Length);
        switch (option)
        {
            case MaximumSegmentSizeOption size:
                Add("tcp.options.mss_val", size.Value);
                break;
            case WindowScaleFactorOption scale:
                Add("tcp.options.wscale.shift", scale.ScaleFactor);
                break;
            case TimeStampOption timestamps:
                Add("tcp.options.timestamp.tsval", timestamps.Value);
                Add("tcp.options.timestamp.tsecr", timestamps.EchoReply);
                break;
        }
    }
}
