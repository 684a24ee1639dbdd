using Emu.Compiler.Layouts;
using Emu.Hosting;
using Emu.Protocols;
using Emu.Services;
using Emu.Testing;
using static Emu.Compiler.Tests.LadderFrames;

namespace Emu.Compiler.Tests;

/// <summary>A host with two applications, behind a filter, does the same on every rung of the ladder.</summary>
public sealed class HostLadderTests
{
    private const ushort EchoPort = 7, CountPort = 9, FilteredPort = 1024;

    [Fact]
    public void Applications_and_echo_share_an_address()
    {
        var result = Check(
            () => new FilteredHost(), FrameSequence.Like([.. Requests(), .. Datagrams()], 800),
            Options with { Outside = TierOptions.Small, OutsideFrames = 60 });
        Assert.InRange(result.Sent, 100, 800);
    }

    [Fact]
    public void Each_application_answers_at_its_port()
    {
        var service = new FilteredHost();
        var run = new ServiceRun(service);
        var (toUs, fromUs) = (Packet.Ethernet(PeerMac, Mac), Packet.Ethernet(Mac, PeerMac));

        PacketAssert.Sent(
            run.Receive(0, toUs.IPv4(Peer, IP, options: [7, 7, 4, 0, 0, 0, 0, 1]).Udp(1000, EchoPort).Payload("hello")),
            PortSet.Parse("0"),
            fromUs.IPv4(IP, Peer, dontFragment: true).Udp(EchoPort, 1000).Payload("hello").PaddedTo(60));
        PacketAssert.Sent(
            run.Receive(0, toUs.IPv6(Peer6, IP6).Udp(1000, CountPort).Payload("ab")),
            PortSet.Parse("0"),
            fromUs.IPv6(IP6, Peer6).Udp(CountPort, 1000).Payload("ab\0\0\0\0"));
        PacketAssert.Nothing(run.Receive(0, toUs.IPv4(Peer, IP).Udp(FilteredPort, EchoPort).Payload("hello")));
        PacketAssert.Nothing(run.Receive(0, toUs.IPv4(Peer, IP).Udp(1000, 11).Payload("hello")));
        PacketAssert.Nothing(run.Receive(0, toUs.IPv4(Peer, IP).Udp(1000, EchoPort, checksum: 7).Payload("hello")));
        PacketAssert.Nothing(
            run.Receive(0, toUs.IPv4(Peer, IP, options: [1, 131, 7, 8, 10, 0, 0, 9]).Udp(1, EchoPort).Payload("x")));
        Assert.Equal(1UL, service.Filtered.Value);
        Assert.Equal(1UL, service.Host.NotForUs.Value);
        Assert.Equal(1UL, service.Host.BadChecksum.Value);
        Assert.Equal(1UL, service.Host.SourceRoutes.Value);
    }

    /// <summary>Of a name that a service and its host have, the service's counter has it.</summary>
    [Fact]
    public void A_counter_of_a_service_may_have_the_name_of_one_of_its_host()
    {
        Check(() => new MalformedTwice(), FrameSequence.Like(Requests(), 60));
        var service = new MalformedTwice();
        var names = RunSnapshot.CountersOf(service).ToDictionary(counter => counter.Name, counter => counter.Counter);
        Assert.Same(service.Malformed, names["Malformed"]);
        Assert.Same(service.Host.Malformed, names["Host.Malformed"]);
        Assert.Same(service.Host.BadChecksum, names["BadChecksum"]);
        var registers = new Subject(() => new MalformedTwice()).Circuit(new HardwareOptions(), null).Circuit.Registers
            .Select(register => register.Name).ToList();
        Assert.Single(registers, "Malformed");
        Assert.Single(registers, "Host.Malformed");
    }

    [Fact]
    public void A_port_has_one_application()
    {
        var error = Assert.Throws<ArgumentException>(
            () => new IPHost(IP).Udp(EchoPort, new EchoApplication()).Udp(EchoPort, new EchoApplication()));
        Assert.Contains("UDP port 7 of 10.0.0.2", error.Message, StringComparison.Ordinal);
    }

    /// <summary>A filter in front of a host at the inside address of a NAT, which has what the host refuses.</summary>
    [Fact]
    [Slow("time")]
    public void A_NAT_stands_behind_a_host()
    {
        var (station, client, mac) = (new MacAddress(11), IPv4Address.Parse("192.168.0.2"), MacAddress.Of(IP));
        var toUs = Packet.Ethernet(station, mac).IPv4(client, Inside);
        byte[][] datagrams =
        [
            toUs.Udp(1000, EchoPort).Payload("hello").PaddedTo(60),
            toUs.Udp(FilteredPort, EchoPort).Payload("filtered"),
            toUs.Udp(1000, CountPort).Payload("ab"),
        ];
        var service = new Gateway();
        var run = new ServiceRun(service);
        PacketAssert.Sent(
            run.Receive(0, datagrams[0]), PortSet.Parse("0"),
            Packet.Ethernet(mac, station).IPv4(Inside, client, dontFragment: true)
                .Udp(EchoPort, 1000).Payload("hello").PaddedTo(60));
        PacketAssert.Nothing(run.Receive(0, datagrams[1]));
        // What is for the NAT's outside address is not the host's, though it has a socket of that number.
        var outside = Packet.Ethernet(station, mac).IPv4(client, Peer);
        Assert.Single(run.Receive(0, outside.Udp(1000, EchoPort).Payload("to the outside")));
        Assert.Equal(1UL, service.Filtered.Value);
        Assert.Equal(1UL, service.Nat.Outbound.Value);

        var result = Check(
            () => new Gateway(), FrameSequence.Like([.. Flows(), .. datagrams], 500, ports: 2),
            Options with { Ports = 2, Interval = 3, Outside = OutsideSimulators.None });
        Assert.InRange(result.Sent, 50, 500);
        Assert.DoesNotContain(result.Skipped, s => s.StartsWith("the pipeline", StringComparison.Ordinal));
    }

