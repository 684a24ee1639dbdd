using System.Globalization;
using Emu.Testing;

namespace Emu.Services.Tests;

/// <summary>
/// The filter's verdicts on packets, and its messages about rules;
/// the tests of networks compare them with the kernel's.
/// </summary>
public sealed class FilterTests
{
    private static readonly MacAddress s_mac = MacAddress.Parse("02:00:00:00:00:02");
    private static readonly MacAddress s_peerMac = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly IPv4Address s_ip = IPv4Address.Parse("10.0.0.2");
    private static readonly IPv4Address s_peer = IPv4Address.Parse("10.0.0.1");
    private static readonly IPv6Address s_ip6 = IPv6Address.Parse("fd00::2");
    private static readonly IPv6Address s_peer6 = IPv6Address.Parse("fd00::1");

    private static Packet There => Packet.Ethernet(s_peerMac, s_mac);

    private static Packet Back => Packet.Ethernet(s_mac, s_peerMac);

    private static Packet Syn => There.IPv4(s_peer, s_ip).Tcp(1000, 80, 7, flags: Packet.Syn).PaddedTo(60);

    [Theory]
    [InlineData(0, "1")]
    [InlineData(1, "0")]
    [InlineData(2, "3")]
    [InlineData(3, "2")]
    public void Ports_are_in_pairs(int ingress, string egress) =>
        PacketAssert.Sent(new ServiceRun(new Filter(), ports: 4).Receive(ingress, Syn), PortSet.Parse(egress), Syn);

    [Fact]
    public void Without_a_partner_a_frame_goes_nowhere() =>
        PacketAssert.Nothing(new ServiceRun(new Filter(), ports: 3).Receive(2, Syn));

    [Fact]
    public void What_is_not_IP_passes_whatever_the_policy()
    {
        var filter = new Filter(rule: ["-P FORWARD DROP"], rule6: ["-P FORWARD DROP"]);
        var run = new ServiceRun(filter, ports: 2);
        byte[] arp = Packet.Ethernet(s_peerMac, MacAddress.Broadcast).ArpRequest(s_peerMac, s_peer, s_ip).PaddedTo(60);
        PacketAssert.Sent(run.Receive(0, arp), PortSet.Parse("1"), arp);
        PacketAssert.Nothing(run.Receive(0, Syn));
        PacketAssert.Nothing(run.Receive(0, There.IPv6(s_peer6, s_ip6).Udp(1, 2)));
        Assert.Equal((1UL, 2UL), (filter.NotIP.Value, filter.Dropped.Value));
    }

    [Theory]
    [InlineData("-i port0", "-i port1")]
    [InlineData("-o port1", "-o port0")]
    [InlineData("-i port+", "-i eth+")]
    [InlineData("! -i port1", "! -i +")]
    [InlineData("-p tcp", "-p udp")]
    [InlineData("-p 6", "! -p tcp")]
    [InlineData("-s 10.0.0.0/30", "! -s 10.0.0.0/30")]
    [InlineData("-s 10.9.9.1/255.0.0.255", "-s 10.0.0.0/32")]
    [InlineData("-d 10.0.0.9,10.0.0.2", "-d 10.0.0.9,10.0.0.8")]
    [InlineData("-p tcp --dport http", "-p tcp --dport https")]
    [InlineData("-p tcp --dport=80", "-p tcp --dport=:79")]
    [InlineData("-p tcp --syn", "-p tcp ! --syn")]
    [InlineData("-p tcp --tcp-flags ALL SYN", "-p tcp --tcp-flags ACK SYN")]
    [InlineData("! -f", "-f")]
    [InlineData("-m mac --mac-source 02:00:00:00:00:01", "-m mac ! --mac-source 02:00:00:00:00:01")]
    [InlineData("-m length --length 40", "-m length --length 41:")]
    [InlineData("-m ttl --ttl-eq 64", "-m ttl --ttl-lt 64")]
    [InlineData("-p tcp -m multiport --ports 79,1000", "-p tcp -m multiport ! --ports 80")]
    [InlineData("-m iprange --src-range 10.0.0.1-10.0.0.1", "-m iprange ! --dst-range 10.0.0.1-10.0.0.2")]
    [InlineData("-m comment --comment \"a word or two\"", "-p icmp")]
    public void A_rule_drops_what_it_matches_only(string matching, string other)
    {
        PacketAssert.Nothing(
            new ServiceRun(new Filter(rule: [$"-A FORWARD {matching} -j DROP"]), ports: 2).Receive(0, Syn));
        PacketAssert.Sent(
            new ServiceRun(new Filter(rule: [$"-A FORWARD {other} -j DROP"]), ports: 2).Receive(0, Syn),
            PortSet.Parse("1"),
            Syn);
    }

