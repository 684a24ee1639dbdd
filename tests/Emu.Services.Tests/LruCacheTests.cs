using System.Globalization;
using System.Text;
using Emu.Testing;
using static Emu.Services.Tests.LruCacheNetwork;

namespace Emu.Services.Tests;

/// <summary>The cache between a client and a server.</summary>
public sealed class LruCacheTests
{
    private static readonly PortSet s_clients = PortSet.Parse("0"), s_servers = PortSet.Parse("1");

    private readonly LruCacheNetwork _network = new();

    [Fact]
    public void A_key_that_was_asked_for_is_answered_as_the_server_did()
    {
        byte[] Request(ushort id) => ToServer("get a\r\n"u8.ToArray(), id);
        _network.Ask("set a 7 0 5\r\nhello\r\n");
        Assert.False(_network.AskFrame(Request(1)).IsHit);

        var hit = Assert.Single(_network.Run.Receive(0, Request(0xABCD), _network.Seconds * 1_000_000_000));
        Assert.Equal(s_clients, hit.Ports);
        PacketAssert.Equal(
            Packet.Ethernet(ServerMac, ClientMac).IPv4(Server, Client, dontFragment: true).Udp(Port, 4000)
                .MemcachedFrame(0xABCD).Payload("VALUE a 7 5\r\nhello\r\nEND\r\n"),
            hit.Bytes);
        var counters = _network.Service.Counters;
        Assert.Equal(
            (1UL, 1UL, 1UL, 1UL),
            (counters.Hits.Value, counters.Misses.Value, counters.Learned.Value, counters.Writes.Value));
    }

    [Theory]
    [InlineData("set a 0 0 1\r\nx\r\n")]
    [InlineData("set a 0 0 1 noreply\r\nx\r\n")]
    [InlineData("add a 0 0 1\r\nx\r\n")]
    [InlineData("replace a 0 0 1\r\nx\r\n")]
    [InlineData("append a 0 0 1\r\nx\r\n")]
    [InlineData("prepend a 0 0 1\r\nx\r\n")]
    [InlineData("cas a 0 0 1 1\r\nx\r\n")]
    [InlineData("delete a\r\n")]
    [InlineData("delete a noreply\r\n")]
    [InlineData("incr a 1\r\n")]
    [InlineData("decr a 1\r\n")]
    [InlineData("touch a 9\r\n")]
    [InlineData("gat 9 a\r\n")]
    [InlineData("gats 9 a\r\n")]
    public void A_write_makes_it_forget_the_key_alone(string write)
    {
        Learn("a", "b");
        Assert.False(_network.Ask(write).IsHit);
        Assert.True(_network.Ask("get b\r\n").IsHit);
        Assert.False(_network.Ask("get a\r\n").IsHit);
        Assert.Equal(0UL, _network.Service.Counters.Clears.Value);
    }

    [Theory]
    [InlineData("flush_all\r\n")]
    [InlineData("flush_all noreply\r\n")]
    [InlineData("flush_all -1\r\n")]
    [InlineData("gat 9 a b\r\n")]
    [InlineData("get a\r\nset b 0 0 1\r\nx\r\n")]
    [InlineData("set b 0 0 1\r\nx\r\nset a 0 0 1\r\nx\r\n")]
    [InlineData("set b 0 0 1\r\nset a 0 0 1\r\nx\r\n")]
    [InlineData("set b 0 0\r\nset a 0 0 1\r\nx\r\n")]
    [InlineData("set b 0 0 x\r\ndelete a\r\n")]
    [InlineData("set b 0 0 -1\r\ndelete a\r\n")]
    [InlineData("delete b\r\ndelete a\r\n")]
    [InlineData("delete  a\r\n")]
    [InlineData("delete a\n")]
    [InlineData("delete a\0b\r\n")]
    [InlineData("get b\rc\r\n")]
    [InlineData("delete a")]
    [InlineData("md a\r\n")]
    [InlineData("\u0080\u0004\0\u0001a")]
    public void What_is_not_one_request_that_it_knows_makes_it_forget_all(string request)
    {
        Learn("a", "b");
        _network.AskFrame(ToServer(Encoding.Latin1.GetBytes(request), 0x7777));
        Assert.Equal(1UL, _network.Service.Counters.Clears.Value);
        Assert.False(_network.Ask("get a\r\n").IsHit);
        Assert.False(_network.Ask("get b\r\n").IsHit);
    }

    [Theory]
    [InlineData("get a\r\n")]
    [InlineData("get b a\r\n")]
    [InlineData("gets a\r\n")]
    [InlineData("version\r\n")]
    [InlineData("stats\r\n")]
    [InlineData("verbosity 1\r\n")]
    [InlineData("quit\r\n")]
    public void What_changes_nothing_leaves_all_as_it_was(string request)
    {
        Learn("a", "b");
        _network.Ask(request);
        Assert.True(_network.Ask("get a\r\n").IsHit);
        Assert.True(_network.Ask("get b\r\n").IsHit);
    }

