using Emu.Testing;
using static Emu.Services.Tests.DnsMessage;

namespace Emu.Services.Tests;

/// <summary>The answers of the name server to questions about services/Dns/example.zone.</summary>
public sealed class DnsTests
{
    private const string Nothing = "^ example.com. 300 6 ns1.example.com. hostmaster.example.com. 2026010101";

    private static readonly MacAddress s_mac = MacAddress.Parse("02:00:00:00:00:02");
    private static readonly MacAddress s_peerMac = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly IPv4Address s_ip = IPv4Address.Parse("10.0.0.2");
    private static readonly IPv4Address s_peer = IPv4Address.Parse("10.0.0.1");
    private static readonly IPv6Address s_ip6 = IPv6Address.Parse("fd00::2");
    private static readonly IPv6Address s_peer6 = IPv6Address.Parse("fd00::1");

    private readonly Dns _service = new(s_ip, ["example.zone"], s_mac, s_ip6);
    private readonly ServiceRun _run;

    public DnsTests() => _run = new ServiceRun(_service, ports: 1);

    private string[] Ask(byte[] query)
    {
        var request = Packet.Ethernet(s_peerMac, s_mac).IPv4(s_peer, s_ip).Udp(4000, 53).Payload(query);
        var frame = Assert.Single(_run.Receive(0, request)).Bytes.ToArray();
        var length = frame[38] << 8 | frame[39];
        var payload = frame[42..(34 + length)];
        Assert.Equal(query[..2], payload[..2]);
        PacketAssert.Equal(
            Packet.Ethernet(s_mac, s_peerMac).IPv4(s_ip, s_peer, dontFragment: true).Udp(53, 4000)
                .Payload(payload).PaddedTo(60),
            frame);
        return Read(payload);
    }

    public static TheoryData<string, ushort, string[]> Questions => new()
    {
        {
            "www.example.com", A,
            [
                "0 AA",
                "? www.example.com.",
                "> www.example.com. 3600 1 192.0.2.80",
                "> www.example.com. 3600 1 192.0.2.81",
            ]
        },
        { "WwW.eXample.CoM", Aaaa, ["0 AA", "? WwW.eXample.CoM.", "> WwW.eXample.CoM. 3600 28 2001:db8::80"] },
        { "www.example.com", MX, ["0 AA", "? www.example.com.", Nothing] },
        { "nope.example.com", A, ["3 AA", "? nope.example.com.", Nothing] },
        { "c.example.com", A, ["0 AA", "? c.example.com.", Nothing] },
        {
            "example.com", NS,
            [
                "0 AA",
                "? example.com.",
                "> example.com. 3600 2 ns1.example.com.",
                "> example.com. 3600 2 ns2.example.net.",
                "+ ns1.example.com. 3600 1 192.0.2.1",
                "+ ns1.example.com. 3600 28 2001:db8::1",
            ]
        },
        {
            "deep.example.com", Aaaa,
            [
                "0 AA",
                "? deep.example.com.",
                "> deep.example.com. 3600 5 web.example.com.",
                "> web.example.com. 3600 5 www.example.com.",
                "> www.example.com. 3600 28 2001:db8::80",
            ]
        },
        { "web.example.com", Cname, ["0 AA", "? web.example.com.", "> web.example.com. 3600 5 www.example.com."] },
        {
            "web.example.com", Txt,
            [
                "0 AA",
                "? web.example.com.",
                "> web.example.com. 3600 5 www.example.com.",
                Nothing,
            ]
        },
        {
            "gone.example.com", A,
            [
                "3 AA",
                "? gone.example.com.",
                "> gone.example.com. 3600 5 nowhere.example.com.",
                Nothing,
            ]
        },
        { "out.example.com", A, ["0 AA", "? out.example.com.", "> out.example.com. 3600 5 www.example.net."] },
        {
            "loop.example.com", A,
            [
                "0 AA",
                "? loop.example.com.",
                "> loop.example.com. 3600 5 loop2.example.com.",
                "> loop2.example.com. 3600 5 loop.example.com.",
            ]
        },
        {
            "q.r.wild.example.com", MX,
            [
                "0 AA",
                "? q.r.wild.example.com.",
                "> q.r.wild.example.com. 3600 15 5 mail.example.com.",
                "+ mail.example.com. 300 1 192.0.2.25",
            ]
        },
        { "q.wild.example.com", Txt, ["0 AA", "? q.wild.example.com.", Nothing] },
        { "x.wild.example.com", A, ["0 AA", "? x.wild.example.com.", Nothing] },
        { "y.x.wild.example.com", A, ["3 AA", "? y.x.wild.example.com.", Nothing] },
        { "*.wild.example.com", A, ["0 AA", "? *.wild.example.com.", "> *.wild.example.com. 3600 1 192.0.2.99"] },
        {
            "zz.alias.example.com", Aaaa,
            [
                "0 AA",
                "? zz.alias.example.com.",
                "> zz.alias.example.com. 3600 5 www.example.com.",
                "> www.example.com. 3600 28 2001:db8::80",
            ]
        },
        {
            "sub.example.com", A,
            [
                "0",
                "? sub.example.com.",
                "^ sub.example.com. 3600 2 ns.sub.example.com.",
                "^ sub.example.com. 3600 2 ns2.example.net.",
                "+ ns.sub.example.com. 3600 1 192.0.2.53",
            ]
        },
        {
            "a.host.sub.example.com", Any,
            [
                "0",
                "? a.host.sub.example.com.",
                "^ sub.example.com. 3600 2 ns.sub.example.com.",
                "^ sub.example.com. 3600 2 ns2.example.net.",
                "+ ns.sub.example.com. 3600 1 192.0.2.53",
            ]
        },
        { "sub.example.com", 43, ["0 AA", "? sub.example.com.", Nothing] },
        {
            "via.example.com", A,
            [
                "0 AA",
                "? via.example.com.",
                "> via.example.com. 3600 5 host.sub.example.com.",
                "^ sub.example.com. 3600 2 ns.sub.example.com.",
                "^ sub.example.com. 3600 2 ns2.example.net.",
                "+ ns.sub.example.com. 3600 1 192.0.2.53",
            ]
        },
        {
            "_sip._udp.example.com", Srv,
            [
                "0 AA",
                "? _sip._udp.example.com.",
                "> _sip._udp.example.com. 3600 33 5060 www.example.com.",
                "+ www.example.com. 3600 1 192.0.2.80",
                "+ www.example.com. 3600 1 192.0.2.81",
                "+ www.example.com. 3600 28 2001:db8::80",
            ]
        },
        { "new.example.com", 65280, ["0 AA", "? new.example.com.", "> new.example.com. 3600 65280 0A000001"] },
        {
            "www.example.com", Any,
            [
                "0 AA",
                "? www.example.com.",
                "> www.example.com. 3600 1 192.0.2.80",
                "> www.example.com. 3600 1 192.0.2.81",
            ]
        },
        { "example.org", A, ["5", "? example.org."] },
        { ".", NS, ["5", "? ."] },
        { "example.com", 252, ["5", "? example.com."] },
    };

