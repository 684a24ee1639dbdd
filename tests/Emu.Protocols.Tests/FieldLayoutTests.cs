using System.Numerics;

namespace Emu.Protocols.Tests;

/// <summary>
/// Every settable field against the place in its standard's diagram: the setter writes these bits and no others,
/// the getter reads them.
/// </summary>
public sealed class FieldLayoutTests
{
    private const int Seed = 20240604;
    private const int Rounds = 200;
    private const int Length = 80;

    /// <summary>
    /// Writes a value through a view at the start of the bytes, and reads it back through the same view.
    /// </summary>
    private delegate UInt128 RoundTrip(Span<byte> bytes, UInt128 value);

    private static readonly Dictionary<string, (int Bit, int Width, RoundTrip RoundTrip)> s_fields = new()
    {
        // IEEE 802.3 figure 3-1
        ["Ethernet.Destination"] = (0, 48, (b, v) => new Ethernet(b) { Destination = new((ulong)v) }.Destination.Bits),
        ["Ethernet.Source"] = (48, 48, (b, v) => new Ethernet(b) { Source = new((ulong)v) }.Source.Bits),
        ["Ethernet.EtherType"] =
            (96, 16, (b, v) => (ushort)new Ethernet(b) { EtherType = (EtherType)(ushort)v }.EtherType),
        // IEEE 802.1Q figure 9-1
        ["Vlan.Pcp"] = (0, 3, (b, v) => (View.Vlan(b) with { Pcp = (byte)v }).Pcp),
        ["Vlan.Dei"] = (3, 1, (b, v) => Bit((View.Vlan(b) with { Dei = Bit(v) }).Dei)),
        ["Vlan.Vid"] = (4, 12, (b, v) => (View.Vlan(b) with { Vid = (ushort)v }).Vid),
        ["Vlan.EtherType"] =
            (16, 16, (b, v) => (ushort)(View.Vlan(b) with { EtherType = (EtherType)(ushort)v }).EtherType),
        // IEEE 802.2 §3.2
        ["Llc.Dsap"] = (0, 8, (b, v) => (View.Llc(b) with { Dsap = (byte)v }).Dsap),
        ["Llc.Ssap"] = (8, 8, (b, v) => (View.Llc(b) with { Ssap = (byte)v }).Ssap),
        ["Llc.Control"] = (16, 8, (b, v) => (View.Llc(b) with { Control = (byte)v }).Control),
        // RFC 826
        ["Arp.Operation"] =
            (48, 16, (b, v) => (ushort)(View.Arp(b) with { Operation = (ArpOperation)(ushort)v }).Operation),
        ["Arp.SenderHardwareAddress"] =
            (64, 48, (b, v) => (View.Arp(b) with { SenderHardwareAddress = new((ulong)v) }).SenderHardwareAddress.Bits),
        ["Arp.SenderProtocolAddress"] =
            (112, 32, (b, v) => (View.Arp(b) with { SenderProtocolAddress = new((uint)v) }).SenderProtocolAddress.Bits),
        ["Arp.TargetHardwareAddress"] = (
            144, 48, (b, v) => (View.Arp(b) with { TargetHardwareAddress = new((ulong)v) }).TargetHardwareAddress.Bits),
        ["Arp.TargetProtocolAddress"] =
            (192, 32, (b, v) => (View.Arp(b) with { TargetProtocolAddress = new((uint)v) }).TargetProtocolAddress.Bits),
        // RFC 5905 figure 8
        ["Ntp.Leap"] = (0, 2, (b, v) => (View.Ntp(b) with { Leap = (byte)v }).Leap),
        ["Ntp.Version"] = (2, 3, (b, v) => (View.Ntp(b) with { Version = (byte)v }).Version),
        ["Ntp.Mode"] = (5, 3, (b, v) => (byte)(View.Ntp(b) with { Mode = (NtpMode)(byte)v }).Mode),
        ["Ntp.Stratum"] = (8, 8, (b, v) => (View.Ntp(b) with { Stratum = (byte)v }).Stratum),
        ["Ntp.Poll"] = (16, 8, (b, v) => (byte)(View.Ntp(b) with { Poll = (sbyte)(byte)v }).Poll),
        ["Ntp.Precision"] = (24, 8, (b, v) => (byte)(View.Ntp(b) with { Precision = (sbyte)(byte)v }).Precision),
        ["Ntp.RootDelay"] = (32, 32, (b, v) => (View.Ntp(b) with { RootDelay = (uint)v }).RootDelay),
        ["Ntp.RootDispersion"] = (64, 32, (b, v) => (View.Ntp(b) with { RootDispersion = (uint)v }).RootDispersion),
        ["Ntp.ReferenceId"] = (96, 32, (b, v) => (View.Ntp(b) with { ReferenceId = (uint)v }).ReferenceId),
        ["Ntp.ReferenceTimestamp"] =
            (128, 64, (b, v) => (View.Ntp(b) with { ReferenceTimestamp = (ulong)v }).ReferenceTimestamp),
        ["Ntp.OriginTimestamp"] =
            (192, 64, (b, v) => (View.Ntp(b) with { OriginTimestamp = (ulong)v }).OriginTimestamp),
        ["Ntp.ReceiveTimestamp"] =
            (256, 64, (b, v) => (View.Ntp(b) with { ReceiveTimestamp = (ulong)v }).ReceiveTimestamp),
        ["Ntp.TransmitTimestamp"] =
            (320, 64, (b, v) => (View.Ntp(b) with { TransmitTimestamp = (ulong)v }).TransmitTimestamp),
        // RFC 7348 §5
        ["Vxlan.HasVni"] = (4, 1, (b, v) => Bit((View.Vxlan(b) with { HasVni = Bit(v) }).HasVni)),
        ["Vxlan.Vni"] = (32, 24, (b, v) => (View.Vxlan(b) with { Vni = (uint)v }).Vni),
        // RFC 2784 §2, RFC 2890 §2; a header with all three fields
        ["Gre.EtherType"] =
            (16, 16, (b, v) => (ushort)(View.Gre(b) with { EtherType = (EtherType)(ushort)v }).EtherType),
        ["Gre.Checksum"] = (32, 16, (b, v) => (View.Gre(b) with { Checksum = (ushort)v }).Checksum),
        ["Gre.Key"] = (64, 32, (b, v) => (View.Gre(b) with { Key = (uint)v }).Key),
        ["Gre.SequenceNumber"] = (96, 32, (b, v) => (View.Gre(b) with { SequenceNumber = (uint)v }).SequenceNumber),
        // RFC 1035 §4.1.1, RFC 4035 §3.2
        ["Dns.Id"] = (0, 16, (b, v) => (View.Dns(b) with { Id = (ushort)v }).Id),
        ["Dns.IsResponse"] = (16, 1, (b, v) => Bit((View.Dns(b) with { IsResponse = Bit(v) }).IsResponse)),
        ["Dns.Opcode"] = (17, 4, (b, v) => (byte)(View.Dns(b) with { Opcode = (DnsOpcode)(byte)v }).Opcode),
        ["Dns.IsAuthoritative"] =
            (21, 1, (b, v) => Bit((View.Dns(b) with { IsAuthoritative = Bit(v) }).IsAuthoritative)),
        ["Dns.IsTruncated"] = (22, 1, (b, v) => Bit((View.Dns(b) with { IsTruncated = Bit(v) }).IsTruncated)),
        ["Dns.RecursionDesired"] =
            (23, 1, (b, v) => Bit((View.Dns(b) with { RecursionDesired = Bit(v) }).RecursionDesired)),
        ["Dns.RecursionAvailable"] =
            (24, 1, (b, v) => Bit((View.Dns(b) with { RecursionAvailable = Bit(v) }).RecursionAvailable)),
        ["Dns.AuthenticData"] = (26, 1, (b, v) => Bit((View.Dns(b) with { AuthenticData = Bit(v) }).AuthenticData)),
        ["Dns.CheckingDisabled"] =
            (27, 1, (b, v) => Bit((View.Dns(b) with { CheckingDisabled = Bit(v) }).CheckingDisabled)),
        ["Dns.ResponseCode"] =
            (28, 4, (b, v) => (byte)(View.Dns(b) with { ResponseCode = (DnsResponseCode)(byte)v }).ResponseCode),
        ["Dns.QuestionCount"] = (32, 16, (b, v) => (View.Dns(b) with { QuestionCount = (ushort)v }).QuestionCount),
        ["Dns.AnswerCount"] = (48, 16, (b, v) => (View.Dns(b) with { AnswerCount = (ushort)v }).AnswerCount),
        ["Dns.AuthorityCount"] = (64, 16, (b, v) => (View.Dns(b) with { AuthorityCount = (ushort)v }).AuthorityCount),
        ["Dns.AdditionalCount"] =
            (80, 16, (b, v) => (View.Dns(b) with { AdditionalCount = (ushort)v }).AdditionalCount),
        // memcached: protocol.txt, UDP protocol
        ["MemcachedFrame.Id"] = (0, 16, (b, v) => (View.MemcachedFrame(b) with { Id = (ushort)v }).Id),
        ["MemcachedFrame.Sequence"] =
            (16, 16, (b, v) => (View.MemcachedFrame(b) with { Sequence = (ushort)v }).Sequence),
        ["MemcachedFrame.Count"] = (32, 16, (b, v) => (View.MemcachedFrame(b) with { Count = (ushort)v }).Count),
        ["MemcachedFrame.Reserved"] =
            (48, 16, (b, v) => (View.MemcachedFrame(b) with { Reserved = (ushort)v }).Reserved),
        // memcached: protocol_binary.xml §2
        ["MemcachedMessage.Magic"] =
            (0, 8, (b, v) => (View.MemcachedMessage(b) with { Magic = (byte)v }).Magic),
        ["MemcachedMessage.Opcode"] =
            (8, 8, (b, v) => (byte)(View.MemcachedMessage(b) with { Opcode = (MemcachedOpcode)(byte)v }).Opcode),
        ["MemcachedMessage.KeyLength"] =
            (16, 16, (b, v) => (View.MemcachedMessage(b) with { KeyLength = (ushort)v }).KeyLength),
        ["MemcachedMessage.ExtrasLength"] =
            (32, 8, (b, v) => (View.MemcachedMessage(b) with { ExtrasLength = (byte)v }).ExtrasLength),
        ["MemcachedMessage.DataType"] =
            (40, 8, (b, v) => (View.MemcachedMessage(b) with { DataType = (byte)v }).DataType),
        ["MemcachedMessage.Status"] =
            (48, 16, (b, v) => (ushort)(View.MemcachedMessage(b) with { Status = (MemcachedStatus)(ushort)v }).Status),
        ["MemcachedMessage.BodyLength"] =
            (64, 32, (b, v) => (View.MemcachedMessage(b) with { BodyLength = (uint)v }).BodyLength),
        ["MemcachedMessage.Opaque"] =
            (96, 32, (b, v) => (View.MemcachedMessage(b) with { Opaque = (uint)v }).Opaque),
        ["MemcachedMessage.Unique"] =
            (128, 64, (b, v) => (View.MemcachedMessage(b) with { Unique = (ulong)v }).Unique),
        // RFC 791 §3.1
        ["IPv4.Dscp"] = (8, 6, (b, v) => (View.IPv4(b) with { Dscp = (byte)v }).Dscp),
        ["IPv4.Ecn"] = (14, 2, (b, v) => (View.IPv4(b) with { Ecn = (byte)v }).Ecn),
        ["IPv4.TotalLength"] = (16, 16, (b, v) => (View.IPv4(b) with { TotalLength = (ushort)v }).TotalLength),
        ["IPv4.Identification"] = (32, 16, (b, v) => (View.IPv4(b) with { Identification = (ushort)v }).Identification),
        ["IPv4.ReservedFlag"] = (48, 1, (b, v) => Bit((View.IPv4(b) with { ReservedFlag = Bit(v) }).ReservedFlag)),
        ["IPv4.DontFragment"] = (49, 1, (b, v) => Bit((View.IPv4(b) with { DontFragment = Bit(v) }).DontFragment)),
        ["IPv4.MoreFragments"] = (50, 1, (b, v) => Bit((View.IPv4(b) with { MoreFragments = Bit(v) }).MoreFragments)),
        ["IPv4.FragmentOffset"] = (51, 13, (b, v) => (View.IPv4(b) with { FragmentOffset = (ushort)v }).FragmentOffset),
        ["IPv4.Ttl"] = (64, 8, (b, v) => (View.IPv4(b) with { Ttl = (byte)v }).Ttl),
        ["IPv4.Protocol"] = (72, 8, (b, v) => (byte)(View.IPv4(b) with { Protocol = (IPProtocol)(byte)v }).Protocol),
        ["IPv4.HeaderChecksum"] = (80, 16, (b, v) => (View.IPv4(b) with { HeaderChecksum = (ushort)v }).HeaderChecksum),
        ["IPv4.Source"] = (96, 32, (b, v) => (View.IPv4(b) with { Source = new((uint)v) }).Source.Bits),
        ["IPv4.Destination"] = (128, 32, (b, v) => (View.IPv4(b) with { Destination = new((uint)v) }).Destination.Bits),
        // RFC 8200 §3
        ["IPv6.Dscp"] = (4, 6, (b, v) => (View.IPv6(b) with { Dscp = (byte)v }).Dscp),
        ["IPv6.Ecn"] = (10, 2, (b, v) => (View.IPv6(b) with { Ecn = (byte)v }).Ecn),
        ["IPv6.FlowLabel"] = (12, 20, (b, v) => (View.IPv6(b) with { FlowLabel = (uint)v }).FlowLabel),
        ["IPv6.PayloadLength"] = (32, 16, (b, v) => (View.IPv6(b) with { PayloadLength = (ushort)v }).PayloadLength),
        ["IPv6.NextHeader"] =
            (48, 8, (b, v) => (byte)(View.IPv6(b) with { NextHeader = (IPProtocol)(byte)v }).NextHeader),
        ["IPv6.HopLimit"] = (56, 8, (b, v) => (View.IPv6(b) with { HopLimit = (byte)v }).HopLimit),
        ["IPv6.Source"] = (64, 128, (b, v) => (View.IPv6(b) with { Source = new(v) }).Source.Bits),
        ["IPv6.Destination"] = (192, 128, (b, v) => (View.IPv6(b) with { Destination = new(v) }).Destination.Bits),
        // RFC 792
        ["Icmp.Type"] = (0, 8, (b, v) => (byte)(View.Icmp(b) with { Type = (IcmpType)(byte)v }).Type),
        ["Icmp.Code"] = (8, 8, (b, v) => (View.Icmp(b) with { Code = (byte)v }).Code),
        ["Icmp.Checksum"] = (16, 16, (b, v) => (View.Icmp(b) with { Checksum = (ushort)v }).Checksum),
        ["Icmp.RestOfHeader"] = (32, 32, (b, v) => (View.Icmp(b) with { RestOfHeader = (uint)v }).RestOfHeader),
        ["Icmp.Identifier"] = (32, 16, (b, v) => (View.Icmp(b) with { Identifier = (ushort)v }).Identifier),
        ["Icmp.SequenceNumber"] = (48, 16, (b, v) => (View.Icmp(b) with { SequenceNumber = (ushort)v }).SequenceNumber),
        // RFC 4443 §2.1, §4.1
        ["Icmpv6.Type"] = (0, 8, (b, v) => (byte)(View.Icmpv6(b) with { Type = (Icmpv6Type)(byte)v }).Type),
        ["Icmpv6.Code"] = (8, 8, (b, v) => (View.Icmpv6(b) with { Code = (byte)v }).Code),
        ["Icmpv6.Checksum"] = (16, 16, (b, v) => (View.Icmpv6(b) with { Checksum = (ushort)v }).Checksum),
        ["Icmpv6.RestOfHeader"] = (32, 32, (b, v) => (View.Icmpv6(b) with { RestOfHeader = (uint)v }).RestOfHeader),
        ["Icmpv6.Identifier"] = (32, 16, (b, v) => (View.Icmpv6(b) with { Identifier = (ushort)v }).Identifier),
        ["Icmpv6.SequenceNumber"] =
            (48, 16, (b, v) => (View.Icmpv6(b) with { SequenceNumber = (ushort)v }).SequenceNumber),
        // RFC 4861 §4.3, §4.4
        ["NeighborSolicitation.Target"] =
            (64, 128, (b, v) => (View.NeighborSolicitation(b) with { Target = new(v) }).Target.Bits),
        ["NeighborAdvertisement.IsRouter"] =
            (32, 1, (b, v) => Bit((View.NeighborAdvertisement(b) with { IsRouter = Bit(v) }).IsRouter)),
        ["NeighborAdvertisement.Solicited"] =
            (33, 1, (b, v) => Bit((View.NeighborAdvertisement(b) with { Solicited = Bit(v) }).Solicited)),
        ["NeighborAdvertisement.Override"] =
            (34, 1, (b, v) => Bit((View.NeighborAdvertisement(b) with { Override = Bit(v) }).Override)),
        ["NeighborAdvertisement.Target"] =
            (64, 128, (b, v) => (View.NeighborAdvertisement(b) with { Target = new(v) }).Target.Bits),
        // RFC 768
        ["Udp.SourcePort"] = (0, 16, (b, v) => (View.Udp(b) with { SourcePort = (ushort)v }).SourcePort),
        ["Udp.DestinationPort"] =
            (16, 16, (b, v) => (View.Udp(b) with { DestinationPort = (ushort)v }).DestinationPort),
        ["Udp.Length"] = (32, 16, (b, v) => (View.Udp(b) with { Length = (ushort)v }).Length),
        ["Udp.Checksum"] = (48, 16, (b, v) => (View.Udp(b) with { Checksum = (ushort)v }).Checksum),
        // RFC 9293 §3.1
        ["Tcp.SourcePort"] = (0, 16, (b, v) => (View.Tcp(b) with { SourcePort = (ushort)v }).SourcePort),
        ["Tcp.DestinationPort"] =
            (16, 16, (b, v) => (View.Tcp(b) with { DestinationPort = (ushort)v }).DestinationPort),
        ["Tcp.SequenceNumber"] = (32, 32, (b, v) => (View.Tcp(b) with { SequenceNumber = (uint)v }).SequenceNumber),
        ["Tcp.AcknowledgmentNumber"] =
            (64, 32, (b, v) => (View.Tcp(b) with { AcknowledgmentNumber = (uint)v }).AcknowledgmentNumber),
        ["Tcp.Reserved"] = (100, 4, (b, v) => (View.Tcp(b) with { Reserved = (byte)v }).Reserved),
        ["Tcp.Flags"] = (104, 8, (b, v) => (byte)(View.Tcp(b) with { Flags = (TcpFlags)(byte)v }).Flags),
        ["Tcp.Window"] = (112, 16, (b, v) => (View.Tcp(b) with { Window = (ushort)v }).Window),
        ["Tcp.Checksum"] = (128, 16, (b, v) => (View.Tcp(b) with { Checksum = (ushort)v }).Checksum),
        ["Tcp.UrgentPointer"] = (144, 16, (b, v) => (View.Tcp(b) with { UrgentPointer = (ushort)v }).UrgentPointer),
    };

    public static TheoryData<string> Names => [.. s_fields.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void A_field_is_where_its_standard_has_it_and_its_setter_changes_nothing_else(string name)
    {
        var (bit, width, roundTrip) = s_fields[name];
        var random = new Random(Seed);
        var mask = (BigInteger.One << width) - 1;
        var shift = Length * 8 - bit - width;
        for (var round = 0; round < Rounds; round++)
        {
            var bytes = View.Acceptable(name.Split('.')[0], random, Length);
            var before = Number(bytes);
            // Wider than the field, too: the bits above it are not written.
            var value = new UInt128(
                (ulong)random.NextInt64(long.MinValue, long.MaxValue),
                (ulong)random.NextInt64(long.MinValue, long.MaxValue));
            var read = roundTrip(bytes, value);
            Assert.Equal(value & mask, read);
            Assert.Equal(before & ~(mask << shift) | (value & mask) << shift, Number(bytes));
        }
    }

    private static BigInteger Number(byte[] bytes) => new(bytes, isUnsigned: true, isBigEndian: true);

    private static bool Bit(UInt128 value) => (value & 1) != 0;

    private static UInt128 Bit(bool value) => value ? 1u : 0u;
}