    [Fact]
    public void A_fragment_to_the_server_makes_it_forget_all()
    {
        Learn("a");
        byte[] fragment = Packet.Ethernet(ClientMac, ServerMac).IPv4(Client, Server, moreFragments: true)
            .Udp(4000, Port).MemcachedFrame(1).Payload("delete a\r\n").PaddedTo(60);
        Assert.False(_network.AskFrame(fragment).IsHit);
        Assert.False(_network.Ask("get a\r\n").IsHit);
    }

    [Fact]
    public void Frames_that_are_not_for_the_server_pass()
    {
        Learn("a");
        var other = IPv4Address.Parse("10.0.0.3");
        var request = Packet.Bare.MemcachedFrame(1).Payload("get a\r\n").ToArray();
        Packet[] frames =
        [
            Packet.Ethernet(ClientMac, ServerMac).IPv4(Client, other).Udp(4000, Port).Payload(request),
            Packet.Ethernet(ClientMac, ServerMac).IPv4(Client, Server).Udp(4000, 53).Payload(request),
            Packet.Ethernet(ClientMac, ServerMac).IPv4(Client, Server).Tcp(4000, Port).Payload(request),
            Packet.Ethernet(ClientMac, MacAddress.Broadcast).ArpRequest(ClientMac, Client, Server),
        ];
        foreach (var frame in frames)
        {
            var bytes = frame.PaddedTo(60).ToArray();
            var passed = Assert.Single(_network.Run.Receive(0, bytes));
            Assert.Equal(s_servers, passed.Ports);
            Assert.Equal(bytes, passed.Bytes);
            var returned = Assert.Single(_network.Run.Receive(1, bytes));
            Assert.Equal(s_clients, returned.Ports);
            Assert.Equal(bytes, returned.Bytes);
        }
        Assert.Equal(0UL, _network.Service.Counters.Clears.Value);
    }

    [Theory]
    [InlineData("END\r\n")]
    [InlineData("VALUE b 0 1\r\nx\r\nEND\r\n")]
    [InlineData("VALUE a 0 2\r\nx\r\nEND\r\n")]
    [InlineData("VALUE a 0 1\r\nx\r\nENDE\r\n")]
    [InlineData("VALUE a 0 1 5\r\nx\r\nEND\r\n")]
    [InlineData("VALUE a 0 1\r\nx\r\nVALUE b 0 1\r\nx\r\nEND\r\n")]
    [InlineData("ERROR\r\n")]
    [InlineData("")]
    public void Only_the_item_asked_for_is_learned(string answer)
    {
        _network.Run.Receive(0, ToServer("get a\r\n"u8.ToArray(), 5));
        _network.Run.Receive(1, FromServer(answer, 5));
        Assert.Equal(0UL, _network.Service.Counters.Learned.Value);
    }

    [Fact]
    public void An_answer_that_nobody_asked_for_is_not_learned()
    {
        _network.Run.Receive(0, ToServer("get a\r\n"u8.ToArray(), 5));
        _network.Run.Receive(1, FromServer("VALUE a 0 1\r\nx\r\nEND\r\n", 6));
        Assert.Equal(0UL, _network.Service.Counters.Learned.Value);
        _network.Run.Receive(1, FromServer("VALUE a 0 1\r\nx\r\nEND\r\n", 5));
        Assert.Equal(1UL, _network.Service.Counters.Learned.Value);
        _network.Run.Receive(1, FromServer("VALUE a 0 1\r\ny\r\nEND\r\n", 5));
        Assert.Equal(1UL, _network.Service.Counters.Learned.Value);
    }

    [Fact]
    public void An_answer_is_known_for_its_greatest_age()
    {
        Learn("a");
        _network.Seconds += 59;
        Assert.True(_network.Ask("get a\r\n").IsHit);
        _network.Seconds++;
        Assert.False(_network.Ask("get a\r\n").IsHit);
        Assert.True(_network.Ask("get a\r\n").IsHit);
    }

    [Fact]
    public void Nothing_is_learned_until_a_flush_that_is_due_later_is_done()
    {
        Learn("a");
        _network.Ask("flush_all 10\r\n");
        _network.Seconds += 8;
        Assert.NotEqual("END\r\n", _network.Ask("get a\r\n").Answer);
        Assert.False(_network.Ask("get a\r\n").IsHit);
        _network.Seconds += 4;
        Assert.Equal("END\r\n", _network.Ask("get a\r\n").Answer);
        _network.Ask("set a 0 0 1\r\n1\r\n");
        _network.Ask("get a\r\n");
        Assert.True(_network.Ask("get a\r\n").IsHit);
    }

