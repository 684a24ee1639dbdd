using Emu.Hosting;
using Emu.Services;
using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>
/// The same frames give the same frames: from a capture, over a live interface, and from the recording of the live run.
/// </summary>
public sealed class CaptureEqualsLiveTests
{
    private const ulong Millisecond = 1_000_000;

    private static readonly MacAddress s_mac = MacAddress.Parse("02:00:00:00:00:77");
    private static readonly IPv4Address s_ip = IPv4Address.Parse("10.0.0.77");
    private static readonly IPv6Address s_ip6 = IPv6Address.Parse("fd00::77");

    public static TheoryData<PortKind> Kinds => [.. Enum.GetValues<PortKind>()];

    [Theory, MemberData(nameof(Kinds))]
    public void An_echo_host_does_the_same_on_a_capture_live_and_replayed(PortKind kind) =>
        SameOnCaptureLiveAndReplayed(
            kind,
            ports: 1,
            () => new IcmpEcho(s_ip, s_mac, s_ip6),
            [.. EchoTraffic().Select(packet => (0, (byte[])packet))]);

    [Theory, MemberData(nameof(Kinds))]
    public void A_switch_does_the_same_on_captures_live_and_replayed(PortKind kind) =>
        SameOnCaptureLiveAndReplayed(
            kind, ports: 3, () => new LearningSwitch(capacity: 4), [.. SwitchTraffic(ports: 3)]);

    private static void SameOnCaptureLiveAndReplayed(
        PortKind kind, int ports, Func<Service> make, (int Port, byte[] Frame)[] traffic)
    {
        Needs.Network();
        using var folder = new TemporaryFolder();
        var run = folder["run.pcapng"];

        var fromCapture = RunOnCaptures(make(), folder, ports, traffic);
        var live = RunLive(kind, make(), ports, traffic, run);
        var recorded = Enumerable.Range(0, ports)
            .Select(i => Captures.Read(run, i, PacketDirection.Outbound)).ToArray();
        var replayed = Replay(make(), folder, ports, run);

        for (var i = 0; i < ports; i++)
        {
            Assert.NotEmpty(fromCapture[i]);
            AreEqual(fromCapture[i].Select(f => f.Bytes), live[i]);
            AreEqual(live[i], recorded[i].Select(f => f.Bytes));
            AreEqual(recorded[i].Select(f => f.Bytes), replayed[i].Select(f => f.Bytes));
            Assert.Equal(recorded[i].Select(f => f.Time), replayed[i].Select(f => f.Time));
        }
    }

    private static void AreEqual(IEnumerable<byte[]> expected, IEnumerable<byte[]> actual)
    {
        foreach (var (one, other) in expected.Zip(actual)) PacketAssert.Equal(one, other);
        Assert.Equal(expected.Count(), actual.Count());
    }

    private static List<TimedFrame>[] RunOnCaptures(
        Service service, TemporaryFolder folder, int ports, (int Port, byte[] Frame)[] traffic)
    {
        var timed = traffic.Select((item, i) => (item.Port, Frame: new TimedFrame(item.Frame, (ulong)i * Millisecond)))
            .ToList();
        for (var i = 0; i < ports; i++)
            Captures.Write(folder[$"in{i}.pcap"], timed.Where(item => item.Port == i).Select(item => item.Frame));
        return Run(service, folder, "out", Enumerable.Range(0, ports).Select(i => folder[$"in{i}.pcap"]));
    }

    private static List<TimedFrame>[] Replay(Service service, TemporaryFolder folder, int ports, string recording) =>
        Run(service, folder, "again", Enumerable.Range(0, ports).Select(i => $"{recording}#{i}"));

    private static List<TimedFrame>[] Run(
        Service service, TemporaryFolder folder, string output, IEnumerable<string> inputs)
    {
        var ports = inputs.Select((input, i) => PortSpecification.Open($"pcap:{input},{folder[$"{output}{i}.pcap"]}"))
            .ToArray();
        using (var runner = new ServiceRunner(service, ports)) runner.Run(TestContext.Current.CancellationToken);
        foreach (var port in ports) port.Dispose();
        return [.. ports.Select((_, i) => Captures.Read(folder[$"{output}{i}.pcap"]))];
    }

