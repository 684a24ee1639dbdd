using System.Buffers.Binary;
using System.Text;
using Emu.Compiler.Layouts;
using Emu.Samples;
using Emu.Testing;
using static Emu.Compiler.Tests.LadderFrames;

namespace Emu.Compiler.Tests;

/// <summary>
/// The services of <c>samples/</c> do on every rung of the ladder what they do on .NET. Without ticks they are
/// pipelines.
/// </summary>
public sealed partial class SampleLadderTests
{
    private const ulong Second = 1_000_000_000;

    private static readonly byte[] s_question = [0x23, .. new byte[39], 1, 2, 3, 4, 5, 6, 7, 8];

    [Fact]
    public void TimeServer_answers_clients()
    {
        var toUs = Packet.Ethernet(PeerMac, Mac);
        byte[] symmetric = [0x21, .. s_question[1..]];
        byte[][] samples =
        [
            Packet.Ethernet(PeerMac, MacAddress.Broadcast).ArpRequest(PeerMac, Peer, IP).PaddedTo(60),
            toUs.IPv4(Peer, IP).Udp(1000, 123).Payload(s_question),
            toUs.IPv4(Peer, IP).Udp(1000, 123, checksum: 0).Payload(s_question),
            toUs.IPv4(Peer, IP).Udp(1000, 123).Payload([.. s_question, .. new byte[21]]),
            toUs.IPv4(Peer, IP).Udp(1000, 123).Payload(symmetric),
            toUs.IPv4(Peer, IP).Udp(1000, 123).Ntp(transmitTimestamp: 0xE8D1C2B1_80000000, version: 3),
            toUs.IPv4(Peer, IP).Udp(1000, 123).Payload(s_question[..47]),
            toUs.IPv4(Peer, IP).Udp(1000, 53).Payload(s_question),
            toUs.IPv4(Peer, IP, options: [7, 7, 4, 0, 0, 0, 0, 1]).Udp(1000, 123).Payload(s_question),
        ];
        var result = Check(
            () => new TimeServer(IP, Mac), FrameSequence.Like(samples, 600),
            Options with { Outside = TierOptions.Large });
        Assert.InRange(result.Sent, 200, 600);
        AssertPipeline(result);
    }

    [Fact]
    public void Policer_holds_a_rate()
    {
        IPv4Address[] sources = [Peer, IP, Inside];
        var random = new Random(3);
        var samples = Enumerable.Range(0, 60).Select(i =>
        {
            byte[]? options = random.Next(6) == 0 ? [7, 7, 4, 0, 0, 0, 0, 1] : null;
            var packet = Packet.Ethernet(PeerMac, Mac).IPv4(sources[random.Next(3)], IP, options: options);
            return (byte[])packet.Udp(1000, (ushort)(52 + random.Next(3))).Payload(new byte[random.Next(600)]);
        });
        var result = Check(
            () => new Samples.Policer(rateKbps: 30_000, burst: 1514, buckets: 8, exempt: 53),
            Hastily(FrameSequence.Like([.. samples], 600)), Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 150, 550);
        AssertPipeline(result);
    }

    [Fact]
    public void ConnectionGuard_lets_in_what_was_asked_for()
    {
        var random = new Random(4);
        IPv4Address Host() => new(0x0A00_0000 + (uint)random.Next(3));
        var samples = Enumerable.Range(0, 80).Select(i =>
        {
            byte[]? options = random.Next(8) == 0 ? [7, 7, 4, 0, 0, 0, 0, 1] : null;
            return (byte[])Packet.Ethernet(PeerMac, Mac).IPv4(Host(), Host(), options: options)
                .Tcp((ushort)random.Next(2), (ushort)random.Next(2), 7, 9, flags: Packet.Ack).PaddedTo(60);
        });
        var result = Check(
            () => new ConnectionGuard(capacity: 16, idleSeconds: 1), FrameSequence.Like([.. samples], 600),
            Options with { Outside = TierOptions.Large });
        AssertPipeline(result);
        Assert.InRange(result.Sent, 150, 599);
    }