    /// <summary>A name server and a cache at one address.</summary>
    [Fact]
    [Campaign("time")]
    public void The_service_with_all_that_it_has()
    {
        var toUs = Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP);
        byte[] question = [7, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, .. "www"u8, 7, .. "example"u8, 3, .. "com"u8];
        byte[][] samples =
        [
            toUs.Udp(4000, 53, checksum: 0).Payload([.. question, 0, 0, 1, 0, 1]),
            toUs.Udp(4000, 53, checksum: 0).Payload([.. question, 0, 0, 28, 0, 1]),
            toUs.Udp(4000, 11211, checksum: 0).MemcachedFrame(7).Payload("set a 7 0 3\r\nabc\r\n"),
            toUs.Udp(4000, 11211, checksum: 0).MemcachedFrame(7).Payload("get a\r\n"),
        ];
        var result = Check(
            () => new Host(IP, Mac, echo: true, dns: ["example.zone"], memcached: 11211, chunks: 32),
            FrameSequence.Like([.. samples, .. samples, .. Requests()], 150),
            Options with { Outside = OutsideSimulators.None });
        Assert.InRange(result.Sent, 40, 150);
    }

    private static byte[][] Datagrams()
    {
        var toUs = Packet.Ethernet(PeerMac, Mac);
        return
        [
            toUs.IPv4(Peer, IP).Udp(1000, EchoPort).Payload("hello").PaddedTo(60),
            toUs.IPv4(Peer, IP).Udp(1000, EchoPort).Payload(new byte[99]),
            toUs.IPv4(Peer, IP).Udp(1000, CountPort).Payload("ab"),
            toUs.IPv4(Peer, IP, options: [7, 7, 4, 0, 0, 0, 0, 1]).Udp(1000, EchoPort).Payload("options"),
            toUs.IPv4(Peer, IP).Udp(FilteredPort, EchoPort).Payload("filtered"),
            toUs.IPv6(Peer6, IP6).Udp(1000, EchoPort).Payload("hello, six"),
            toUs.IPv6(Peer6, IP6).Udp(1000, CountPort).Payload("ab"),
        ];
    }

    /// <summary>RFC 862.</summary>
    private sealed class EchoApplication : IUdpApplication
    {
        public void Receive(ref Frame frame, UdpDatagram datagram) => datagram.Reply(ref frame, datagram.Length);
    }

    /// <summary>Answers with two bytes of the datagram, and how many it has answered before.</summary>
    private sealed class CountApplication : IUdpApplication
    {
        private const int EchoedLength = 2;

        private uint _count;

        public void Receive(ref Frame frame, UdpDatagram datagram)
        {
            if (datagram.Length < EchoedLength) return;
            frame.Resize(datagram.Offset + EchoedLength + sizeof(uint));
            System.Buffers.Binary.BinaryPrimitives.WriteUInt32BigEndian(
                frame.Bytes[(datagram.Offset + EchoedLength)..], _count++);
            datagram.Reply(ref frame, EchoedLength + sizeof(uint));
        }
    }

    private static bool IsFiltered(Frame frame)
    {
        var ethernet = new Ethernet(frame);
        return ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp)
            && udp.SourcePort == FilteredPort;
    }

    private sealed class Replies : IEchoApplication
    {
        public void Send(ref Frame reply, bool isIPv6) => reply.Reply();
    }

    private sealed class FilteredHost : Service
    {
        private readonly IPHost _host = new IPHost(IP, Mac, IP6).Echo(new Replies())
            .Udp(EchoPort, new EchoApplication()).Udp(CountPort, new CountApplication());

        public HostCounters Host => _host.Counters;

        public Counter Filtered { get; } = new();

        public override void Process(ref Frame frame)
        {
            if (IsFiltered(frame)) Filtered.Increment();
            else _host.Receive(ref frame);
        }
    }

    private sealed class Gateway : Service
    {
        private readonly IPHost _host = new IPHost(Inside, MacAddress.Of(IP))
            .Udp(EchoPort, new EchoApplication()).Udp(CountPort, new CountApplication());

        public Nat Nat { get; } = new(
            Inside, IP, gateway: Peer,
            policy: new NatPolicy { Neighbor = [new StaticNeighbor(Peer, PeerMac)], Passive = true },
            capacity: new NatCapacity { Mappings = 16, Ways = 4, Neighbors = 16, Fragments = 0 });

        public Counter Filtered { get; } = new();

        public override void Process(ref Frame frame)
        {
            if (IsFiltered(frame)) Filtered.Increment();
            else if (frame.Ingress.Index != 0 || !_host.Receive(ref frame)) Nat.Process(ref frame);
        }
    }

    private sealed class MalformedTwice : Service
    {
        private readonly IPHost _host = new IPHost(IP, Mac, IP6).Udp(EchoPort, new EchoApplication());

        public HostCounters Host => _host.Counters;

        public Counter Malformed { get; } = new();

        public override void Process(ref Frame frame)
        {
            if (new Ethernet(frame).EtherType == EtherType.Arp) Malformed.Increment();
            _host.Receive(ref frame);
        }
    }
}