    [Theory, MemberData(nameof(Questions))]
    public void A_question_has_its_answer(string name, ushort type, string[] answer)
    {
        Assert.Equal(answer, Ask(Query(name, type)));
        Assert.Equal([.. answer, "+ OPT 1232 0"], Ask(Query(name, type, size: 4096)));
    }

    [Fact]
    public void A_question_over_IPv6_has_its_answer()
    {
        var request = Packet.Ethernet(s_peerMac, s_mac).IPv6(s_peer6, s_ip6).Udp(4000, 53)
            .Payload(Query("mail.example.com", A));
        var frame = Assert.Single(_run.Receive(0, request)).Bytes.ToArray();
        PacketAssert.Equal(
            Packet.Ethernet(s_mac, s_peerMac).IPv6(s_ip6, s_peer6).Udp(53, 4000).Payload(frame[62..]), frame);
        Assert.Equal(
            ["0 AA", "? mail.example.com.", "> mail.example.com. 300 1 192.0.2.25"], Read(frame.AsSpan(62)));
    }

    [Fact]
    public void Another_version_of_EDNS_is_BADVERS()
    {
        Assert.Equal(
            ["0", "? www.example.com.", "+ OPT 1232 1000000"], Ask(Query("www.example.com", A, size: 512, version: 1)));
        Assert.Equal(1UL, _service.Server.BadVersions.Value);
    }

    [Fact]
    public void A_network_gets_no_more_answers_than_its_rate()
    {
        const ulong Second = 1_000_000_000;
        var service = new Dns(s_ip, ["example.zone"], s_mac, rate: 3);
        var run = new ServiceRun(service, ports: 1);
        int Answers(string source, int questions, ulong time) => Enumerable.Range(0, questions).Sum(_ => run.Receive(
            0,
            Packet.Ethernet(s_peerMac, s_mac).IPv4(IPv4Address.Parse(source), s_ip).Udp(4000, 53)
                .Payload(Query("www.example.com", A)),
            time).Count);
        Assert.Equal(3, Answers("10.0.0.1", 5, Second));
        Assert.Equal(0, Answers("10.0.0.7", 1, Second));
        Assert.Equal(3, Answers("10.0.9.1", 5, Second));
        Assert.Equal(3, Answers("10.0.0.1", 5, 3 * Second));
        Assert.Equal(7UL, service.Server.OverRate.Value);
    }