    [Theory]
    [InlineData("2/second --limit-burst 3", "0 0 0 0", "+++-")]
    [InlineData("2/second --limit-burst 3", "0 0 0 499 500 999 1000", "+++-+-+")]
    [InlineData("1/minute --limit-burst 1", "0 59999 60000 60001 300000 300001", "+-+-+-")]
    [InlineData("1/second --limit-burst 2", "0 0 100000 100000 100000", "+++" + "+-")]
    public void A_limit_gives_back_what_time_gives(string limit, string milliseconds, string expected)
    {
        var run = new ServiceRun(
            new Filter(rule: ["-P FORWARD DROP", $"-A FORWARD -m limit --limit {limit} -j ACCEPT"]), ports: 2);
        var passes = milliseconds.Split(' ')
            .Select(time => run.Receive(0, Syn, ulong.Parse(time, CultureInfo.InvariantCulture) * 1_000_000).Count > 0);
        Assert.Equal(expected, string.Concat(passes.Select(pass => pass ? '+' : '-')));
    }

    /// <summary>
    /// The side that began it, then the other, at those seconds; which of them still belongs to the
    /// connection, and to none: +, -.
    /// </summary>
    [Theory]
    [InlineData("0>S 119<SA 178>A 1000000>A", "++++")]
    [InlineData("0>S 119<SA 178>A 400000<A 832000<A", "++++-")]
    [InlineData("0>S 120<SA", "+-")]
    [InlineData("0>S 1<SA 61<A", "++-")]
    [InlineData("0>S 1<RA 2<SA", "++-")]
    [InlineData("0>S 1<SA 2>A 3>FA 4<FA 33>A 152>A 272<A", "+++++++-")]
    [InlineData("0>S 1<SA 2>A 3>FA 4<FA 34<A", "+++++-")]
    [InlineData("0>S 1<SA 2>A 3>FA 4<A 63<A 122<A 182<A", "+++++++-")]
    [InlineData("0>S 1<SA 2>A 3<R 12>A 22<A", "+++++-")]
    [InlineData("0>S 1>A 2>FA 3<FA", "+---")]
    [InlineData("0>SF 1> 2<SA 3>SR", "----")]
    [InlineData("0>S 1<A 2>A 3<SA 4>A", "++-++")]
    [InlineData("0>S 1<A 2>A 119<A 120<A", "++-+-")]
    [InlineData("0>S 1<A 60>S 179<A 180<A", "++++-")]
    [InlineData("0>S 119>S 120<SA", "++-")]
    [InlineData("0>S 1<S 2<A 3>A 4>SA 5>A", "+++-++")]
    [InlineData("0>S 1<SA 2>A 3<R 4<S 5>S 6<SA", "++++-++")]
    [InlineData("0>S 1<SA 2>A 3>FA 4<FA 5>S 6<SA 7>A 432006<A", "+++++++++")]
    [InlineData("0>A 1<A 300<A 432299<A", "++++")]
    [InlineData("0>A 1<A 301<A", "++-")]
    public void Segments_belong_to_a_connection_for_its_time(string segments, string expected)
    {
        string[] rules =
        [
            "-A FORWARD -i port1 -m conntrack --ctstate NEW -j DROP",
            "-A FORWARD -m conntrack --ctstate INVALID -j DROP",
        ];
        var run = new ServiceRun(new Filter(rule: rules), ports: 2);
        var passes = segments.Split(' ').Select(segment =>
        {
            var at = segment.IndexOfAny(['>', '<']);
            var flags = (byte)segment[(at + 1)..].Sum(
                flag => flag switch { 'S' => Packet.Syn, 'A' => Packet.Ack, 'F' => Packet.Fin, _ => Packet.Rst });
            Packet frame = segment[at] == '>'
                ? There.IPv4(s_peer, s_ip).Tcp(1000, 80, flags: flags)
                : Back.IPv4(s_ip, s_peer).Tcp(80, 1000, flags: flags);
            var seconds = ulong.Parse(segment[..at], CultureInfo.InvariantCulture);
            return run.Receive(segment[at] == '>' ? 0 : 1, frame.PaddedTo(60), seconds * 1_000_000_000).Count > 0;
        });
        Assert.Equal(expected, string.Concat(passes.Select(pass => pass ? '+' : '-')));
    }