    [Fact]
    public void Router_forwards_by_the_longest_prefix()
    {
        var mac = MacAddress.Parse("02:00:00:00:00:01");
        string[] routes =
        [
            "10.0.0.0/8=0=02:00:00:00:00:0a", "10.1.0.0/16=2=02:00:00:00:00:0d", "10.1.128.0/17=3=02:00:00:00:00:0e",
            "192.0.2.1/32=1=02:00:00:00:00:0b",
        ];
        uint[] destinations = [0x0A00_0001, 0x0A01_0002, 0x0A01_8003, 0x0A01_7FFF, 0xC000_0201, 0xC000_0202];
        var random = new Random(5);
        var samples = Enumerable.Range(0, 80).Select(i =>
        {
            var ethernet = Packet.Ethernet(PeerMac, random.Next(9) == 0 ? PeerMac : mac);
            if (random.Next(3) == 0) ethernet = ethernet.Vlan((ushort)random.Next(4096));
            byte[]? options = random.Next(9) == 0 ? [7, 7, 4, 0, 0, 0, 0, 1] : null;
            var to = new IPv4Address(destinations[random.Next(destinations.Length)]);
            return (byte[])ethernet.IPv4(Peer, to, ttl: (byte)(random.Next(4) == 0 ? 1 : 9), options: options)
                .Udp(1000, 53).Payload(new byte[random.Next(200)]);
        });
        var result = Check(
            () => new Router([.. routes.Select(route => Route.Parse(route))], mac, IP),
            FrameSequence.Like([.. samples], 600), Options with { Outside = TierOptions.Large });
        Assert.InRange(result.Sent, 150, 560);
        AssertPipeline(result);
    }

    [Fact]
    public void NetworkMap_gives_each_host_the_address_that_ends_alike()
    {
        var (inside, outside) = (IPv4Address.Parse("10.0.0.0"), IPv4Address.Parse("192.0.2.0"));
        var random = new Random(14);
        IPv4Address Host() => new((random.Next(2) == 0 ? inside : outside).Bits + (uint)random.Next(8));
        var samples = Enumerable.Range(0, 80).Select(i =>
        {
            var ethernet = Packet.Ethernet(PeerMac, Mac);
            if (random.Next(9) == 0) return ethernet.ArpRequest(PeerMac, Host(), Host()).PaddedTo(60);
            byte[]? options = random.Next(9) == 0 ? [7, 7, 4, 0, 0, 0, 0, 1] : null;
            var ip = ethernet.IPv4(Host(), Host(), options: options);
            return (byte[])(random.Next(2) == 0
                ? ip.Udp(9, 53, checksum: random.Next(3) == 0 ? 0 : null).Payload(new byte[random.Next(200)])
                : ip.Tcp(9, 80, 7, 9, flags: Packet.Ack).PaddedTo(60));
        });
        var result = Check(
            () => new NetworkMap(inside, outside, prefix: 29), FrameSequence.Like([.. samples], 600),
            Options with { Outside = TierOptions.Large });
        Assert.InRange(result.Sent, 100, 560);
        AssertPipeline(result);
    }

    [Fact]
    public void Balancer_sends_a_connection_to_one_server()
    {
        var random = new Random(9);
        var samples = Enumerable.Range(0, 60).Select(i =>
        {
            byte[]? options = random.Next(9) == 0 ? [7, 7, 4, 0, 0, 0, 0, 1] : null;
            var ip = Packet.Ethernet(PeerMac, Mac).IPv4(Peer, random.Next(9) == 0 ? Peer : IP, options: options);
            return (byte[])(random.Next(3) == 0
                ? ip.Udp((ushort)random.Next(9), 53).Payload(new byte[random.Next(200)])
                : ip.Tcp((ushort)random.Next(9), 80, 7, 9, flags: Packet.Ack).PaddedTo(60));
        });
        MacAddress[] servers = [new(0x0200_0000_000A), new(0x0200_0000_000B), new(0x0200_0000_000C)];
        var result = Check(
            () => new Balancer(IP, servers, key: 0x0706050403020100), FrameSequence.Like([.. samples], 600),
            Options with { Outside = TierOptions.Large });
        Assert.InRange(result.Sent, 150, 560);
        AssertPipeline(result);
    }