    /// <summary>Keys as often as in a Zipf distribution, values of many lengths, a write now and then.</summary>
    [Fact]
    public void Its_hits_are_those_of_an_exact_LRU_simulator()
    {
        var (random, simulator) = (new Random(1), new LruSimulator(chunks: 64, chunkLength: 64));
        var (hits, gets) = (0, 0);
        for (var i = 0; i < 20_000; i++)
        {
            var key = $"key{(int)(200 * Math.Pow(random.NextDouble(), 3)):D3}";
            if (random.Next(10) == 0)
            {
                var value = new string((char)random.Next('a', 'z'), random.Next(300));
                Assert.Equal("STORED\r\n", _network.Ask($"set {key} 0 0 {value.Length}\r\n{value}\r\n").Answer);
                simulator.Remove(key);
                continue;
            }
            var isKnown = simulator.TryUse(key);
            var (answer, isHit) = _network.Ask($"get {key}\r\n");
            Assert.Equal(isKnown, isHit);
            if (!isKnown && answer != "END\r\n") simulator.Add(key, answer.Length - "VALUE ".Length);
            (hits, gets) = (hits + (isHit ? 1 : 0), gets + 1);
        }
        Assert.InRange(hits, gets / 4, gets * 9 / 10);
        Assert.Equal((ulong)hits, _network.Service.Counters.Hits.Value);
        Assert.NotEqual(0UL, _network.Service.Counters.Evictions.Value);
    }

    /// <summary>
    /// Requests and answers overtake one another between the cache and a server; no answer is older than a write that
    /// was answered before it was asked for.
    /// </summary>
    [Fact]
    public void No_answer_is_older_than_a_write_that_was_answered_before_its_request()
    {
        var random = new Random(1);
        var (requests, answers) = (new List<(ushort Id, string Text)>(), new List<(ushort Id, string Text)>());
        var (values, floors) = (new int[3], new int[3]);
        var asked = new Dictionary<ushort, (int Key, int Floor)>();
        void Pass((ushort Id, string Text) answer)
        {
            var (key, floor) = asked[answer.Id];
            var line = answer.Text.Split("\r\n");
            if (line[0].StartsWith("VALUE", StringComparison.Ordinal))
                Assert.InRange(int.Parse(line[1], CultureInfo.InvariantCulture), floor, values[key]);
            else floors[key] = Math.Max(floors[key], int.Parse(line[0], CultureInfo.InvariantCulture));
        }
        for (var i = 0; i < 60_000; i++)
        {
            switch (random.Next(3))
            {
                case 0:
                    var (id, key) = ((ushort)i, random.Next(3));
                    asked[id] = (key, floors[key]);
                    var text = random.Next(4) == 0 ? $"incr k{key} 1\r\n" : $"get k{key}\r\n";
                    var passed = Assert.Single(_network.Run.Receive(0, ToServer(Encoding.Latin1.GetBytes(text), id)));
                    if (passed.Ports == s_servers) requests.Add((id, text));
                    else Pass((id, Text(passed.Bytes)));
                    break;
                case 1 when requests.Count > 0:
                    var request = Take(requests, random);
                    var number = request.Text.Split(' ')[1][1] - '0';
                    if (request.Text.StartsWith("incr", StringComparison.Ordinal)) values[number]++;
                    var value = values[number].ToString(CultureInfo.InvariantCulture);
                    answers.Add((
                        request.Id,
                        request.Text.StartsWith("incr", StringComparison.Ordinal) ? $"{value}\r\n"
                        : $"VALUE k{number} 0 {value.Length}\r\n{value}\r\nEND\r\n"));
                    break;
                case 2 when answers.Count > 0:
                    var answer = Take(answers, random);
                    _network.Run.Receive(1, FromServer(answer.Text, answer.Id));
                    Pass(answer);
                    break;
            }
        }
        Assert.InRange(_network.Service.Counters.Hits.Value, 1000UL, 20_000UL);
        Assert.NotEqual(0UL, _network.Service.Counters.Outdated.Value);
    }

    private static T Take<T>(List<T> from, Random random)
    {
        var at = random.Next(from.Count);
        var taken = from[at];
        from.RemoveAt(at);
        return taken;
    }

    private void Learn(params string[] keys)
    {
        foreach (var key in keys)
        {
            _network.Ask($"set {key} 0 0 1\r\n5\r\n");
            Assert.False(_network.Ask($"get {key}\r\n").IsHit);
            Assert.True(_network.Ask($"get {key}\r\n").IsHit);
        }
    }

    /// <summary>Exact LRU, as plainly as it can be written.</summary>
    private sealed class LruSimulator(int chunks, int chunkLength)
    {
        private readonly List<(string Key, int Chunks)> _order = [];

        public bool TryUse(string key)
        {
            var at = _order.FindIndex(entry => entry.Key == key);
            if (at < 0) return false;
            var entry = _order[at];
            _order.RemoveAt(at);
            _order.Add(entry);
            return true;
        }

        public void Remove(string key) => _order.RemoveAll(entry => entry.Key == key);

        public void Add(string key, int length)
        {
            var needed = (length + chunkLength - 1) / chunkLength;
            while (_order.Sum(entry => entry.Chunks) + needed > chunks) _order.RemoveAt(0);
            _order.Add((key, needed));
        }
    }
}