    [Fact]
    public void A_SYN_that_no_SYN_answers_makes_room_for_another_connection()
    {
        string[] rule = ["-A FORWARD -i port1 -m conntrack --ctstate NEW,INVALID -j DROP"];
        var run = new ServiceRun(new Filter(rule: rule, connections: ConnectionTable.Ways), ports: 2);
        for (ushort port = 1; port <= ConnectionTable.Ways + 1; port++)
        {
            run.Receive(0, There.IPv4(s_peer, s_ip).Tcp(port, 80, flags: Packet.Syn).PaddedTo(60));
            byte[] answer = Back.IPv4(s_ip, s_peer).Tcp(80, port, flags: Packet.Ack).PaddedTo(60);
            PacketAssert.Sent(run.Receive(1, answer), PortSet.Parse("0"), answer);
        }
    }

    [Fact]
    public void A_connection_whose_first_packet_was_dropped_is_not_remembered()
    {
        var filter = new Filter(
            rule: ["-A FORWARD -i port0 -m state --state NEW -j DROP", "-A FORWARD -m state --state INVALID -j DROP"]);
        var run = new ServiceRun(filter, ports: 2);
        PacketAssert.Nothing(run.Receive(0, Syn));
        PacketAssert.Nothing(
            run.Receive(1, Back.IPv4(s_ip, s_peer).Tcp(80, 1000, flags: Packet.Syn | Packet.Ack).PaddedTo(60)));
        Assert.Empty(((IControlTable)filter.Connections!).Rows(0));
        byte[] query = Back.IPv4(s_ip, s_peer).Udp(53, 1000).PaddedTo(60);
        PacketAssert.Sent(run.Receive(1, query), PortSet.Parse("0"), query);
        Assert.Single(((IControlTable)filter.Connections!).Rows(29_000_000_000));
        Assert.Empty(((IControlTable)filter.Connections!).Rows(30_000_000_000));
    }

    [Fact]
    public void What_is_not_asked_for_is_not_there()
    {
        var filter = new Filter(rule: ["-A FORWARD -p tcp -j DROP"]);
        Assert.Null(filter.Connections);
        Assert.Null(filter.Counts);
    }

    [Fact]
    public void Rules_and_policies_count_packets_and_bytes()
    {
        var filter = new Filter(
            rule: ["-N web", "-A web -p tcp --dport 80", "-A FORWARD -p tcp -g web", "-P FORWARD DROP"],
            countRules: true);
        var run = new ServiceRun(filter, ports: 2);
        run.Receive(0, Syn);
        run.Receive(0, Syn);
        run.Receive(0, There.IPv4(s_peer, s_ip).Udp(1, 2).PaddedTo(60));
        Assert.Contains("-P FORWARD DROP -c 3 108\n", filter.Rules.Execute("-S -v"));
        Assert.Contains("[2:80] -A web -p tcp -m tcp --dport 80\n", filter.Rules.Save(withCounts: true));
        Assert.Contains(["IPv4", "FORWARD", "1", "2", "80", "-p tcp -g web"], ((IControlTable)filter.Counts!).Rows(0));
        filter.Rules.Execute("-Z");
        Assert.Contains("-P FORWARD DROP -c 0 0\n", filter.Rules.Execute("-S -v"));
    }

