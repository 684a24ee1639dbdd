using System.Text;
using Emu.Compiler.Layouts;
using Emu.Testing;
using static Emu.Compiler.Tests.NaturalTraffic;

namespace Emu.Compiler.Tests;

/// <summary>Services that were written from the documentation alone, each with traffic of its own.</summary>
internal static class NaturalServices
{
    public static readonly Dictionary<string, (Func<Service> Make, Func<int, Random, (int, byte[])> Frame)>
        All = new()
        {
            ["TwampReflector"] = (() => new TwampReflector(Address, Own), (i, random) =>
                (i % 4, FromHost(i, Address).Udp((ushort)i, 862).Payload(Bytes(random, 41 + i % 3 * 20)))),
            ["MaglevBalancer"] = (() => new MaglevBalancer(Vip, Address, Own, Gateway), (i, random) =>
                (0, FromHost(i, Vip).Tcp((ushort)i, 80, flags: Packet.Ack).Payload(Bytes(random, i % 5 * 70))
                    .PaddedTo(60))),
            ["GtpDecapsulator"] = (() => new GtpDecapsulator(Address, Own, Gateway), (i, random) =>
                (0, FromHost(1, Address).Udp(2152, 2152).Payload(Tunnelled(i, random)))),
            ["GeneveEnd"] = (() => new GeneveEnd(Address), (i, random) =>
                (0, FromHost(i, Address).Udp((ushort)i, 6081).Payload(Geneve(i, random)))),
            ["IntSource"] = (() => new IntSource(5000, 7), (i, random) =>
                (i % 2, FromHost(i, Address).Udp(1, (ushort)(i % 4 == 0 ? 53 : 5000)).Payload(Bytes(random, i * 3))
                    .PaddedTo(60))),
            ["Nat64"] = (() => new Nat64(Own, Peer, Gateway), (i, random) => i % 2 == 0
                ? (0, Packet.Ethernet(Peer, Own).IPv6(Mapped(Host(i)), Mapped(Outside)).Udp(1, 2)
                    .Payload(Bytes(random, i * 3)))
                : (1, Packet.Ethernet(Peer, Own).IPv4(Outside, Host(i)).Udp(1, 2).Payload(Bytes(random, i * 3))
                    .PaddedTo(60))),
            ["PaxosAcceptor"] = (() => new PaxosAcceptor(1), (i, random) =>
                (i % 4, FromHost(i, Address).Udp((ushort)i, 8888).Payload(Ballot(i, random)))),
            ["NameBlocklist"] = (() => new NameBlocklist("ads.example.com"), (i, random) =>
                (i % 4, FromHost(i, Outside).Dns(
                    (ushort)i, i % 4 == 0 ? "Ads.Example.com" : $"host{i}.cdn.example.net").PaddedTo(60))),
            ["RadiusGuard"] = (() => new RadiusGuard(), (i, random) =>
                (i % 4, FromHost(i, Address).Udp((ushort)i, 1812).Payload(Attributes(i, random)))),
            ["CrcGuard"] = (() => new CrcGuard(6000), (i, random) =>
                (i % 4, FromHost(i, Address).Udp((ushort)i, 6000).Payload(WithCrc(i, Bytes(random, i * 4)))
                    .PaddedTo(60))),
            ["FlowExporter"] = (() => new FlowExporter(Own, Gateway, Address, Outside), (i, random) =>
                (i % 2, FromHost(i % 12, Outside).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60))),
            ["KeyValueStore"] = (() => new KeyValueStore(Address), (i, random) =>
                (i % 4, FromHost(i, Address).Udp((ushort)i, 9999)
                    .Payload([(byte)(i < 40 || i % 5 == 0 ? 2 : 1), 0, .. Bytes(random, 7), (byte)(i % 40),
                    .. Bytes(random, 20)]))),
            ["XorCipher"] = (() => new XorCipher(9000, 0x12345678), (i, random) =>
                (i % 2, FromHost(i, Outside).Udp(1, 9000).Payload(Bytes(random, i * 6)).PaddedTo(60))),
            ["UpperEcho"] = (() => new UpperEcho(Address, Own), (i, random) =>
                (i % 4, FromHost(i, Address).Udp((ushort)i, 7)
                    .Payload(Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat("Hello World ", 1 + i / 3))))
                    .PaddedTo(60))),
            ["SnmpGuard"] = (() => new SnmpGuard(), (i, random) =>
                (i % 2, FromHost(i, Outside).Udp(1000, 161).Payload(SnmpRequest(i, random)))),
            ["HostFilter"] = (() => new HostFilter(), (i, random) => (i % 2, Segment(i, 80, Request(i)))),
            ["RouterGuard"] = (() => new RouterGuard(0), (i, random) => (i % 4, Advertisement(i, random))),
            ["StatisticsCounter"] = (() => new StatisticsCounter(), (i, random) =>
                (i % 2, FromHost(i, Outside).Udp(1, 8125).Payload(Encoding.ASCII.GetBytes(
                    $"web.requests.{(i % 4 == 0 ? "ok" : "failed")}:{random.Next(10000)}|{"cg"[i % 10 / 9]}")))),
            ["IgmpSnooper"] = (() => new IgmpSnooper(), (i, random) => (i % 3, Multicast(i, random))),
            ["SixRdEnd"] = (() => new SixRdEnd(Address, Domain, Own, Peer, Gateway), (i, random) => i % 2 == 0
                ? (0, Packet.Ethernet(Peer, Own).IPv4(Host(i), Address)
                    .IPv6(InDomain(i % 10 == 0 ? Vip : Host(i)), Mapped(Outside)).Udp(1, 2)
                    .Payload(Bytes(random, i * 3)))
                : (1, Packet.Ethernet(Gateway, Own).IPv6(Mapped(Outside), InDomain(Host(i))).Udp(1, 2)
                    .Payload(Bytes(random, i * 3)))),
            ["SipGuard"] = (() => new SipGuard(Address), (i, random) => (i % 4, i % 3 == 0
                ? FromHost(i % 5, Address).Udp(4000, (ushort)(10_000 + i * 2)).Payload([0x80, .. Bytes(random, 171)])
                : FromHost(i, Address).Udp(5060, 5060).Payload(SipMessage(i)))),
            ["LldpNeighbors"] = (() => new LldpNeighbors(Own), (i, random) => (i % 4, i % 3 == 0
                ? LinkAnnouncement(i, random)
                : FromHost(i, Outside).Udp(1, 2).Payload(Bytes(random, i * 3)).PaddedTo(60))),
            ["PppoeConcentrator"] = (() => new PppoeConcentrator(Own, Gateway), Subscribers),
            ["DhcpRelay"] = (() => new DhcpRelay(Address, Own, Outside, Gateway), DhcpMessage),
            ["QosMarker"] = (() => new QosMarker(["5060-5061=24", "10000-20000=46", "22-22=16"], PortSet.Parse("3")),
            (i, random) => (i % 4, Classified(i, random))),
            ["FlowSampler"] = (() => new FlowSampler(Address, Own, Outside, Gateway), (i, random) =>
                (i % 2, FromHost(i, Outside).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60))),
            ["ArpProxy"] = (() => new ArpProxy(), (i, random) => (i % 4, i % 4 == 3
                ? FromHost(i, Outside).Udp(1, 2).Payload(Bytes(random, i)).PaddedTo(60)
                : Packet.Ethernet(MacAddress.Of(Host(i % 10)), MacAddress.Broadcast)
                    .ArpRequest(MacAddress.Of(Host(i % 10)), i == 30 ? default : Host(i % 10), Host(i % 7))
                    .PaddedTo(60))),
            ["PortKnock"] = (() => new PortKnock(Address, [7000, 8000, 9000]), (i, random) =>
                (i % 8 == 7 ? 1 : 0, i % 8 == 7
                    ? Packet.Ethernet(Own, Peer).IPv4(Address, Host(i / 10))
                        .Tcp(22, 1000, flags: Packet.Ack).PaddedTo(60)
                    : FromHost(i / 10, Address).Tcp(
                        1000, i % 10 is var k && k < 3 ? (ushort)(7000 + k * 1000) : (ushort)22,
                        flags: i % 10 < 4 ? Packet.Syn : Packet.Ack, options: i % 10 < 4 ? [2, 4, 5, 0xB4] : [])
                        .Payload(Bytes(random, i % 10 < 4 ? 0 : i)).PaddedTo(60))),
            ["HeavyHitters"] = (() => new HeavyHitters(), (i, random) =>
                (i % 2, FromHost(random.Next(3) == 0 ? i : i % 5, Outside).Udp(1, 2).Payload(Bytes(random, i * 3))
                    .PaddedTo(60))),
            ["WebSocketGate"] = (() => new WebSocketGate(), (i, random) =>
                (i % 2, Segment(i % 16, 8080, i < 50 ? Upgrade(i) : SocketMessage(i, random)))),
            ["NtpGuard"] = (() => new NtpGuard(Address), (i, random) => (i % 2, i % 2 == 0
                ? FromHost(i / 2 % 30, Address).Udp(123, 123)
                    .Ntp((byte)(i % 14 == 0 ? 7 : 3), transmitTimestamp: (ulong)i)
                : Packet.Ethernet(Own, Peer).IPv4(Address, Host(i / 2 % 30)).Udp(123, 123)
                    .Ntp(mode: 4, originTimestamp: (ulong)(i - 1)))),
            ["MssClamp"] = (() => new MssClamp(), (i, random) => (i % 2, Segment(i, 443, Bytes(random, i * 4)))),
            ["GtpGateway"] = (() => new GtpGateway(Address, Own, Peer, Gateway, Host(0), Vip, 100), Mobile),
            ["QinqTranslator"] = (() => new QinqTranslator(["0:100=2000.5", "1:100=2001.5", "2:7=2002.9"]),
            (i, random) => (i % 4, (i % 4 < 3
                ? Packet.Ethernet(Peer, Own).Vlan((ushort)(i % 4 < 2 ? 100 : 7))
                : Packet.Ethernet(Peer, Own).Vlan((ushort)(2000 + i % 3), tagType: 0x88A8).Vlan(5))
                .IPv4(Host(i), Outside).Udp(1, 2).Payload(Bytes(random, i * 3)))),
            ["BfdSessions"] = (() => new BfdSessions(Address, Own), (i, random) => (i % 4, i % 5 == 4
                ? FromHost(i, Host(i)).Udp(1000, 3785).Payload(Bytes(random, i)).PaddedTo(60)
                : Packet.Ethernet(Peer, Own).IPv4(Host(i % 8), Address, ttl: 255)
                    .Udp((ushort)(50_000 + i), 3784).Payload(
                    [
                        0x20, (byte)(1 + i / 30 << 6), 3, 24, 0, 0, 0, (byte)(i % 8 + 1),
                    0, 0, 0, (byte)(i < 8 ? 0 : 8 + i % 8), 0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10, 0, 0, 0, 0,
                    ]))),
            ["ModbusGuard"] = (() => new ModbusGuard(Host(4)), (i, random) =>
                (i % 4, Segment(i % 8 is 0 or 1 ? i : i % 6 + 2, 502, ModbusRequests(i, random)))),
            ["MqttFilter"] = (() => new MqttFilter(Host(9)), (i, random) =>
                (i % 4, Segment(i, 1883, Publication(i, random)))),
            ["CoapGuard"] = (() => new CoapGuard(Address), (i, random) =>
                (i % 4, FromHost(i, Address).Udp(5683, 5683).Payload(CoapRequest(i, random)).PaddedTo(60))),
            ["StunServer"] = (() => new StunServer(Address, Own), (i, random) =>
                (i % 4, FromHost(i, Address).Udp((ushort)(4000 + i), 3478).Payload(Binding(i, random)).PaddedTo(60))),
            ["BpduGuard"] = (() => new BpduGuard(), Bridged),
            ["VrrpWatch"] = (() => new VrrpWatch(), (i, random) => (i % 4, VirtualRouter(i, random))),
            ["ErrorLimiter"] = (() => new ErrorLimiter(IPv4Address.Parse("10.0.1.0")), (i, random) =>
                (i % 4, IcmpMessage(i, random))),
            ["FlowletRouter"] = (() => new FlowletRouter(Own, Peer, Gateway), (i, random) =>
                (i % 2, i % 3 == 0
                    ? Segment(i % 20, 443, Bytes(random, i * 4))
                    : FromHost(i % 7, Outside).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60))),
            ["JitterMonitor"] = (() => new JitterMonitor(), (i, random) => (i % 2, Voice(i, random))),
            ["LabelPopper"] = (() => new LabelPopper(Own, Gateway), (i, random) => (i % 4, Labelled(i, random))),
            ["TextCounter"] = (() => new TextCounter(), (i, random) =>
                (i % 4, FromHost(i, Outside).Udp(1, 514).Payload(LogLine(i, random)).PaddedTo(60))),
            ["PortMapper"] = (() => new PortMapper(Address, Own, Outside), (i, random) =>
                (i % 4, FromHost(i % 30, Address).Udp((ushort)(4000 + i), 5351).Payload(MappingRequest(i, random))
                    .PaddedTo(60))),
            ["WireGuardGate"] = (() => new WireGuardGate(Address), Tunnel),
            ["QueryGuard"] = (() => new QueryGuard(Address), (i, random) =>
                (i % 4, FromHost(i, Address).Udp((ushort)(4000 + i), 53).Payload(Question(i, random)).PaddedTo(60))),
            ["OptionFilter"] = (() => new OptionFilter(), (i, random) => (i % 4, WithOptions(i, random))),
            ["TimestampMask"] = (() => new TimestampMask(0x12345678), (i, random) =>
                (i % 2, Segment(i, 443, Bytes(random, i * 4)))),
            ["HashSharder"] = (() => new HashSharder(), (i, random) =>
                (i % 8 == 6 ? 1 : 0, FromHost(i, Address).Udp((ushort)(4000 + i), 11211).Payload(KeyRequest(i, random))
                    .PaddedTo(60))),
            ["SegmentEndpoint"] = (() => new SegmentEndpoint(Mapped(Vip), Own, Gateway), (i, random) =>
                (i % 4, Segmented(i, random))),
            ["TransparentClock"] = (() => new TransparentClock(), (i, random) => (i % 4, TimeMessage(i, random))),
            ["RemoteMirror"] = (() => new RemoteMirror(Address, Own, Outside, Gateway), (i, random) =>
                (i % 2, i % 3 == 0
                    ? Packet.Ethernet(Peer, Own).Vlan((ushort)i).IPv4(Host(i), Outside).Udp(1, 2)
                        .Payload(Bytes(random, i * 4)).PaddedTo(60)
                    : FromHost(i, Outside).Udp(1, 2).Payload(Bytes(random, i % 20 == 19 ? 1460 : i * 4))
                        .PaddedTo(60))),
            ["QueuePairGuard"] = (() => new QueuePairGuard(), (i, random) => (i % 2, RemoteWrite(i, random))),
            ["QueryCounter"] = (() => new QueryCounter(), (i, random) => (i % 2, AnyQuestion(i))),
            ["LinkAggregator"] = (() => new LinkAggregator(Own), (i, random) => (i % 4, i % 4 < 3 && i % 8 < 4
                ? AggregationUnit(i, random)
                : FromHost(i, Outside).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60))),
            ["TransferGuard"] = (() => new TransferGuard(), (i, random) =>
                (i % 4, FromHost(i, Address).Udp((ushort)(4000 + i), (ushort)(i % 5 == 4 ? 4000 : 69))
                    .Payload(FileRequest(i)).PaddedTo(60))),
            ["QuicBalancer"] = (() => new QuicBalancer(Vip, Host(0), Own, Gateway), (i, random) => (i % 3 == 2
                ? (1 + i % 4 % 3, Packet.Ethernet(Peer, Own).IPv4(Host(i % 3), Outside).Udp(443, 4000)
                    .Payload(Bytes(random, i * 4)).PaddedTo(60))
                : (0, FromHost(i, Vip).Udp((ushort)(4000 + i), 443).Payload(QuicPacket(i, random)).PaddedTo(60)))),
            ["DuplicateFilter"] = (() => new DuplicateFilter(), (i, random) => (i % 2,
                FromHost(i / 2 % 2 == 0 ? i / 4 : i, Outside).Udp(1, (ushort)(i / 4))
                    .Payload(Bytes(new Random(i / 4), i)).PaddedTo(60))),
            ["PrefixLimiter"] = (() => new PrefixLimiter(
                "10.0.1.0/24=1", "10.0.1.16/28=2", "10.0.0.0/8=3", "0.0.0.0/0=4"), (i, random) =>
                (i % 2, FromHost(i * 37 % 600, Outside).Udp(1, 2).Payload(Bytes(random, i * 8)).PaddedTo(60))),
            ["HopTracer"] = (() => new HopTracer(Address, Own, Gateway), (i, random) => (i % 2,
                Packet.Ethernet(Peer, Own).IPv4(Host(i), Outside, ttl: (byte)(i % 4 == 0 ? 1 : 64))
                    .Udp(1, 33434).Payload(Bytes(random, i * 4)).PaddedTo(60))),
            ["GreTunnel"] = (() => new GreTunnel(Address, Outside, Own, Gateway, Peer), (i, random) => i % 2 == 0
                ? (0, FromHost(i, Outside).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60))
                : (1, Packet.Ethernet(Gateway, Own).IPv4(Outside, Address)
                    .Gre(hasChecksum: true, checksum: i % 15 == 14 ? (ushort)0x1234 : null)
                    .IPv4(Vip, Host(i)).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60))),
            ["TrailerSeal"] = (() => new TrailerSeal(), (i, random) => i % 2 == 0
                ? (0, FromHost(i, Outside).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60))
                : (1, Trailed(i, random))),
            ["RedisGuard"] = (() => new RedisGuard(), (i, random) => (i % 4, Segment(i, 6379, RedisRequest(i)))),
            ["ResetInjector"] = (() => new ResetInjector(0, 1), (i, random) =>
                (i % 2, Segment(i, 80, i % 10 == 4
                    ? [.. Bytes(random, i), .. "GET /cmd.exe HTTP/1.1"u8, .. Bytes(random, i)]
                    : Bytes(random, i * 4)))),
            ["UrlBloom"] = (() => new UrlBloom(2, 1), (i, random) => (0, Segment(i, 80, Request(i / 2)))),
            ["EarlyDetection"] = (() => new EarlyDetection(), (i, random) =>
                (i % 2, FromHost(i, Outside).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60))),
            ["ServerNameFilter"] = (() => new ServerNameFilter(), (i, random) =>
                (i % 2, Segment(i, 443, i % 3 == 0 ? Hello(i, random) : Bytes(random, i * 4)))),
            ["DhcpSnooper"] = (() => new DhcpSnooper(), Lease),
            ["CaptivePortal"] = (() => new CaptivePortal(Outside), Visit),
            ["RoundTripMeter"] = (() => new RoundTripMeter(), (i, random) => (i % 2, Timestamped(i, random))),
            ["ForwardedLimiter"] = (() => new ForwardedLimiter(), (i, random) => (i % 2, Segment(i, 80, Proxied(i)))),
            ["FixGuard"] = (() => new FixGuard(), (i, random) => (i % 2, Segment(i, 9876, FixMessage(i)))),
            ["RebindGuard"] = (() => new RebindGuard(), (i, random) => (i % 4 / 3, i % 4 == 2
                ? FromHost(i, Address).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60)
                : Packet.Ethernet(Gateway, Own).IPv4(Outside, Host(i)).Udp(53, 4000).Payload(Answers(i, random)))),
            ["MulticastReplicator"] = (() => new MulticastReplicator(100, 200, 200, 201, 202), Viewed),
            ["CardinalityMeter"] = (() => new CardinalityMeter(Address, Own, Outside, Gateway), (i, random) =>
                (i % 2, FromHost(i % 60, Outside).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60))),
            ["FeedArbiter"] = (() => new FeedArbiter(26400, "ACME"), (i, random) =>
                (i % 2, Packet.Ethernet(Peer, MacAddress.Broadcast).IPv4(Outside, new IPv4Address(0xEF010101))
                    .Udp(1, 26400).Payload(Feed(i, random)).PaddedTo(60))),
            ["ServiceChain"] = (() => new ServiceChain(
                Own, [Peer, Gateway, Own, Peer], "1/5=1", "1/4=2", "1/3=254", "1/2=1", "2/5=2", "2/4=1", "2/3=254"),
            (i, random) => (i % 4, Chained(i, random))),
            ["FtpHelper"] = (() => new FtpHelper(), Transfer),
            ["PathGuard"] = (() => new PathGuard(), (i, random) => (i % 2, Segment(i, 80, EscapedRequest(i)))),
            ["ReplayWindow"] = (() => new ReplayWindow(), (i, random) => (i % 2,
                Packet.Ethernet(Peer, Own).IPv4(Host(i % 6), Outside, protocol: 50).Payload(
                [
                    0, 0, 1, (byte)(i % 6), .. PacketBytes.Of((uint)(i / 6 * 3 + 1 - (i % 5 == 4 ? 2 : 0))),
                    .. Bytes(random, 16 + i * 4),
                ]))),
            ["GooseWatch"] = (() => new GooseWatch(), (i, random) => (i % 4, i % 5 == 4
                ? FromHost(i, Outside).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60)
                : SubstationEvent(i))),
            ["SomeIpGate"] = (() => new SomeIpGate(), (i, random) => (i % 4, Packet.Ethernet(Peer, Own).Vlan(5)
                .IPv4(Host(i), Outside).Udp(30490, 30509).Payload(Calls(i, random)))),
            ["SmtpFilter"] = (() => new SmtpFilter(), (i, random) => (i % 2, Segment(i, 25, MailCommands(i)))),
            ["MdnsReflector"] = (() => new MdnsReflector(Own, [Host(100), Host(101), Host(102), Host(103)]),
            (i, random) => (i % 4, i % 3 == 0
                ? FromHost(i, Outside).Udp(1, 2).Payload(Bytes(random, i * 3)).PaddedTo(60)
                : FromHost(i % 10 == 7 ? 101 : i, IPv4Address.Parse("224.0.0.251"))
                    .Udp(5353, 5353).Payload(Discovery(i)))),
            ["PacketFragmenter"] = (() => new PacketFragmenter(Address, Own, Gateway, Peer), (i, random) => (i % 8 / 7,
                Packet.Ethernet(Peer, Own).IPv4(
                    Host(i), Outside, identification: (ushort)i, dontFragment: i % 6 == 0)
                    .Udp(1, 2).Payload(Bytes(random, i * 10)).PaddedTo(60))),
            ["UplinkFailover"] = (() => new UplinkFailover(Own), (i, random) => (i % 4, i % 4 < 2 && i % 7 == 0
                ? Packet.Ethernet(Peer, MacAddress.Broadcast, 0x88B5).Payload(0, 0, 0, (byte)i, 0).PaddedTo(60)
                : FromHost(i, Outside).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60))),
            ["ShaperTree"] = (() => new ShaperTree(), (i, random) =>
                (i % 4, FromHost(i % 9, Outside).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60))),
            ["BasicAuthGate"] = (() => new BasicAuthGate(8080, "mallory", "root"), (i, random) =>
                (i % 2, Segment(i, 8080, Authorized(i)))),
            ["ExtensionHeaderFilter"] = (() => new ExtensionHeaderFilter(), ExtensionHeaders),
            ["OspfGuard"] = (
                () => new OspfGuard(IPv4Address.Parse("0.0.0.1"), IPv4Address.Parse("255.255.255.0")), Ospf),
            ["MacsecTagCheck"] = (() => new MacsecTagCheck([LeftMac, RightMac]), Macsec),
            ["ProfinetMonitor"] = (() => new ProfinetMonitor(), Profinet),
            ["LdapBindFilter"] = (() => new LdapBindFilter(), Ldap),
            ["SctpFilter"] = (() => new SctpFilter([3, 18, 46]), Sctp),
            ["Dnp3Guard"] = (() => new Dnp3Guard([100, 101]), Dnp3),
            ["ItchFilter"] = (() => new ItchFilter(["AAPL", "MSFT", "NVDA"]), Itch),
            ["TftpServer"] = (() => new TftpServer(Right, Files), Tftp),
            ["StatefulFirewall"] = (() => new StatefulFirewall([22, 443]), Firewall),
            ["ResponseRateLimiter"] = (() => new ResponseRateLimiter(), Responses),
            ["RtpRemapper"] = (() => new RtpRemapper(), Rtp),
            ["PtpMaster"] = (() => new PtpMaster(RightMac), Ptp),
            ["LockServer"] = (() => new LockServer(Right), Locks),
            ["LispRouter"] = (
                () => new LispRouter(
                    Locator, ["10.2.0.0/16=192.0.2.2", "10.3.4.0/24=192.0.2.3", "10.0.0.0/8=192.0.2.9"],
                    LeftMac, RightMac),
                Lisp),
            ["EthernetPseudowire"] = (() => new EthernetPseudowire(PseudowireMac, RightMac), Pseudowire),
            ["StatsdGate"] = (() => new StatsdGate(), Of(StatsdTraffic.Frames())),
            ["DiameterRealmGate"] = (() => new DiameterRealmGate(), Of(DiameterTraffic.Frames())),
            ["ClientSubnetStripper"] = (() => new ClientSubnetStripper(), Of(ClientSubnetTraffic.Frames())),
            ["NfsReadOnlyGate"] = (() => new NfsReadOnlyGate(Pieces.IP("10.0.0.250")), Of(NfsTraffic.Frames())),
            ["NatPmpServer"] = (
                () => new NatPmpServer(Pieces.IP("10.0.0.1"), Pieces.IP("203.0.113.5")), Of(NatPmpTraffic.Frames())),
            ["PortScanGuard"] = (() => new PortScanGuard(), Of(PortScanTraffic.Frames())),
            ["SocksGate"] = (() => new SocksGate([80, 443, 993]), Of(SocksTraffic.Frames())),
            ["CfmMaintenancePoint"] = (() => new CfmMaintenancePoint(CfmTraffic.Own), Of(CfmTraffic.Frames())),
            ["PrefixTranslator"] = (
                () => new PrefixTranslator(Pieces.IP6("fd01:203:405::"), Pieces.IP6("2001:db8:1::"), Pieces.Right),
                Of(PrefixTraffic.Frames())),
            ["RipOffsetList"] = (() => new RipOffsetList(Pieces.IP("10.0.0.0"), 8, 3), Of(RipTraffic.Frames())),
            ["L2tpTunnel"] = (
                () => new L2tpTunnel(Pieces.Left, Pieces.IP("192.0.2.1"), Pieces.IP("192.0.2.2"), Pieces.Right),
                Of(L2tpTraffic.Frames())),
            ["BackboneEdge"] = (() => new BackboneEdge(BackboneTraffic.Own), Of(BackboneTraffic.Frames())),
            ["PrpRedBox"] = (() => new PrpRedBox(), Of(PrpTraffic.Frames())),
            ["MicroburstReporter"] = (
                () => new MicroburstReporter(Pieces.IP("10.9.0.1"), Pieces.IP("10.9.0.2"), Pieces.Right),
                Of(MicroburstTraffic.Frames())),
            ["RetransmitMeter"] = (() => new RetransmitMeter(), Of(RetransmitTraffic.Frames())),
            ["TransportStreamMonitor"] = (() => new TransportStreamMonitor(), Of(TransportStreamTraffic.Frames())),
            ["EpochSequencer"] = (
                () => new EpochSequencer([.. "1;2;1,2;3".Split(';').Select(ports => PortSet.Parse(ports))]),
                Of(EpochSequencerTraffic.Frames())),
            ["TimestampOracle"] = (
                () => new TimestampOracle(
                    Pieces.IP("10.0.0.2"), address6: Pieces.IP6("2001:db8::2"), cluster: 7),
                Of(TimestampOracleTraffic.Frames())),
            ["FcoeZoning"] = (
                () => new FcoeZoning(["010001-020001", "010002-020001", "010003-020001"]),
                Of(FcoeZoningTraffic.Frames())),
            ["CongestionPoint"] = (
                () => new CongestionPoint(MacAddress.Parse("02:00:00:00:00:fe")), Of(CongestionPointTraffic.Frames())),
            ["RequestCloner"] = (
                () => new RequestCloner(
                    RequestClonerTraffic.Address, RequestClonerTraffic.Servers, RequestClonerTraffic.Macs),
                Of(RequestClonerTraffic.Frames())),
            ["GradientAggregator"] = (
                () => new GradientAggregator(Pieces.IP("10.0.0.100"), Pieces.IP("239.0.0.1")),
                Of(GradientAggregatorTraffic.Frames())),
            ["OrderRiskGate"] = (
                () => new OrderRiskGate(
                    ["AAPL=5000=180.00=260.00", "MSFT=5000=350.00=500.00", "NVDA=5000=100.00=160.00"],
                    mostValue: 500_000),
                Of(OrderRiskGateTraffic.Frames())),
            ["TopOfBook"] = (() => new TopOfBook([5602, 6437]), Of(TopOfBookTraffic.Frames())),
            ["TtlSecurity"] = (
                () => new TtlSecurity(
                    Pieces.IP("192.0.2.1"), Pieces.IP6("2001:db8::1"), ["192.0.2.2=1", "198.51.100.7=3"],
                    ["2001:db8::2=1"], opensPerSecond: 1_000_000),
                Of(TtlSecurityTraffic.Frames())),
            ["PortAccess"] = (() => new PortAccess(startsPerSecond: 1_000_000), Of(PortAccessTraffic.Frames())),
            ["MldSnooper"] = (() => new MldSnooper(), Of(MldSnooperTraffic.Frames())),
            ["LspPing"] = (
                () => new LspPing(
                    Pieces.IP("10.255.0.3"), Pieces.Right, ["10.1.0.0/16"], ["10.2.0.0/16=24"]),
                Of(LspPingTraffic.Frames())),
            ["TlsFingerprint"] = (
                () => new TlsFingerprint(blocked: ["21037ea81706f068"]), Of(TlsFingerprintTraffic.Frames())),
            ["EtherNetIpGate"] = (
                () => new EtherNetIpGate([Pieces.IP("10.10.0.5")]), Of(EtherNetIpGateTraffic.Frames())),
            ["FrameElimination"] = (
                () => new FrameElimination(
                    ["01:00:5e:00:00:10=100", "01:00:5e:00:00:11=100", "01:00:5e:00:00:12=100"],
                    history: 16, resetMicroseconds: 5),
                Of(FrameEliminationTraffic.Frames())),
            ["SacnArbiter"] = (() => new SacnArbiter(universes: 16), Of(SacnArbiterTraffic.Frames())),
            ["DnsSteering"] = (
                () => new DnsSteering(
                    [StreamTraffic.Mac(21), StreamTraffic.Mac(22), StreamTraffic.Mac(23)]),
                Of(StreamTraffic.DnsQueries())),
            ["WebFirewall"] = (
                () => new WebFirewall(["union select", "../", "<script", "cmd.exe"]),
                Of(StreamTraffic.WebRequests())),
            ["NmeaGuard"] = (() => new NmeaGuard(), Of(StreamTraffic.Nmea())),
            ["ErspanMirror"] = (
                () => new ErspanMirror(
                    StreamTraffic.Own, StreamTraffic.Address, StreamTraffic.Collector, StreamTraffic.CollectorMac, 7,
                    512, 2),
                Of(StreamTraffic.TwoPorts())),
            ["MvrReplicator"] = (
                () => new MvrReplicator(
                    [.. "239.1.1.1=1,2;239.1.1.2=1,2,3;239.1.1.3=3".Split(';').Select(s => MvrSubscription.Parse(s))],
                    100, StreamTraffic.PortVlans),
                Of(StreamTraffic.Television())),
            ["IpfixExporter"] = (
                () => new IpfixExporter(
                    StreamTraffic.Own, StreamTraffic.Address, StreamTraffic.Collector, StreamTraffic.CollectorMac),
                Of(StreamTraffic.FourPorts())),
            ["BfdProtection"] = (
                () => new BfdProtection(
                    StreamTraffic.Own, StreamTraffic.Address, StreamTraffic.Peer, StreamTraffic.PeerMac),
                Of(StreamTraffic.Bfd())),
            ["PresenceMonitor"] = (
                () => new PresenceMonitor(
                    StreamTraffic.Own, StreamTraffic.Address, StreamTraffic.Collector, StreamTraffic.CollectorMac),
                Of(StreamTraffic.Stations())),
            ["GeneveGateway"] = (
                () => new GeneveGateway(
                    StreamTraffic.Own, StreamTraffic.Address, StreamTraffic.Peer, StreamTraffic.PeerMac, 4711),
                Of(StreamTraffic.Geneve())),
            ["ProviderEdge"] = (() => new ProviderEdge([101, 102, 103], 1), Of(StreamTraffic.Tags())),
            ["ToaInserter"] = (() => new ToaInserter(), Of(StreamTraffic.Opens())),
            ["TwoRateMarker"] = (() => new TwoRateMarker(), Of(StreamTraffic.Rates())),
            ["TopTalkers"] = (
                () => new TopTalkers(StreamTraffic.CollectorMac, StreamTraffic.Own),
                Of(StreamTraffic.Talk())),
            ["AllReduce"] = (
                () => new AllReduce(StreamTraffic.Own, StreamTraffic.Address),
                Of(StreamTraffic.Vectors())),
            ["JsonDepthGuard"] = (() => new JsonDepthGuard(), OperatorTraffic.Json),
            ["CardMasker"] = (() => new CardMasker(), OperatorTraffic.Cards),
            ["IsisGuard"] = (() => new IsisGuard(PortSet.Parse("0,1")), OperatorTraffic.Isis10589),
            ["BierReplicator"] = (
                () => new BierReplicator(
                    OperatorTraffic.Own, 1, 7, OperatorTraffic.BierNeighbors, new PortId(3)),
                OperatorTraffic.Bier),
            ["TrajectorySampler"] = (() => new TrajectorySampler(), OperatorTraffic.Passing),
            ["SsdpResponder"] = (
                () => new SsdpResponder(
                    OperatorTraffic.Address, OperatorTraffic.Own, OperatorTraffic.DeviceName,
                    OperatorTraffic.DeviceTypes),
                OperatorTraffic.Ssdp),
            ["PimNeighbors"] = (
                () => new PimNeighbors(OperatorTraffic.PimAddresses, OperatorTraffic.Own, tickInterval: 10_000),
                OperatorTraffic.Groups),
            ["NatKeepAlive"] = (() => new NatKeepAlive(15, 40, tickInterval: 10_000), OperatorTraffic.Ipsec),
            ["InterfaceCounters"] = (
                () => new InterfaceCounters(
                    OperatorTraffic.Own, OperatorTraffic.Address, OperatorTraffic.Collector,
                    OperatorTraffic.CollectorMac, tickInterval: 10_000),
                OperatorTraffic.Hub),
            ["MplsInUdp"] = (
                () => new MplsInUdp(
                    OperatorTraffic.Own, OperatorTraffic.Address, OperatorTraffic.Peer, OperatorTraffic.CollectorMac,
                    OperatorTraffic.PeerMac, ["10.1.0.0/16=100", "10.2.0.0/16=200", "10.2.7.0/24=207"]),
                OperatorTraffic.Labels),
            ["CapwapBridge"] = (
                () => new CapwapBridge(OperatorTraffic.Own, OperatorTraffic.Address), OperatorTraffic.Capwap),
            ["DhcpServer"] = (
                () => new DhcpServer(
                    OperatorTraffic.Address, OperatorTraffic.Own, Pieces.IP("10.0.0.100"), OperatorTraffic.Peer,
                    OperatorTraffic.Collector),
                OperatorTraffic.Dhcp),
            ["FairDropper"] = (
                () => new FairDropper(capacity: 10_000_000, averagingMicroseconds: 10, windowMicroseconds: 10),
                OperatorTraffic.Flows),
            ["LatencyBoard"] = (() => new LatencyBoard(), OperatorTraffic.Names),
            ["SynFloodDetector"] = (
                () => new SynFloodDetector(periodMicroseconds: 10), OperatorTraffic.Connections),
            ["NameFolder"] = (() => new NameFolder(), FieldTraffic.Questions),
            ["StructuredDataGuard"] = (() => new StructuredDataGuard(), FieldTraffic.Logs),
            ["BencodeGuard"] = (() => new BencodeGuard(), FieldTraffic.HashTable),
            ["InterceptTap"] = (
                () => new InterceptTap(
                    OperatorTraffic.Own, OperatorTraffic.Address,
                    OperatorTraffic.CollectorMac, OperatorTraffic.Collector,
                    ["10.0.0.7=1000", "10.0.0.8=1001"]),
                FieldTraffic.Access),
            ["WakeRelay"] = (() => new WakeRelay([10, 20, 30], 1_000_000), FieldTraffic.Wakes),
            ["CoapNotifier"] = (
                () => new CoapNotifier(OperatorTraffic.Own, OperatorTraffic.Address), FieldTraffic.Coap),
            ["LinkOamMonitor"] = (
                () => new LinkOamMonitor(OperatorTraffic.Own, PortSet.Parse("0,1,2"), tickInterval: 10_000),
                FieldTraffic.OamLinks),
            ["StationReporter"] = (
                () => new StationReporter(
                    OperatorTraffic.Own, OperatorTraffic.Address,
                    OperatorTraffic.CollectorMac, OperatorTraffic.Collector,
                    tickInterval: 10_000),
                FieldTraffic.Stations),
            ["StampSender"] = (
                () => new StampSender(
                    OperatorTraffic.Own, OperatorTraffic.Address, OperatorTraffic.PeerMac, OperatorTraffic.Peer,
                    tickInterval: FieldTraffic.StampInterval),
                FieldTraffic.Reflections),
            ["MinimalForwarder"] = (
                () => new MinimalForwarder(
                    OperatorTraffic.Own, OperatorTraffic.Address, OperatorTraffic.PeerMac,
                    ["10.0.0.7=192.0.2.9", "10.0.0.8=198.51.100.4"]),
                FieldTraffic.Mobile),
            ["RouterAdvertiser"] = (
                () => new RouterAdvertiser(
                    OperatorTraffic.Own, FieldTraffic.Prefix, FieldTraffic.Resolvers, answersPerSecond: 1_000_000),
                FieldTraffic.Solicitations),
            ["BrokerStripper"] = (() => new BrokerStripper(), FieldTraffic.Taps),
            ["PieDropper"] = (
                () => new PieDropper(10_000, targetMicroseconds: 4, burstMicroseconds: 20, tickInterval: 10_000),
                FieldTraffic.Congested),
            ["LossEmulator"] = (() => new LossEmulator(), FieldTraffic.Lines),
            ["NtpClockFilter"] = (() => new NtpClockFilter(), FieldTraffic.Clocks),
            ["TelnetOptionGate"] = (
                () => new TelnetOptionGate(CampusTraffic.TelnetOptions), CampusTraffic.Telnet),
            ["SessionTap"] = (() => new SessionTap(), CampusTraffic.Web),
            ["DnsTunnelDetector"] = (() => new DnsTunnelDetector(), CampusTraffic.Queries),
            ["AmtRelay"] = (() => new AmtRelay(OperatorTraffic.Address, OperatorTraffic.Own), CampusTraffic.Amt),
            ["TzspSampler"] = (
                () => new TzspSampler(
                    OperatorTraffic.Own, OperatorTraffic.Address,
                    OperatorTraffic.CollectorMac, OperatorTraffic.Collector, every: 4),
                CampusTraffic.Wire),
            ["UdpSamplicator"] = (
                () => new UdpSamplicator(OperatorTraffic.Address, OperatorTraffic.Own, CampusTraffic.Receivers),
                CampusTraffic.NetFlow),
            ["UdldMonitor"] = (
                () => new UdldMonitor(OperatorTraffic.Own, messageSeconds: 1, tickMilliseconds: 250),
                CampusTraffic.Udld),
            ["GraphiteReporter"] = (
                () => new GraphiteReporter(
                    OperatorTraffic.Own, OperatorTraffic.Address,
                    OperatorTraffic.CollectorMac, OperatorTraffic.Collector, intervalMilliseconds: 100),
                CampusTraffic.Hub),
            ["HsrpRouter"] = (
                () => new HsrpRouter(
                    OperatorTraffic.Address, CampusTraffic.VirtualAddress, OperatorTraffic.Own,
                    group: 5, helloMilliseconds: 200, holdMilliseconds: 600),
                CampusTraffic.Hsrp),
            ["NvgreEndpoint"] = (
                () => new NvgreEndpoint(
                    OperatorTraffic.Address, OperatorTraffic.Own, OperatorTraffic.PeerMac, OperatorTraffic.Peer),
                CampusTraffic.Nvgre),
            ["CipsoLabeler"] = (() => new CipsoLabeler(), CampusTraffic.Cipso),
            ["WhoamiResolver"] = (
                () => new WhoamiResolver(OperatorTraffic.Address, OperatorTraffic.Own), CampusTraffic.Whoami),
            ["PeakEwmaBalancer"] = (
                () => new PeakEwmaBalancer(
                    OperatorTraffic.Address, OperatorTraffic.Own, IPv4Address.Parse("10.0.0.32"),
                    MacAddress.Parse("02:00:00:00:00:20"), OperatorTraffic.PeerMac),
                CampusTraffic.Requests),
            ["SensorDespiker"] = (() => new SensorDespiker(), CampusTraffic.Readings),
            ["AfdxPolicer"] = (() => new AfdxPolicer(CampusTraffic.Links), CampusTraffic.Avionics),
        };

    /// <summary>Those whose frames all wait for one another.</summary>
    public static readonly Dictionary<string, int> Intervals = new()
    {
        ["HeavyHitters"] = 8,
        ["FlowSampler"] = 5,
        ["EarlyDetection"] = 9,
        ["UrlBloom"] = 4,
        ["ShaperTree"] = 3,
        ["ResponseRateLimiter"] = 9,
        ["LockServer"] = 3,
        ["TimestampOracle"] = 4,
        ["DhcpServer"] = 5,
        ["LossEmulator"] = 4,
        ["NtpClockFilter"] = 10,
        ["PieDropper"] = 5,
        ["TzspSampler"] = 3,
        ["PeakEwmaBalancer"] = 7,
        ["SensorDespiker"] = 4,
        ["AfdxPolicer"] = 4,
        ["StampSender"] = 3,
        ["InterfaceCounters"] = 4,
        ["LatencyBoard"] = 4,
        ["TopTalkers"] = 9,
        // How full the queue is hangs on the frame before, by a product.
        ["CongestionPoint"] = 15,
        // A frame has as many packets, and the table of their counters has one port to write.
        ["TransportStreamMonitor"] = 7,
    };

    /// <summary>Those that no pipeline does.</summary>
    private static readonly HashSet<string> s_engines = ["CoapNotifier", "FairDropper", "SsdpResponder"];

    /// <summary>The layout of a service.</summary>
    public static Layout LayoutOf(string service) => s_engines.Contains(service) ? Layout.Engine : Layout.Pipeline;

    /// <summary>Frames for a service, 500 ns from one to the next.</summary>
    public static List<IncomingFrame> Traffic(string service)
    {
        var random = new Random(5);
        return [.. Enumerable.Range(0, 100).Select(i =>
        {
            var (port, bytes) = All[service].Frame(i, random);
            return new IncomingFrame(port, bytes, 1_700_000_000_000_000_000 + (ulong)i * 500);
        })];
    }

    /// <summary>Frames in turn.</summary>
    private static Func<int, Random, (int, byte[])> Of(IEnumerable<(int, byte[])> frames)
    {
        List<(int, byte[])> all = [.. frames];
        return (i, _) => all[i % all.Count];
    }
}