    [Fact]
    public void Other_operations_and_classes_are_refused()
    {
        Assert.Equal(["4"], Ask(Query("www.example.com", A, flags: 4 << 11)));
        Assert.Equal(["5", "? www.example.com."], Ask(Query("www.example.com", A, classNumber: 3)));
        Assert.Equal(1UL, _service.Server.NotImplemented.Value);
        Assert.Equal(1UL, _service.Server.QueriesRefused.Value);
    }

    public static TheoryData<string> Broken =>
    [
        "1234 0100 0001 0000 0000 0000", // no question
        "1234 0100 0002 0000 0000 0000 00 0001 0001 00 0001 0001", // two
        "1234 0100 0001 0000 0000 0000 03 777777", // a name without end
        "1234 0100 0001 0000 0000 0000 00 0001 00", // a class that is cut off
        "1234 0100 0001 0000 0000 0000 C00C 0001 0001", // a pointer to itself
        "1234 0100 0001 0000 0000 0000 40 0001 0001", // a label of no kind
        "1234 0100 0001 0001 0000 0000 00 0001 0001", // an answer
        "1234 0100 0001 0000 0000 0001 00 0001 0001", // a record that is not there
        "1234 0100 0001 0000 0000 0000 00 0001 0001 00", // a byte too many
        "1234 0100 0001 0000 0000 0002 00 0001 0001 00 0029 0200 00000000 0000 00 0029 0200 00000000 0000", // two OPT
        "1234 0100 0001 0000 0000 0001 00 0001 0001 00 0029 0200 00000000 0009 01", // data that is cut off
        "1234 0100 0001 0000 0000 0001 00 0001 0001 01 61 00 0029 0200 00000000 0000", // OPT with a name
    ];

    [Theory, MemberData(nameof(Broken))]
    public void What_cannot_be_read_is_FORMERR(string hexadecimal)
    {
        Assert.Equal(["1"], Ask(Convert.FromHexString(hexadecimal.Replace(" ", "", StringComparison.Ordinal))));
        Assert.Equal(1UL, _service.Server.FormatErrors.Value);
    }

    [Fact]
    public void Answers_and_scraps_are_dropped()
    {
        foreach (var payload in new[] { Query("www.example.com", A, flags: 0x8000), [], new byte[11] })
            PacketAssert.Nothing(
                _run.Receive(0, Packet.Ethernet(s_peerMac, s_mac).IPv4(s_peer, s_ip).Udp(4000, 53).Payload(payload)));
        Assert.Equal(3UL, _service.Server.NotQueries.Value);
    }

    [Fact]
    public void The_longest_name_is_read_and_a_longer_one_is_not()
    {
        var labels = string.Join('.', Enumerable.Repeat(new string('a', 59), 4));
        Assert.Equal("3 AA", Ask(Query($"a.{labels}.example.com", A))[0]); // 2 + 240 + 13 bytes
        Assert.Equal(["1"], Ask(Query($"aa.{labels}.example.com", A)));
    }

    [Fact]
    public void Broken_questions_neither_fault_nor_lead_to_wrong_answers()
    {
        var random = new Random(1);
        var names = Questions.Select(row => Query(row.Data.Item1, row.Data.Item2, size: 1000)).ToArray();
        for (var i = 0; i < 100_000; i++)
        {
            var query = names[random.Next(names.Length)].AsSpan(0).ToArray();
            for (var changes = random.Next(4); changes > 0; changes--)
                query[random.Next(query.Length)] = (byte)random.Next(256);
            if (random.Next(4) == 0) query = query[..random.Next(query.Length)];
            var sent = _run.Receive(
                0, Packet.Ethernet(s_peerMac, s_mac).IPv4(s_peer, s_ip).Udp(4000, 53).Payload(query));
            if (sent.Count == 0) continue;
            var frame = sent[0].Bytes.ToArray();
            Read(frame.AsSpan(42, (frame[38] << 8 | frame[39]) - 8));
        }
        Assert.All(Enum.GetValues<FaultKind>(), kind => Assert.Equal(0UL, _run.Sequence.Faults(kind).Value));
    }
}