    [Fact]
    public void What_is_listed_with_counts_makes_the_same_rules_with_the_same_counts()
    {
        string[] rule =
        [
            "-N web", "-A web -p tcp --dport 80 -c 3 180 -j ACCEPT", "-A FORWARD --set-counters=7,8 -g web",
            "-P INPUT DROP -c 5 6",
        ];
        var listed = new Filter(rule: [.. rule, "-R FORWARD 1 -p tcp -c 9 10 -j web"]).Rules.Execute("-S -v");
        Assert.Contains("-P INPUT DROP -c 5 6\n", listed);
        Assert.Contains("-A FORWARD -p tcp -c 9 10 -j web\n", listed);
        Assert.Contains("-A web -p tcp -m tcp --dport 80 -c 3 180 -j ACCEPT\n", listed);
        var again = listed.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(listed, new Filter(rule: again).Rules.Execute("-S -v"));
    }

    [Theory]
    [InlineData("-A FORWARD -j LOG --log-prefix x", "`LOG'", "ACCEPT, DROP, REJECT, RETURN, web")]
    [InlineData("-A FORWARD -g LOG", "`LOG'", "ACCEPT, DROP, REJECT, RETURN, web")]
    [InlineData("-A FORWARD -p tcp --dport 089", "'089'", "octal")]
    [InlineData("-A FORWARD -p udp --dport 0x10", "'0x10'", "decimal")]
    [InlineData("-A FORWARD -s 10.0.0.0/08", "'08'", "octal")]
    [InlineData("-A FORWARD -p 08", "\"08\"", "octal")]
    [InlineData("-I FORWARD 08", "`08'", "octal")]
    [InlineData("-A FORWARD -p icmp --icmp-type 08", "`08'", "octal")]
    [InlineData("-A FORWARD -p tcp -m multiport --dports 22,80:", "'80:'", "80:65535")]
    [InlineData("-A FORWARD -p tcp -m multiport --ports :80", "':80'", "0:80")]
    [InlineData("-A FORWARD -p tcp -m multiport --ports 80:80", "'80:80'", "write 80")]
    [InlineData("-A FORWARD --des", "requires an argument")]
    [InlineData("-A FORWARD --d 10.0.0.1", "\"--d\"", "--delete, --delete-chain, --destination, --dst")]
    [InlineData("-A FORWARD -p tcp -m tcp --dest 10.0.0.1", "\"--dest\"", "--destination, --destination-port")]
    [InlineData("-A FORWARD -p tcp --syn=1", "\"--syn\"", "no argument")]
    [InlineData("-A FORWARD -m conntrack --ctproto tcp", "--ctproto", "not done here")]
    [InlineData("-A FORWARD -s ! 10.0.0.1", "-s", "`!' stands before it")]
    [InlineData("-A FORWARD -c 3 -j ACCEPT", "-c", "packet and byte counter")]
    [InlineData("-A FORWARD -c 3 x", "`x'", "not numeric")]
    [InlineData("-D FORWARD -c 3 4", "`-c'", "-D")]
    [InlineData("-F FORWARD -p tcp", "`-p'", "-F")]
    [InlineData("-A FORWARD -F", "-F", "with -A")]
    [InlineData("-A FORWARD -6 -p tcp", "-6", "file")]
    [InlineData("-A INPUT ! -o port0", "can't use -o with INPUT")]
    [InlineData("-I OUTPUT -i port0", "can't use -i with OUTPUT")]
    [InlineData("-A OUTPUT -m mac --mac-source 02:00:00:00:00:01", "can't use -m mac in OUTPUT")]
    [InlineData("-A sent -m mac --mac-source 02:00:00:00:00:01", "can't use -m mac in sent", "OUTPUT")]
    [InlineData("-A OUTPUT -j received", "can't use -m mac in received", "OUTPUT")]
    public void A_refusal_says_what_is_wrong(string command, params string[] words)
    {
        var rules = new RuleSet(IPFamily.IPv4);
        string[] before =
        [
            "-N web", "-N sent", "-A OUTPUT -j sent",
            "-N received", "-A received -m mac --mac-source 02:00:00:00:00:01", "-A INPUT -j received",
        ];
        foreach (var one in before) rules.Execute(one);
        var saved = rules.Save();
        var refused = Assert.Throws<RuleException>(() => rules.Execute(command));
        Assert.All(words, word => Assert.Contains(word, refused.Message));
        Assert.Equal(saved, rules.Save());
    }

