using System.Buffers.Binary;

namespace Emu.Testing.Tests;

/// <summary>The builders against an independent reader of packets.</summary>
[Slow("tshark")]
public class PacketDissectionTests
{
    private static readonly MacAddress s_a = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly MacAddress s_b = MacAddress.Parse("02:00:00:00:00:02");
    private static readonly IPv4Address s_x = IPv4Address.Parse("10.0.0.1");
    private static readonly IPv4Address s_y = IPv4Address.Parse("10.0.0.2");
    private static readonly IPv6Address s_p = IPv6Address.Parse("2001:db8::1");
    private static readonly IPv6Address s_q = IPv6Address.Parse("2001:db8::2");

    private static readonly string[] s_summed = ["ip", "udp", "tcp", "icmp", "icmpv6"];

    /// <summary>Of each: the packet, its protocols, and a field with its value.</summary>
    public static TheoryData<string, string, string, string, string> Frames => new()
    {
        Row(Ethernet.ArpReply(s_a, s_x, s_b, s_y).PaddedTo(60),
            "eth:ethertype:arp", "arp.src.proto_ipv4", "10.0.0.1"),
        Row(Ethernet.Vlan(5, priority: 3).IPv4(s_x, s_y).IcmpEchoRequest(1, 2).Payload("abc"),
            "eth:ethertype:vlan:ethertype:ip:icmp:data", "icmp.seq", "2"),
        Row(Ethernet.IPv4(s_x, s_y, options: [0x94, 4, 0, 0]).Udp(1000, 9).Payload("odd"),
            "eth:ethertype:ip:udp:data", "ip.opt.ra", "0"),
        Row(Ethernet.IPv4(s_x, s_y).Tcp(1000, 9, sequence: 5, flags: Packet.Syn, options: [2, 4, 5, 0xB4]),
            "eth:ethertype:ip:tcp", "tcp.options.mss_val", "1460"),
        Row(Ethernet.IPv4(s_x, s_y).Icmp(3, 3).IPv4(s_y, s_x).Udp(1, 2),
            "eth:ethertype:ip:icmp:ip:udp", "icmp.code", "3"),
        Row(Ethernet.IPv6(s_p, s_q, trafficClass: 0x12, flowLabel: 0x34567).Udp(1000, 9).Payload("odd"),
            "eth:ethertype:ipv6:udp:data", "ipv6.flow", "0x034567"),
        Row(Ethernet.IPv6(s_p, s_q).Tcp(1000, 9, flags: Packet.Syn).Payload("x"),
            "eth:ethertype:ipv6:tcp:data", "tcp.len", "1"),
        Row(Ethernet.IPv6(s_p, s_q).Icmpv6EchoReply(7, 8).Payload("x"),
            "eth:ethertype:ipv6:icmpv6:data", "icmpv6.echo.identifier", "0x0007"),
        Row(Ethernet.IPv6(s_p, s_q.SolicitedNode, Packet.NeighborHopLimit).NeighborSolicitation(s_q, s_a),
            "eth:ethertype:ipv6:icmpv6", "icmpv6.opt.linkaddr", "02:00:00:00:00:01"),
        Row(Ethernet.IPv6(s_p, s_q, Packet.NeighborHopLimit).NeighborAdvertisement(s_p, s_a),
            "eth:ethertype:ipv6:icmpv6", "icmpv6.nd.na.flag.o", "1"),
        Row(Ethernet.IPv4(s_x, s_y).Udp(1000, 4789).Vxlan(70_000)
                .Payload(Ethernet.IPv4(s_y, s_x).Udp(1, 2)),
            "eth:ethertype:ip:udp:vxlan:eth:ethertype:ip:udp", "vxlan.vni", "70000"),
        Row(Ethernet.IPv4(s_x, s_y).Gre(key: 77, sequenceNumber: 5, hasChecksum: true).IPv4(s_y, s_x).Udp(1, 2),
            "eth:ethertype:ip:gre:ip:udp", "gre.sequence_number", "5"),
        Row(Ethernet.IPv4(s_x, s_y).Udp(1000, 53).Dns(0x1234, "www.example.org", type: 28),
            "eth:ethertype:ip:udp:dns", "dns.qry.name", "www.example.org"),
    };

    private static Packet Ethernet => Packet.Ethernet(s_a, s_b);

    [Theory]
    [MemberData(nameof(Frames))]
    public void A_frame_is_read_as_it_was_written_with_right_checksums(
        string frame, string protocols, string field, string value, string checksums)
    {
        Assert.Equal($"{protocols}|{value}|{checksums}|", Dissect(Convert.FromHexString(frame), field));
    }

    [Fact]
    public void A_wrong_checksum_is_seen_as_wrong()
    {
        Assert.StartsWith(
            "eth:ethertype:ip:udp:data|9|10|",
            Dissect(Ethernet.IPv4(s_x, s_y).Udp(1, 9, checksum: 1).Payload("x"), "udp.dstport"));
    }

    private static (string, string, string, string, string) Row(
        byte[] frame, string protocols, string field, string value)
    {
        // One "1" for each checksum in it, all good.
        var checksums = new string('1', protocols.Split(':').Count(s_summed.Contains));
        return (Convert.ToHexString(frame), protocols, field, value, checksums);
    }

    private static string Dissect(byte[] frame, string field)
    {
        if (!(Environment.GetEnvironmentVariable("PATH") ?? "")
            .Split(':').Any(folder => File.Exists(Path.Combine(folder, "tshark"))))
            Assert.Skip("needs the program 'tshark'");
        var path = Path.GetTempFileName();
        try
        {
            File.WriteAllBytes(path, Capture(frame));
            string[] checks =
            [
                "-o", "ip.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE",
            ];
            string[] fields = ["frame.protocols", field, .. s_summed.Select(layer => layer + ".checksum.status")];
            using var command = RunningCommand.Start("tshark", [
                "-r", path, "-n", .. checks, "-T", "fields", "-E", "separator=|", "-E", "aggregator=+", .. fields
                    .SelectMany(name => new[] { "-e", name })]);
            var columns = command.WaitForExit(cancellationToken: TestContext.Current.CancellationToken)
                .EnsureSuccess().Output.Trim('\n').Split('|');
            return $"{columns[0]}|{columns[1]}|{string.Concat(columns[2..]).Replace("+", "")}|";
        }
        finally
        {
            File.Delete(path);
        }
    }

    /// <summary>A capture file with one frame: the pcap format, link type Ethernet.</summary>
    private static byte[] Capture(byte[] frame)
    {
        var header = new byte[40];
        uint[] words = [0xA1B2C3D4, 0x0004_0002, 0, 0, 65535, 1, 0, 0, (uint)frame.Length, (uint)frame.Length];
        for (var i = 0; i < words.Length; i++) BinaryPrimitives.WriteUInt32LittleEndian(header.AsSpan(4 * i), words[i]);
        return [.. header, .. frame];
    }
}
