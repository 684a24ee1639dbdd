using System.Buffers.Binary;
using System.Text;
using Emu.Compiler.Layouts;
using Emu.Compiler.Reports;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// Services as a networking engineer writes them, who thinks of no hardware: at line rate on traffic of their own.
/// </summary>
public sealed class NaturalTests
{
    private static readonly MacAddress s_own = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly MacAddress s_peer = MacAddress.Parse("02:00:00:00:00:0b");
    private static readonly MacAddress s_gateway = MacAddress.Parse("02:00:00:00:00:fe");
    private static readonly IPv4Address s_address = IPv4Address.Parse("10.0.0.1");
    private static readonly IPv4Address s_outside = IPv4Address.Parse("8.8.8.8");
    private static readonly IPv4Address s_vip = IPv4Address.Parse("10.0.0.100");

    private static readonly byte[] s_timestamps = [1, 1, 8, 10, 0, 0, 1, 2, 0, 0, 3, 4];
    private static readonly byte[] s_opening =
        [2, 4, 5, 0xB4, 4, 2, 8, 10, 0, 0, 1, 2, 0, 0, 0, 0, 1, 3, 3, 7];

    private static readonly Dictionary<string, (Func<Service> Make, Func<int, Random, (int, byte[])> Frame)>
        s_services = new()
        {
            ["TwampReflector"] = (() => new TwampReflector(s_address, s_own), (i, random) =>
                (i % 4, FromHost(i, s_address).Udp((ushort)i, 862).Payload(Bytes(random, 41 + i % 3 * 20)))),
            ["MaglevBalancer"] = (() => new MaglevBalancer(s_vip, s_address, s_own, s_gateway), (i, random) =>
                (0, FromHost(i, s_vip).Tcp((ushort)i, 80, flags: Packet.Ack).Payload(Bytes(random, i % 5 * 70))
                    .PaddedTo(60))),
            ["GtpDecapsulator"] = (() => new GtpDecapsulator(s_address, s_own, s_gateway), (i, random) =>
                (0, FromHost(1, s_address).Udp(2152, 2152).Payload(Tunnelled(i, random)))),
            ["GeneveEnd"] = (() => new GeneveEnd(s_address), (i, random) =>
                (0, FromHost(i, s_address).Udp((ushort)i, 6081).Payload(Geneve(i, random)))),
            ["IntSource"] = (() => new IntSource(5000, 7), (i, random) =>
                (i % 2, FromHost(i, s_address).Udp(1, (ushort)(i % 4 == 0 ? 53 : 5000)).Payload(Bytes(random, i * 3))
                    .PaddedTo(60))),
            ["Nat64"] = (() => new Nat64(s_own, s_peer, s_gateway), (i, random) => i % 2 == 0
                ? (0, Packet.Ethernet(s_peer, s_own).IPv6(Mapped(Host(i)), Mapped(s_outside)).Udp(1, 2)
                    .Payload(Bytes(random, i * 3)))
                : (1, Packet.Ethernet(s_peer, s_own).IPv4(s_outside, Host(i)).Udp(1, 2).Payload(Bytes(random, i * 3))
                    .PaddedTo(60))),
            ["PaxosAcceptor"] = (() => new PaxosAcceptor(1), (i, random) =>
                (i % 4, FromHost(i, s_address).Udp((ushort)i, 8888).Payload(Ballot(i, random)))),
            ["NameBlocklist"] = (() => new NameBlocklist("ads.example.com"), (i, random) =>
                (i % 4, FromHost(i, s_outside).Dns(
                    (ushort)i, i % 4 == 0 ? "Ads.Example.com" : $"host{i}.cdn.example.net").PaddedTo(60))),
            ["RadiusGuard"] = (() => new RadiusGuard(), (i, random) =>
                (i % 4, FromHost(i, s_address).Udp((ushort)i, 1812).Payload(Attributes(i, random)))),
            ["CrcGuard"] = (() => new CrcGuard(6000), (i, random) =>
                (i % 4, FromHost(i, s_address).Udp((ushort)i, 6000).Payload(WithCrc(i, Bytes(random, i * 4)))
                    .PaddedTo(60))),
            ["FlowExporter"] = (() => new FlowExporter(s_own, s_gateway, s_address, s_outside), (i, random) =>
                (i % 2, FromHost(i % 12, s_outside).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60))),
            ["KeyValueStore"] = (() => new KeyValueStore(s_address), (i, random) =>
                (i % 4, FromHost(i, s_address).Udp((ushort)i, 9999)
                    .Payload([(byte)(i < 40 || i % 5 == 0 ? 2 : 1), 0, .. Bytes(random, 7), (byte)(i % 40),
                        .. Bytes(random, 20)]))),
            ["XorCipher"] = (() => new XorCipher(9000, 0x12345678), (i, random) =>
                (i % 2, FromHost(i, s_outside).Udp(1, 9000).Payload(Bytes(random, i * 6)).PaddedTo(60))),
            ["UpperEcho"] = (() => new UpperEcho(s_address, s_own), (i, random) =>
                (i % 4, FromHost(i, s_address).Udp((ushort)i, 7)
                    .Payload(Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat("Hello World ", 1 + i / 3))))
                    .PaddedTo(60))),
            ["SnmpGuard"] = (() => new SnmpGuard(), (i, random) =>
                (i % 2, FromHost(i, s_outside).Udp(1000, 161).Payload(SnmpRequest(i, random)))),
            ["HostFilter"] = (() => new HostFilter(), (i, random) => (i % 2, Segment(i, 80, Request(i)))),
            ["RouterGuard"] = (() => new RouterGuard(0), (i, random) => (i % 4, Advertisement(i, random))),
            ["StatisticsCounter"] = (() => new StatisticsCounter(), (i, random) =>
                (i % 2, FromHost(i, s_outside).Udp(1, 8125).Payload(Encoding.ASCII.GetBytes(
                    $"web.requests.{(i % 4 == 0 ? "ok" : "failed")}:{random.Next(10000)}|{"cg"[i % 10 / 9]}")))),
        };

    public static TheoryData<string> Services => [.. s_services.Keys];

    [Theory]
    [MemberData(nameof(Services))]
    public void A_natural_service_does_the_same_on_every_rung(string service) => Ladder.Check(
        s_services[service].Make, Traffic(service), new LadderOptions
        {
            BusBits = [64, 256, 512],
            Layouts = [Layout.Pipeline],
            Outside = OutsideSimulators.None,
        });

    [Theory]
    [MemberData(nameof(Services))]
    [Slow("Icarus")]
    public void It_does_in_Icarus(string service)
    {
        if (OutsideSimulator.Icarus.WhyNot is { } whyNot) Assert.Skip(whyNot);
        Ladder.Check(
            s_services[service].Make, Traffic(service), new LadderOptions
            {
                Layouts = [Layout.Pipeline],
                Outside = OutsideSimulators.Icarus,
            });
    }

    /// <summary>
    /// No frame says in time which rows it needs: a stage's index depends on what another holds.
    /// </summary>
    [Fact]
    public void A_pipe_of_tables_takes_a_frame_every_6_cycles()
    {
        var random = new Random(5);
        Ladder.Check(
            () => new HashPipe(),
            FrameSequence.Of([.. Enumerable.Range(0, 200).Select(i =>
                FromHost(random.Next(4) == 0 ? i : i % 5, s_address).Udp(1, 2).PaddedTo(60).ToArray())]),
            new LadderOptions
            {
                BusBits = [64, 256],
                Layouts = [Layout.Pipeline],
                Interval = 6,
                Outside = OutsideSimulators.None,
            });
    }

    /// <summary>At most 4 cycles a frame, or 1.3 times the beats that come or leave, whichever are more.</summary>
    [Theory]
    [MemberData(nameof(Services))]
    public void It_is_at_line_rate(string service)
    {
        var frames = Traffic(service);
        var compiled = HardwareCompiler.Compile(s_services[service].Make(), new HardwareOptions());
        using var bench = new Bench(new ManagedSimulator(compiled.Circuit.Design));
        // Several times, so that all that is buffered is full.
        for (var i = 0; i < 4 * frames.Count; i++)
            bench.Send(
                frames[i % frames.Count].Bytes, new PortId(frames[i % frames.Count].Port), frames[0].Time + (ulong)i);
        bench.RunUntilIdle(long.MaxValue);
        var cycles = bench.IntervalsIn().TakeLast(frames.Count).Sum();
        var left = bench.Received.TakeLast(bench.Received.Count / 4).Sum(frame => 1.3 * Beats(frame.Bytes.Length));
        Assert.InRange(
            cycles, 0, Math.Max(left, frames.Sum(frame => Math.Max(4, 1.3 * Beats(frame.Bytes.Length)))));
    }

    [Theory]
    [MemberData(nameof(Services))]
    public void None_has_a_stage_over_its_budget(string service)
    {
        var options = new HardwareOptions();
        Assert.Empty(LongPath.Of(HardwareCompiler.Compile(s_services[service].Make(), options).Circuit, options));
    }

    private static int Beats(int bytes) => (bytes + 31) / 32;

    private static List<IncomingFrame> Traffic(string service)
    {
        var random = new Random(5);
        return [.. Enumerable.Range(0, 100).Select(i =>
        {
            var (port, bytes) = s_services[service].Frame(i, random);
            return new IncomingFrame(port, bytes, 1_700_000_000_000_000_000 + (ulong)i * 500);
        })];
    }

    private static Packet FromHost(int host, IPv4Address to) =>
        Packet.Ethernet(s_peer, s_own).IPv4(Host(host), to);

    private static IPv4Address Host(int i) => new(0x0A000102u + (uint)i);

    private static IPv6Address Mapped(IPv4Address address) =>
        new((UInt128)0x0064FF9B00000000ul << 64 | address.Bits);

    /// <summary>
    /// A segment as clients send them: the first of a connection with its many options, most others with timestamps.
    /// </summary>
    private static Packet Segment(int i, ushort port, byte[] data)
    {
        var opening = FromHost(i, s_outside).Tcp((ushort)(1000 + i), port, flags: Packet.Syn, options: s_opening);
        return (i % 8) switch
        {
            0 => opening,
            1 => FromHost(i, s_outside).Tcp((ushort)(1000 + i), port, flags: Packet.Ack, options: s_timestamps)
                .PaddedTo(60),
            2 => FromHost(i, s_outside).Tcp((ushort)(1000 + i), port, flags: Packet.Ack | Packet.Psh).Payload(data)
                .PaddedTo(60),
            _ => FromHost(i, s_outside)
                .Tcp((ushort)(1000 + i), port, flags: Packet.Ack | Packet.Psh, options: s_timestamps).Payload(data)
                .PaddedTo(60),
        };
    }

    private static byte[] Request(int i) => Encoding.ASCII.GetBytes(
        $"GET /{new string('x', i * 2)} HTTP/1.1\r\nUser-Agent: curl/8.0\r\n"
        + $"Host: www.example.{(i % 3 == 0 ? "org" : "com")}\r\nAccept: */*\r\n\r\n");

    /// <summary>A request of RADIUS with a name, a password, an address, and most with an authenticator.</summary>
    private static byte[] Attributes(int i, Random random)
    {
        byte[] attributes =
        [
            1, 7, .. "alice"u8, 4, 6, 10, 0, 0, 1, 2, 18, .. Bytes(random, 16),
            .. i % 5 == 0 ? [] : (byte[])[80, 18, .. Bytes(random, 16)], 32, 8, .. "nas-01"u8,
        ];
        return [1, (byte)i, .. Of((ushort)(20 + attributes.Length)), .. Bytes(random, 16), .. attributes];
    }

    /// <summary>A request of SNMP: some have another community, some set.</summary>
    private static byte[] SnmpRequest(int i, Random random)
    {
        byte[] community = i % 3 == 0 ? [.. "private"u8] : [.. "public"u8];
        byte[] request = [2, 4, .. Bytes(random, 4), 2, 1, 0, 2, 1, 0, 0x30, 0];
        byte[] values =
        [
            2, 1, 1, 4, (byte)community.Length, .. community, (byte)(i % 4 == 0 ? 0xA3 : 0xA0), (byte)request.Length,
            .. request,
        ];
        return [0x30, (byte)values.Length, .. values];
    }

    /// <summary>
    /// A router's advertisement, with a prefix or without, behind an extension header or not; or a datagram.
    /// </summary>
    private static byte[] Advertisement(int i, Random random)
    {
        IPv6Address from = Mapped(Host(i)), to = Mapped(s_outside);
        byte[] options =
        [
            0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 0, 0, 0, 0, 1, 5, (byte)(i % 10 == 6 ? 0 : 1), 0, 0, 0, 0, 5, 0xDC,
            (byte)(i % 4 == 0 ? 3 : 7), 4, 64, 0xC0, .. Bytes(random, 28),
        ];
        return (i % 4) switch
        {
            0 or 2 => Packet.Ethernet(s_peer, s_own).IPv6(from, to).Icmpv6(134, 0, 0x40000708).Payload(options),
            1 => Packet.Ethernet(s_peer, s_own).IPv6(from, to).Udp(1, 2).Payload(Bytes(random, i)),
            _ => Packet.Ethernet(s_peer, s_own).IPv6(from, to, nextHeader: 0)
                .Payload([58, 0, 5, 2, 0, 0, 1, 0, 134, 0, 0, 0, 64, 0, 7, 8, .. options]),
        };
    }

    private static byte[] WithCrc(int i, byte[] data)
    {
        var crc = Crc32.Compute(data) ^ (i % 5 == 0 ? 1u : 0u);
        return [.. Of((ushort)(crc >> 16)), .. Of((ushort)crc), .. data];
    }

    /// <summary>A packet in GTP-U, some with the optional fields.</summary>
    private static byte[] Tunnelled(int i, Random random)
    {
        byte[] packet = Packet.Bare.IPv4(Host(i), s_outside).Udp(1, 2).Payload(Bytes(random, i * 3));
        byte[] optional = i % 3 == 0 ? [0, 1, 0, 0] : [];
        return
        [
            (byte)(i % 3 == 0 ? 0x32 : 0x30), 255, .. Of((ushort)(packet.Length + optional.Length)), 0, 0, 1, (byte)i,
            .. optional, .. packet,
        ];
    }

    /// <summary>A frame in GENEVE, behind options of 0 to 252 bytes.</summary>
    private static byte[] Geneve(int i, Random random)
    {
        var words = random.Next(3) == 0 ? random.Next(64) : i % 4;
        byte[] frame = FromHost(i, s_outside).Udp(1, 2).Payload(Bytes(random, i * 3));
        return [(byte)words, 0, 0x65, 0x58, 0, 0, (byte)i, 0, .. Bytes(random, 4 * words), .. frame];
    }

    /// <summary>A message of a proposer: prepare or accept.</summary>
    private static byte[] Ballot(int i, Random random) =>
    [
        (byte)(i % 2 == 0 ? 1 : 3), 0, 0, 0, .. Of((ushort)(i / 4)), .. Of((ushort)(i % 7)), 0, 0, 0, 0,
        .. Bytes(random, 16),
    ];

    private static byte[] Of(ushort number)
    {
        var bytes = new byte[2];
        BinaryPrimitives.WriteUInt16BigEndian(bytes, number);
        return bytes;
    }

    private static byte[] Bytes(Random random, int count)
    {
        var bytes = new byte[count];
        random.NextBytes(bytes);
        return bytes;
    }
}