    [Fact]
    public void A_file_may_have_rules_of_both_programs()
    {
        const string text = "*filter\n-A FORWARD -4 -s 10.0.0.1 -j DROP\n-6 -A FORWARD -s fd00::1 -j DROP\n"
            + "-A FORWARD -s fd00::2 -6\n-A FORWARD -s 10.0.0.2 -4\n-A FORWARD -p tcp -j DROP\nCOMMIT\n";
        string[] expected =
        [
            "-A FORWARD -s 10.0.0.1/32 -j DROP\n-A FORWARD -s 10.0.0.2/32\n-A FORWARD -p tcp -j DROP\n",
            "-A FORWARD -s fd00::1/128 -j DROP\n-A FORWARD -s fd00::2/128\n-A FORWARD -p tcp -j DROP\n",
        ];
        foreach (var family in (IPFamily[])[IPFamily.IPv4, IPFamily.IPv6])
        {
            var rules = new RuleSet(family);
            rules.Restore(text, "rules");
            Assert.EndsWith(expected[(int)family], rules.Execute("-S"));
        }
        var other = new RuleSet(IPFamily.IPv6);
        const string policy = "*filter\n-P FORWARD DROP -4\nCOMMIT\n";
        Assert.Contains("-P", Assert.Throws<RuleException>(() => other.Restore(policy, "rules")).Message);
    }

    [Fact]
    public void What_is_compared_with_an_extension_header_is_never_one()
    {
        var filter = new Filter(rule6: ["-A FORWARD ! -p ah -j DROP"]);
        PacketAssert.Nothing(new ServiceRun(filter, ports: 2).Receive(0, There.IPv6(s_peer6, s_ip6).Udp(1, 2)));
        byte[] authenticated = There.IPv6(s_peer6, s_ip6, nextHeader: 51).Payload(59, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2);
        PacketAssert.Nothing(new ServiceRun(filter, ports: 2).Receive(0, authenticated));
        Assert.Equal((2UL, 0UL), (filter.Dropped.Value, filter.Malformed.Value));
    }

    [Fact]
    public void What_is_cut_off_or_damaged_is_dropped_and_counted()
    {
        var filter = new Filter();
        var run = new ServiceRun(filter, ports: 2);
        byte[][] malformed =
        [
            There.IPv4(s_peer, s_ip, checksum: 1).Udp(1, 2).PaddedTo(60),
            There.IPv4(s_peer, s_ip, totalLength: 2000).Udp(1, 2).PaddedTo(60),
            There.IPv4(s_peer, s_ip, totalLength: 27).Udp(1, 2).PaddedTo(60),
            There.IPv4(s_peer, s_ip, totalLength: 39).Tcp(1, 2).PaddedTo(60),
            There.IPv4(s_peer, s_ip, fragmentOffset: 8).Tcp(1, 2).PaddedTo(60),
            There.IPv6(s_peer6, s_ip6, payloadLength: 7).Udp(1, 2).PaddedTo(62),
            There.IPv6(s_peer6, s_ip6, nextHeader: 60).Payload(6, 200, 1, 4, 0, 0, 0, 0),
        ];
        foreach (var frame in malformed) PacketAssert.Nothing(run.Receive(0, frame));
        Assert.Equal((ulong)malformed.Length, filter.Malformed.Value);
    }