    /// <summary>
    /// Sends each frame once the one before it was handled: across ports, too, the order is that of the capture.
    /// </summary>
    private static List<byte[]>[] RunLive(
        PortKind kind, Service service, int ports, (int Port, byte[] Frame)[] traffic, string recordTo)
    {
        using var network = new ServiceNetwork(kind, service, ports, areSilent: true, recordTo);
        var stations = network.Hosts.Select(network.StationAt).ToArray();
        for (var i = 0; i < traffic.Length; i++)
        {
            stations[traffic[i].Port].Send(traffic[i].Frame);
            Until.Holds(
                () => network.Look().FramesIn == (ulong)i + 1, $"frame {i + 1} of {traffic.Length} has arrived");
        }
        var sent = network.Look().Ports;
        for (var i = 0; i < ports; i++)
            Until.Holds(
                () => (ulong)stations[i].Received.Count >= sent[i].FramesOut, $"all frames are back at port {i}");
        return [.. stations.Select(station => station.Received.ToList())];
    }

    private static IEnumerable<Packet> EchoTraffic()
    {
        var (peerMac, peer, peer6) =
            (MacAddress.Parse("02:00:00:00:00:01"), IPv4Address.Parse("10.0.0.1"), IPv6Address.Parse("fd00::1"));
        var toUs = Packet.Ethernet(peerMac, s_mac);
        yield return Packet.Ethernet(peerMac, MacAddress.Broadcast).ArpRequest(peerMac, peer, s_ip);
        yield return Packet.Ethernet(peerMac, MacAddress.Broadcast).ArpRequest(peerMac, peer, s_ip).PaddedTo(60);
        yield return Packet.Ethernet(peerMac, s_ip6.SolicitedNode.MulticastMac)
            .IPv6(peer6, s_ip6.SolicitedNode, Packet.NeighborHopLimit).NeighborSolicitation(s_ip6, peerMac);
        for (ushort length = 0; length <= 1472; length += 61)
        {
            yield return toUs.IPv4(peer, s_ip, ttl: (byte)(length % 64 + 1))
                .IcmpEchoRequest(length, 1).Payload(Data(length));
            yield return toUs.IPv6(peer6, s_ip6)
                .Icmpv6EchoRequest(length, 2).Payload(Data(Math.Min((int)length, 1452)));
        }
        yield return toUs.IPv4(peer, s_ip, options: [7, 11, 4, 0, 0, 0, 0, 0, 0, 0, 0])
            .IcmpEchoRequest(3, 3).Payload(Data(33));
        yield return toUs.IPv4(peer, s_ip, checksum: 0xBAD0).IcmpEchoRequest(4, 4);
        yield return toUs.IPv4(peer, s_ip).IcmpEchoRequest(5, 5, checksum: 0xBAD0).Payload(Data(7));
        yield return toUs.IPv6(peer6, s_ip6).Icmpv6EchoRequest(6, 6, checksum: 0xBAD0);
        yield return toUs.IPv4(peer, s_ip, totalLength: 99).IcmpEchoRequest(7, 7);
        yield return toUs.Vlan(5).IPv4(peer, s_ip).IcmpEchoRequest(8, 8);
        yield return toUs.IPv4(peer, s_ip).Udp(1000, 7).Payload("not for us");
        yield return toUs.IPv4(peer, s_ip).IcmpEchoRequest(9, 9).PaddedTo(60);
    }

    private static IEnumerable<(int Port, byte[] Frame)> SwitchTraffic(int ports)
    {
        var random = new Random(802);
        MacAddress[] addresses =
        [
            // more than the table holds
            .. Enumerable.Range(1, 7).Select(i => new MacAddress(0x0200_0000_0000 + (ulong)i)),
            MacAddress.Broadcast, MacAddress.Parse("01:80:c2:00:00:00"), MacAddress.Parse("33:33:00:00:00:01"),
        ];
        for (var i = 0; i < 150; i++)
        {
            var ethernet = Packet.Ethernet(addresses[random.Next(7)], addresses[random.Next(addresses.Length)]);
            var data = Data(random.Next(1400));
            yield return (random.Next(ports), (i % 5) switch
            {
                0 => ethernet.Payload(data),
                1 => ethernet.Vlan((ushort)random.Next(1, 4095), priority: 5).Payload(data),
                2 => ethernet.Vlan(3, tagType: 0x88A8).Vlan(4).IPv4(s_ip, s_ip).Udp(1, 2).Payload(data),
                3 => ethernet.IPv4(s_ip, s_ip, checksum: 0xBAD0).Udp(1, 2, checksum: 0xBAD0).Payload(data),
                _ => ethernet.IPv4(s_ip, s_ip).Udp(1, 2).Payload(data),
            });
        }
    }

    private static byte[] Data(int length) => [.. Enumerable.Range(0, length).Select(i => (byte)(i * 7))];
}