    [Fact]
    public void EcnMarker_marks_while_the_average_is_high()
    {
        var random = new Random(12);
        var samples = Enumerable.Range(0, 60).Select(i =>
        {
            byte[]? options = random.Next(6) == 0 ? [7, 7, 4, 0, 0, 0, 0, 1] : null;
            var ethernet = Packet.Ethernet(PeerMac, Mac);
            byte[] bytes = random.Next(4) == 0
                ? ethernet.IPv6(IPv6Address.Parse("fd00::1"), IPv6Address.Parse("fd00::2")).Udp(1, 2)
                    .Payload(new byte[random.Next(600)])
                : ethernet.IPv4(Peer, IP, options: options).Udp(1000, 53).Payload(new byte[random.Next(600)]);
            bytes[15] |= (byte)(random.Next(2) == 0 ? 0x22 : 0);
            return bytes;
        });
        var result = Check(
            () => new EcnMarker(megabitsPerSecond: 200, threshold: 1500, limit: 8000),
            Hastily(FrameSequence.Like([.. samples], 600), apart: 12_000),
            Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 150, 599);
        AssertPipeline(result);
    }

    [Fact]
    public void SyslogFilter_reads_a_number_and_looks_for_a_word()
    {
        var random = new Random(13);
        string[] ends = ["", "[test", "[test]", "[[test]", "[test] of some", " [tes[test]", "t]"];
        string[] begins = ["<0>", "<34>", "<191>", "<192>", "<7", "7>", "<>", "<1234>", "<3x>", "<", ""];
        var samples = Enumerable.Range(0, 120).Select(i =>
        {
            byte[]? options = random.Next(9) == 0 ? [7, 7, 4, 0, 0, 0, 0, 1] : null;
            var begin = random.Next(2) == 0 ? $"<{random.Next(192)}>" : begins[random.Next(begins.Length)];
            var text = begin + new string('[', random.Next(90)) + ends[random.Next(ends.Length)];
            return (byte[])Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP, options: options)
                .Udp(1000, (ushort)(random.Next(9) == 0 ? 53 : 514)).Payload(Encoding.ASCII.GetBytes(text));
        });
        var result = Check(
            () => new SyslogFilter(), FrameSequence.Like([.. samples], 600),
            Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 100, 500);
        AssertPipeline(result);
    }

    [Fact]
    public void VlanAccess_puts_tags_in_and_takes_them_out()
    {
        var random = new Random(10);
        var samples = Enumerable.Range(0, 60).Select(i =>
        {
            var ethernet = Packet.Ethernet(PeerMac, Mac);
            if (random.Next(2) == 0) ethernet = ethernet.Vlan((ushort)(10 + random.Next(2)));
            return (byte[])ethernet.IPv4(Peer, IP).Udp(1, 2).Payload(new byte[random.Next(300)]).PaddedTo(60);
        });
        var result = Check(
            () => new VlanAccess(vlan: 10, priority: 5), FrameSequence.Like([.. samples], 600),
            Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 100, 500);
        AssertPipeline(result);
    }

    [Fact]
    public void FloodGuard_holds_back_what_sends_too_much()
    {
        var random = new Random(6);
        var samples = Enumerable.Range(0, 80).Select(i => (byte[])Packet.Ethernet(PeerMac, Mac)
            .IPv4(new IPv4Address(0x0A00_0000 + (uint)(random.Next(12) * random.Next(12))), IP)
            .Udp(1000, 53).Payload(new byte[random.Next(80)]));
        var result = Check(
            () => new FloodGuard(limit: 3, columns: 32), FrameSequence.Like([.. samples], 600),
            Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 100, 550);
        AssertPipeline(result);
    }

    [Fact]
    public void SignatureSearch_finds_it_at_every_place()
    {
        var random = new Random(12);
        var samples = Enumerable.Range(0, 200).Select(i =>
        {
            var payload = new byte[i];
            random.NextBytes(payload);
            if (random.Next(3) > 0 && i >= 4)
                BinaryPrimitives.WriteUInt32BigEndian(payload.AsSpan(random.Next(i - 3)), 0x12345678);
            byte[]? options = random.Next(9) == 0 ? [7, 7, 4, 0, 0, 0, 0, 1] : null;
            var ip = Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP, options: options);
            return (byte[])(random.Next(9) == 0 ? ip.Tcp(1, 2, 7, 9) : ip.Udp(1, 2)).Payload(payload).PaddedTo(60);
        });
        var result = Check(
            () => new SignatureSearch(signature: 0x12345678), FrameSequence.Like([.. samples], 400),
            Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 100, 300);
        AssertPipeline(result);
    }

    [Fact]
    public void LowerCase_writes_text_in_lower_case()
    {
        var random = new Random(14);
        var samples = Enumerable.Range(0, 200).Select(i =>
        {
            byte[]? options = random.Next(9) == 0 ? [7, 7, 4, 0, 0, 0, 0, 1] : null;
            var ip = Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP, options: options);
            var text = Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat("Zone.A[1]:42|@c\n", i / 16 + 1))[..i]);
            return (byte[])(random.Next(9) == 0 ? ip.Tcp(1, 8125, 7, 9) : ip.Udp(1, 8125)).Payload(text).PaddedTo(60);
        });
        var result = Check(
            () => new LowerCase(port: 8125), FrameSequence.Like([.. samples], 400),
            Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 300, 400);
        AssertPipeline(result);
    }

    [Fact]
    public void Netstrings_lets_those_pass_that_are_as_long_as_they_say()
    {
        var random = new Random(13);
        var samples = Enumerable.Range(0, 200).Select(i =>
        {
            var length = random.Next(random.Next(4) == 0 ? 1200 : 30);
            var said = random.Next(3) == 0 ? random.Next(1200) : length;
            var text = $"{(random.Next(9) == 0 ? "0" : "")}{said}:{new string('x', length)},";
            if (random.Next(9) == 0) text = text[..random.Next(text.Length)];
            if (random.Next(9) == 0) text = text.Insert(random.Next(Math.Min(5, text.Length)), "y");
            var udp = Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP).Udp(1, (ushort)(random.Next(5) == 0 ? 53 : 4000));
            return (byte[])udp.Payload(Encoding.ASCII.GetBytes(text)).PaddedTo(60);
        });
        var result = Check(
            () => new Netstrings(port: 4000), FrameSequence.Like([.. samples], 400),
            Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 150, 350);
        AssertPipeline(result);
    }

    [Fact]
    public void NameGuard_lets_names_pass_that_are_not_long()
    {
        var random = new Random(14);
        var samples = Enumerable.Range(0, 200).Select(i =>
        {
            var name = new List<byte>();
            for (var label = random.Next(random.Next(3) == 0 ? 9 : 4); label >= 0; label--)
            {
                var length = random.Next(random.Next(4) == 0 ? 66 : 12);
                name.AddRange([(byte)length, .. Enumerable.Repeat((byte)'x', length)]);
            }
            if (random.Next(9) > 0) name.AddRange([0, 0, 1, 0, 1]);
            if (random.Next(9) == 0) name = name[..random.Next(name.Count)];
            byte[] query = [0, (byte)i, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, .. name];
            if (random.Next(20) == 0) query = query[..random.Next(13)];
            byte[]? options = random.Next(9) == 0 ? [7, 7, 4, 0, 0, 0, 0, 1] : null;
            return (byte[])Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP, options: options)
                .Udp(1, (ushort)(random.Next(5) == 0 ? 4000 : 53)).Payload(query).PaddedTo(60);
        });
        var result = Check(
            () => new NameGuard(longest: 48, labels: 5), FrameSequence.Like([.. samples], 400),
            Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 150, 350);
        AssertPipeline(result);
    }

    [Fact]
    public void BlockedNames_drops_names_on_its_list_and_no_others()
    {
        string[] blocked =
            ["ads.example.com", "a.b", "track", string.Join('.', Enumerable.Repeat("label", 20)), "ads.example.org"];
        var random = new Random(15);
        var samples = Enumerable.Range(0, 240).Select(i =>
        {
            var name = blocked[random.Next(blocked.Length)];
            if (random.Next(3) == 0) name = random.Next(4) switch
            {
                0 => $"www.{name}",
                1 => name[..^1] + "x",
                2 => $"host{i}.example.com",
                _ => name.ToUpperInvariant(),
            };
            byte[]? options = random.Next(9) == 0 ? [7, 7, 4, 0, 0, 0, 0, 1] : null;
            var frame = Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP, options: options)
                .Udp(1, (ushort)(random.Next(9) == 0 ? 4000 : 53)).Dns((ushort)i, name).PaddedTo(60);
            byte[] bytes = [.. (byte[])frame, .. new byte[random.Next(9)]];
            if (random.Next(9) == 0) bytes[random.Next(42, bytes.Length)] ^= 0x20;
            return bytes;
        });
        var result = Check(
            () => new BlockedNames(blocked), FrameSequence.Like([.. samples], 400),
            Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 100, 350);
        AssertPipeline(result);
    }

    [Fact]
    public void PhoneBook_answers_with_the_number_of_a_name()
    {
        string[] entries =
        [
            "alice=+49 30 901820", "bob=1", $"{new string('c', 40)}=two", "dan=" + new string('4', 250),
            "eve=+44 20 79460958",
        ];
        var random = new Random(16);
        var toUs = Packet.Ethernet(PeerMac, Mac);
        var samples = Enumerable.Range(0, 240).Select(i =>
        {
            var name = entries[random.Next(entries.Length)].Split('=')[0];
            if (random.Next(5) == 0) name = random.Next(3) switch
            {
                0 => name[..^1] + "x",
                1 => name + name,
                _ => name.ToUpperInvariant(),
            };
            byte[]? options = random.Next(9) == 0 ? [7, 7, 4, 0, 0, 0, 0, 1] : null;
            byte[] question = [.. Enumerable.Range(i, 16).Select(n => (byte)n), .. Encoding.ASCII.GetBytes(name)];
            if (random.Next(9) == 0) question = question[..random.Next(17)];
            var ip = toUs.IPv4(Peer, IP, options: options);
            var udp = random.Next(5) == 0
                ? ip.Udp(1, (ushort)(random.Next(9) == 0 ? 53 : 4000), checksum: 0)
                : ip.Udp(1, (ushort)(random.Next(9) == 0 ? 53 : 4000));
            byte[] frame = [.. (byte[])udp.Payload(question).PaddedTo(60), .. new byte[random.Next(9)]];
            if (random.Next(20) == 0) frame[random.Next(14, frame.Length)] ^= 1;
            return frame;
        });
        var result = Check(
            () => new PhoneBook(IP, entries, mac: Mac), FrameSequence.Like([.. samples], 400),
            Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 100, 350);
        AssertPipeline(result);
    }

    [Fact]
    public void StaticSwitch_knows_its_stations()
    {
        var random = new Random(7);
        MacAddress Station(int number) => new(0x0200_0000_0000 + (ulong)number);
        var samples = Enumerable.Range(0, 80).Select(i => (byte[])Packet
            .Ethernet(Station(random.Next(9)), random.Next(5) == 0 ? MacAddress.Broadcast : Station(random.Next(9)))
            .PaddedTo(60 + random.Next(100)));
        var result = Check(
            () => new StaticSwitch([.. Enumerable.Range(0, 8).Select(i => new Station(Station(i), (byte)(i % 4)))]),
            FrameSequence.Like([.. samples], 600), Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 50, 500);
        AssertPipeline(result);
    }

    [Theory]
    [InlineData(StationTableKind.Hashed)]
    [InlineData(StationTableKind.Associative)]
    public void StationSwitch_knows_where_stations_are(StationTableKind table)
    {
        var random = new Random(9);
        MacAddress Station(int number) => new(0x0200_0000_0000 + (ulong)number);
        var samples = Enumerable.Range(0, 80).Select(i => (byte[])Packet
            .Ethernet(Station(random.Next(i < 40 ? 9 : 24)), Station(random.Next(9)))
            .PaddedTo(60 + random.Next(100)));
        var result = Check(
            () => new StationSwitch(table), FrameSequence.Like([.. samples], 600),
            Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 300, 550);
        AssertPipeline(result);
    }

    [Fact]
    public void ArpWatch_reports_what_moves()
    {
        var random = new Random(8);
        IPv4Address Host() => new(0x0A00_0000 + (uint)random.Next(5));
        var samples = Enumerable.Range(0, 60).Select(i =>
        {
            var mac = new MacAddress(0x0200_0000_0000 + (ulong)random.Next(3));
            return (byte[])Packet.Ethernet(mac, MacAddress.Broadcast).ArpRequest(mac, Host(), IP).PaddedTo(60);
        });
        var result = Check(
            () => new ArpWatch(PeerMac, hosts: 16), Hastily(FrameSequence.Like([.. samples], 600), 300_000),
            Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 620, 900);
        AssertPipeline(result);
    }

    [Fact]
    public void FlowMeter_counts_each_flow_until_it_ends()
    {
        var random = new Random(11);
        var to = IPv6Address.Parse("2001:db8::2");
        var samples = Enumerable.Range(0, 80).Select(i =>
        {
            byte[]? options = random.Next(9) == 0 ? [7, 7, 4, 0, 0, 0, 0, 1] : null;
            var ethernet = Packet.Ethernet(PeerMac, Mac);
            var ip = random.Next(2) == 0
                ? ethernet.IPv4(Peer, IP, options: options)
                : ethernet.IPv6(new IPv6Address((UInt128)random.Next(2) << 127), to);
            var port = (ushort)random.Next(4);
            return (byte[])(random.Next(2) == 0
                ? ip.Udp(port, 53).Payload(new byte[random.Next(100)])
                : ip.Tcp(port, 80, 7, 9, flags: random.Next(3) == 0 ? Packet.Fin : Packet.Ack)).PaddedTo(60);
        });
        var result = Check(
            () => new FlowMeter(capacity: 16, idleMilliseconds: 3),
            Hastily(FrameSequence.Like([.. samples], 600), 150_000), Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 500, 600);
        AssertPipeline(result);
    }

    [Fact]
    public void VlanRouter_tags_what_it_forwards()
    {
        string[] routes = ["0.0.0.0/0=1=02:00:00:00:00:0b", "10.1.0.0/16=2=02:00:00:00:00:0c"];
        uint[] destinations = [0x0A01_0003, 0x0808_0808];
        var random = new Random(12);
        var samples = Enumerable.Range(0, 60).Select(i =>
        {
            var ethernet = Packet.Ethernet(PeerMac, random.Next(9) == 0 ? PeerMac : Mac);
            if (random.Next(3) == 0) ethernet = ethernet.Vlan((ushort)random.Next(4096));
            byte[]? options = random.Next(9) == 0 ? [7, 7, 4, 0, 0, 0, 0, 1] : null;
            var to = new IPv4Address(destinations[random.Next(destinations.Length)]);
            return (byte[])ethernet.IPv4(Peer, to, ttl: (byte)(random.Next(9) == 0 ? 1 : 9), options: options)
                .Udp(1000, 53).Payload(new byte[random.Next(200)]);
        });
        var result = Check(
            () => new VlanRouter([.. routes.Select(route => Route.Parse(route))], Mac, [10, 20, 30]),
            FrameSequence.Like([.. samples], 600), Options with { Outside = TierOptions.Large });
        Assert.InRange(result.Sent, 150, 560);
        AssertPipeline(result);
    }

    [Fact]
    public void VxlanTunnel_wraps_frames_and_unwraps_them()
    {
        var random = new Random(13);
        var samples = Enumerable.Range(0, 60).Select(i =>
        {
            byte[] inside = Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP).Udp(1, 2)
                .Payload(new byte[random.Next(random.Next(9) == 0 ? 1460 : 200)]);
            if (random.Next(2) == 0) return inside;
            byte[]? options = random.Next(9) == 0 ? [7, 7, 4, 0, 0, 0, 0, 1] : null;
            return (byte[])Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP, options: options)
                .Udp(50_000, 4789, checksum: 0).Vxlan(random.Next(9) == 0 ? 7u : 1u)
                .Payload(inside[..Math.Min(inside.Length, 1400)]);
        });
        var result = Check(
            () => new VxlanTunnel(Mac, IP, Peer, PeerMac), FrameSequence.Like([.. samples], 600),
            Options with { Outside = TierOptions.Large });
        Assert.InRange(result.Sent, 200, 590);
        AssertPipeline(result);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void OptionStripper_takes_options_of_any_length_away(bool drop)
    {
        var random = new Random(17);
        var samples = Enumerable.Range(0, 80).Select(i =>
        {
            byte[] options = random.Next(4) == 0 ? [] : [.. Enumerable.Repeat<byte>(1, 4 * random.Next(1, 11))];
            var packet = (byte[])Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP, options: options)
                .Udp(1000, 53).Payload(Enumerable.Range(i, random.Next(200)).Select(n => (byte)n).ToArray());
            if (random.Next(9) == 0) packet[24] ^= 1;
            return packet;
        });
        var result = Check(
            () => new OptionStripper(drop), FrameSequence.Like([.. samples], 600),
            Options with { Outside = TierOptions.Large });
        Assert.InRange(result.Sent, 200, 590);
        AssertPipeline(result);
        AssertHasNoSlowPath(new OptionStripper(drop));
    }

    [Fact]
    public void TimeTrailer_says_when_frames_came()
    {
        var random = new Random(19);
        var samples = Enumerable.Range(0, 60).Select(i => (byte[])Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP)
            .Udp(1000, 53).Payload(new byte[random.Next(random.Next(9) == 0 ? 1472 : 150)]));
        var result = Check(
            () => new TimeTrailer(collector: 3), FrameSequence.Like([.. samples], 600),
            Options with { Outside = TierOptions.Large });
        Assert.InRange(result.Sent, 200, 590);
        AssertPipeline(result);
        AssertHasNoSlowPath(new TimeTrailer(collector: 3));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(128)]
    public void Mirror_shows_what_passes(int snap)
    {
        var result = Check(
            () => new Mirror(mirror: 3, snap), FrameSequence.Like(Datagrams(14), 400),
            Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 300, 500);
        AssertPipeline(result);
    }

    [Fact]
    public void Sampler_sends_the_first_bytes_of_some_frames()
    {
        var result = Check(
            () => new Sampler(PeerMac, rate: 3), FrameSequence.Like(Datagrams(15), 400),
            Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 210, 350);
        AssertPipeline(result);
    }

    private static byte[][] Datagrams(int seed)
    {
        var random = new Random(seed);
        return [.. Enumerable.Range(0, 60).Select(i => (byte[])Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP)
            .Udp(1, 2).Payload(new byte[random.Next(random.Next(9) == 0 ? 1472 : 200)]).PaddedTo(60))];
    }

    private static void AssertPipeline(LadderResult result) =>
        Assert.DoesNotContain(
            result.Skipped, skipped => skipped.StartsWith("the pipeline", StringComparison.Ordinal));

    private static void AssertHasNoSlowPath(Service service) =>
        Assert.Null(HardwareCompiler.Compile(service, new HardwareOptions()).Compilation.Slow);

    /// <summary>The frames, each some nanoseconds behind the one before it.</summary>
    private static List<IncomingFrame> Hastily(IReadOnlyList<IncomingFrame> frames, ulong apart = 9_000) =>
        [.. frames.Select((frame, i) => frame with { Time = 1700 * Second + (ulong)i * apart })];
}