    [Theory]
    [InlineData("", 3)]
    [InlineData(" --reject-with icmp-host-prohibited", 10)]
    [InlineData(" --reject-with admin-prohib", 13)]
    public void A_rejected_packet_is_answered_by_an_error_that_quotes_it(string how, byte code)
    {
        var filter = new Filter(rule: [$"-A FORWARD -j REJECT{how}"]);
        var run = new ServiceRun(filter, ports: 2);
        foreach (var length in (int[])[10, 519, 520, 521, 1400])
        {
            var packet = Packet.Bare.IPv4(s_peer, s_ip, ttl: 9).Udp(1000, 53).Payload(new byte[length]).ToArray();
            var quoted = packet[..Math.Min(packet.Length, 548)];
            PacketAssert.Sent(
                run.Receive(0, There.IPv4(s_peer, s_ip, ttl: 9).Udp(1000, 53).Payload(new byte[length])),
                PortSet.Parse("0"),
                Back.IPv4(s_ip, s_peer, ttl: 64, trafficClass: 0xC0, dontFragment: true)
                    .Icmp(3, code).Payload(quoted));
        }
        Assert.Equal(5UL, filter.Rejected.Value);
    }

    [Fact]
    public void A_rejected_packet_over_IPv6_is_answered_by_an_error_that_quotes_it()
    {
        var run = new ServiceRun(new Filter(rule6: ["-A FORWARD -j REJECT"]), ports: 2);
        foreach (var length in (int[])[0, 10, 1400])
        {
            var packet = Packet.Bare.IPv6(s_peer6, s_ip6).Udp(1000, 53).Payload(new byte[length]).ToArray();
            PacketAssert.Sent(
                run.Receive(1, There.IPv6(s_peer6, s_ip6).Udp(1000, 53).Payload(new byte[length])), PortSet.Parse("1"),
                Back.IPv6(s_ip6, s_peer6, hopLimit: 64).Icmpv6(1, 4).Payload(packet[..Math.Min(packet.Length, 1232)]));
        }
    }

    [Fact]
    public void A_rejected_segment_is_reset()
    {
        string[] rule = ["-A FORWARD -p tcp -j REJECT --reject-with tcp-reset"];
        var run = new ServiceRun(new Filter(rule: rule, rule6: rule), ports: 2);
        PacketAssert.Sent(run.Receive(0, Syn), PortSet.Parse("0"),
            Back.IPv4(s_ip, s_peer, ttl: 64, dontFragment: true)
                .Tcp(80, 1000, 0, 8, Packet.Rst | Packet.Ack, window: 0).PaddedTo(60));
        PacketAssert.Sent(
            run.Receive(0, There.IPv6(s_peer6, s_ip6).Tcp(1000, 80, 7, 9, Packet.Ack).Payload("data")),
            PortSet.Parse("0"),
            Back.IPv6(s_ip6, s_peer6, hopLimit: 64).Tcp(80, 1000, 9, 0, Packet.Rst, window: 0));
        PacketAssert.Nothing(run.Receive(0, There.IPv4(s_peer, s_ip).Tcp(1000, 80, 7, flags: Packet.Rst).PaddedTo(60)));
        PacketAssert.Nothing(
            run.Receive(0, There.IPv4(s_peer, s_ip).Tcp(1000, 80, 7, flags: Packet.Syn, checksum: 1).PaddedTo(60)));
    }

    [Fact]
    public void No_error_answers_what_must_not_be_answered()
    {
        var filter = new Filter(rule: ["-A FORWARD -j REJECT"], rule6: ["-A FORWARD -j REJECT"]);
        var run = new ServiceRun(filter, ports: 2);
        byte[][] frames =
        [
            There.IPv4(s_peer, s_ip).Icmp(3, 3).Payload(new byte[28]),
            There.IPv4(s_peer, IPv4Address.Parse("224.0.0.1")).Udp(1, 2).PaddedTo(60),
            There.IPv4(IPv4Address.Parse("127.0.0.1"), s_ip).Udp(1, 2).PaddedTo(60),
            There.IPv4(s_peer, s_ip, fragmentOffset: 80).Udp(1, 2).PaddedTo(60),
            Packet.Ethernet(s_peerMac, MacAddress.Broadcast).IPv4(s_peer, s_ip).Udp(1, 2).PaddedTo(60),
            There.IPv6(s_peer6, s_ip6).Icmpv6(1, 4).Payload(new byte[48]),
            There.IPv6(s_peer6, s_ip6.SolicitedNode).Udp(1, 2),
            There.IPv6(default, s_ip6).Udp(1, 2),
        ];
        foreach (var frame in frames) PacketAssert.Nothing(run.Receive(0, frame));
        Assert.Equal((ulong)frames.Length, filter.Rejected.Value);
    }

    [Fact]
    public void Rules_come_from_a_file_and_then_from_commands()
    {
        var file = Path.GetTempFileName();
        try
        {
            const string rules = "[3:180] -A web -p tcp -m tcp --dport 80 -j ACCEPT\n-A FORWARD -j web\n";
            File.WriteAllText(file, $"# saved\n*filter\n:FORWARD DROP [0:0]\n:web - [0:0]\n{rules}COMMIT\n");
            PacketAssert.Sent(new ServiceRun(new Filter(file), ports: 2).Receive(0, Syn), PortSet.Parse("1"), Syn);
            PacketAssert.Nothing(new ServiceRun(new Filter(file, ["-F web"]), ports: 2).Receive(0, Syn));
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Theory]
    [InlineData("*filter\n-A FORWARD -p tcpp -j DROP\nCOMMIT\n", "rules:2: ", "tcpp")]
    [InlineData("*filter\n\n:FORWARD MAYBE [0:0]\nCOMMIT\n", "rules:3: ", "MAYBE")]
    [InlineData("*nat\nCOMMIT\n", "rules:1: ", "nat")]
    [InlineData("-A FORWARD -j DROP\n", "rules:1: ", "*filter")]
    [InlineData("*filter\n-A FORWARD -j DROP\n", "rules: ", "COMMIT")]
    [InlineData("*filter\n:chain ACCEPT [0:0]\nCOMMIT\n", "rules:2: ", "chain")]
    [InlineData("*filter\n-A FORWARD -m comment --comment \"open\nCOMMIT\n", "rules:2: ", "quotation")]
    public void A_file_that_is_refused_is_named_with_the_line(string text, string place, string word)
    {
        var rules = new RuleSet(IPFamily.IPv4);
        rules.Execute("-A FORWARD -j DROP");
        var before = rules.Save();
        var refused = Assert.Throws<RuleException>(() => rules.Restore(text, "rules"));
        Assert.StartsWith(place, refused.Message);
        Assert.Contains(word, refused.Message);
        Assert.Equal(before, rules.Save());
    }

    [Fact]
    public void The_rules_in_the_repository_are_64_and_are_saved_as_they_are()
    {
        var folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Emu.sln"))) folder = Path.GetDirectoryName(folder)!;
        var text = File.ReadAllText(Path.Combine(folder, "services", "Filter", "rules-64.txt"));
        var rules = new RuleSet(IPFamily.IPv4);
        rules.Restore(text, "rules-64.txt");
        var saved = rules.Save();
        Assert.Equal(64, saved.Split('\n').Count(line => line.StartsWith("-A", StringComparison.Ordinal)));
        var again = new RuleSet(IPFamily.IPv4);
        again.Restore(saved, "saved");
        Assert.Equal(saved, again.Save());
    }
}
