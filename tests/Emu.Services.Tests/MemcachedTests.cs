using Emu.Testing;

namespace Emu.Services.Tests;

/// <summary>The answers of the cache to requests of the text protocol.</summary>
public sealed class MemcachedTests
{
    private readonly MemcachedHost _host = new();

    private MemcachedCounters Counters => _host.Service.Server;

    private string[] Ask(string request) => _host.Ask(request);

    private List<byte[]> AskDatagram(byte[] request) => _host.AskDatagram(request);

    public static TheoryData<string[], string[]> Conversations => new()
    {
        { ["get a\r\n"], ["END\r\n"] },
        {
            ["set a 7 0 3\r\nabc\r\n", "get a\r\n", "gets a\r\n", "get a\n", "get  a \r\n"],
            [
                "STORED\r\n", "VALUE a 7 3\r\nabc\r\nEND\r\n", "VALUE a 7 3 1\r\nabc\r\nEND\r\n",
                "VALUE a 7 3\r\nabc\r\nEND\r\n", "VALUE a 7 3\r\nabc\r\nEND\r\n",
            ]
        },
        {
            ["set a 7 0 3\r\nabc\r\n", "set b 0 0 0\r\n\r\n", "get x a y b z\r\n", "get a b\r\n"],
            [
                "STORED\r\n", "STORED\r\n",
                "VALUE a 7 3\r\nabc\r\n", "VALUE b 0 0\r\n\r\n", "END\r\n",
                "VALUE a 7 3\r\nabc\r\n", "VALUE b 0 0\r\n\r\nEND\r\n",
            ]
        },
        {
            [
                "set a 7 0 3\r\nabc\r\n", "get a\r\n", "get a\r\n", "append a 0 0 1\r\nd\r\n", "get a\r\n", "get a\r\n",
                "touch a 9\r\n", "get a\r\n", "delete a\r\n", "get a\r\n", "get a\r\n",
            ],
            [
                "STORED\r\n", "VALUE a 7 3\r\nabc\r\nEND\r\n", "VALUE a 7 3\r\nabc\r\nEND\r\n", "STORED\r\n",
                "VALUE a 7 4\r\nabcd\r\nEND\r\n", "VALUE a 7 4\r\nabcd\r\nEND\r\n", "TOUCHED\r\n",
                "VALUE a 7 4\r\nabcd\r\nEND\r\n", "DELETED\r\n", "END\r\n", "END\r\n",
            ]
        },
        {
            ["set a 1 0 3 noreply\r\nxyz\r\n", "get a\r\nget b\r\n"],
            ["VALUE a 1 3\r\nxyz\r\nEND\r\n", "END\r\n"]
        },
        {
            ["set a 1 0 3\r\nabcd\r\n", "set a 1 0 -1\r\n\r\n", "set a 1 0\r\n\r\n", "get a\r\n"],
            [
                "CLIENT_ERROR bad data chunk\r\n", "ERROR\r\n",
                "CLIENT_ERROR bad command line format\r\n", "ERROR\r\n", "ERROR\r\n", "ERROR\r\n", "END\r\n",
            ]
        },
        {
            ["set a -1 0 1\r\n", "set a 4294967297 0 1\r\nx\r\n", "get a\r\n", "set a x 0 1\r\n"],
            [
                "CLIENT_ERROR bad command line format\r\n", "STORED\r\n", "VALUE a 1 1\r\nx\r\nEND\r\n",
                "CLIENT_ERROR bad command line format\r\n",
            ]
        },
        {
            [
                "add a 1 0 1\r\nx\r\n", "add a 1 0 1\r\ny\r\n", "replace a 2 0 1\r\nz\r\n", "replace b 2 0 1\r\nz\r\n",
            ],
            ["STORED\r\n", "NOT_STORED\r\n", "STORED\r\n", "NOT_STORED\r\n"]
        },
        {
            [
                "append a 0 0 1\r\nx\r\n", "set a 5 0 2\r\nbc\r\n", "append a 0 0 3\r\ndef\r\n",
                "prepend a 0 0 1\r\na\r\n", "gets a\r\n",
            ],
            ["NOT_STORED\r\n", "STORED\r\n", "STORED\r\n", "STORED\r\n", "VALUE a 5 6 3\r\nabcdef\r\nEND\r\n"]
        },
        {
            [
                "cas a 0 0 1 1\r\nx\r\n", "set a 0 0 1\r\nx\r\n", "cas a 3 0 1 2\r\ny\r\n", "cas a 3 0 1 1\r\ny\r\n",
                "cas a 3 0 1 0\r\nz\r\n", "gets a\r\n",
            ],
            [
                "NOT_FOUND\r\n", "STORED\r\n", "EXISTS\r\n", "STORED\r\n", "EXISTS\r\n",
                "VALUE a 3 1 2\r\ny\r\nEND\r\n",
            ]
        },
        {
            [
                "delete a\r\n", "set a 0 0 1\r\nx\r\n", "delete a 0\r\n", "delete a 1\r\n", "delete a noreply\r\n",
                "delete a 0 noreply\r\n", "delete\r\n", "delete a 0 b c\r\n",
            ],
            [
                "NOT_FOUND\r\n", "STORED\r\n", "DELETED\r\n",
                "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]\r\n", "ERROR\r\n", "ERROR\r\n",
            ]
        },
        {
            [
                "incr n 1\r\n", "set n 0 0 2\r\n99\r\n", "incr n 1\r\n", "decr n 98\r\n", "get n\r\n", "decr n 5\r\n",
                "incr n x\r\n", "incr n -1\r\n", "incr n 18446744073709551615\r\n", "incr n 18446744073709551616\r\n",
                "incr n 2\r\n", "incr n 1 noreply\r\n", "gets n\r\n",
            ],
            [
                "NOT_FOUND\r\n", "STORED\r\n", "100\r\n", "2\r\n", "VALUE n 0 3\r\n2  \r\nEND\r\n", "0\r\n",
                "CLIENT_ERROR invalid numeric delta argument\r\n", "CLIENT_ERROR invalid numeric delta argument\r\n",
                "18446744073709551615\r\n", "CLIENT_ERROR invalid numeric delta argument\r\n", "1\r\n",
                "VALUE n 0 20 7\r\n2                   \r\nEND\r\n",
            ]
        },
        {
            ["set n 0 0 2\r\n9x\r\n", "incr n 1\r\n", "set n 0 0 0\r\n\r\n", "decr n 1\r\n"],
            [
                "STORED\r\n", "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n",
                "STORED\r\n", "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n",
            ]
        },
        {
            [
                "touch n 100\r\n", "set n 0 0 1\r\n1\r\n", "touch n x\r\n", "gat 100 n a\r\n", "gat x n\r\n",
                "gat 100\r\n", "touch n 100\r\n", "gats 0 n\r\n", "touch n -1\r\n", "get n\r\n",
            ],
            [
                "NOT_FOUND\r\n", "STORED\r\n", "CLIENT_ERROR invalid exptime argument\r\n",
                "VALUE n 0 1\r\n1\r\n", "END\r\n", "CLIENT_ERROR invalid exptime argument\r\n", "END\r\n",
                "TOUCHED\r\n", "VALUE n 0 1 1\r\n1\r\nEND\r\n", "TOUCHED\r\n", "END\r\n",
            ]
        },
        {
            [
                "set n 0 0 1\r\n1\r\n", "flush_all\r\n", "get n\r\n", "set n 0 0 1\r\n1\r\n", "gets n\r\n",
                "flush_all 10\r\n",
                "flush_all x\r\n", "flush_all noreply\r\n", "flush_all 0 noreply\r\n", "flush_all -1\r\n",
            ],
            [
                "STORED\r\n", "OK\r\n", "END\r\n", "STORED\r\n", "VALUE n 0 1 3\r\n1\r\nEND\r\n", "OK\r\n",
                "CLIENT_ERROR invalid exptime argument\r\n", "OK\r\n",
            ]
        },
        {
            [
                "version\r\n", "version foo\r\n", "verbosity 0\r\n", "verbosity\r\n", "verbosity x\r\n",
                "verbosity 0 noreply\r\n", "stats x\r\n", "quit\r\nversion\r\n",
            ],
            [
                "VERSION 1.6.18\r\n", "VERSION 1.6.18\r\n", "OK\r\n", "ERROR\r\n",
                "CLIENT_ERROR bad command line format\r\n", "ERROR\r\n",
            ]
        },
        {
            ["get\r\n", "get \r\n", "\r\n", "\n", "foo\r\n", "f\r\n", "GET a\r\n", "get a"],
            ["ERROR\r\n", "ERROR\r\n", "ERROR\r\n", "ERROR\r\n", "ERROR\r\n", "ERROR\r\n", "ERROR\r\n"]
        },
    };

    [Theory, MemberData(nameof(Conversations))]
    public void Requests_have_their_answers(string[] requests, string[] answers) =>
        Assert.Equal(answers, requests.SelectMany(Ask));

    [Fact]
    public void A_key_of_250_bytes_is_one_and_a_longer_is_not()
    {
        var key = new string('k', 250);
        Assert.Equal(["STORED\r\n"], Ask($"set {key} 0 0 1\r\nx\r\n"));
        Assert.Equal([$"VALUE {key} 0 1\r\nx\r\nEND\r\n"], Ask($"get {key}\r\n"));
        string[] commands =
            ["get a {0}", "gat 0 {0}", "delete {0}", "touch {0} 0", "incr {0} 1", "set {0} 0 0 1"];
        foreach (var command in commands)
            Assert.Equal(
                ["CLIENT_ERROR bad command line format\r\n"],
                Ask(command.Replace("{0}", key + "k", StringComparison.Ordinal) + "\r\n"));
    }

    [Fact]
    public void A_long_answer_goes_in_several_datagrams()
    {
        var value = new byte[1440];
        new Random(1).NextBytes(value);
        AskDatagram([0, 0, 0, 0, 0, 1, 0, 0, .. "set a 0 0 1440\r\n"u8, .. value, .. "\r\n"u8]);
        var answers = AskDatagram([7, 8, 0, 0, 0, 1, 0, 0, .. "get a\r\n"u8]);
        Assert.Equal([1400, 79], answers.Select(answer => answer.Length));
        Assert.Equal(["0708000000020000", "0708000100020000"], answers.Select(a => Convert.ToHexString(a[..8])));
        Assert.Equal(
            [.. "VALUE a 0 1440\r\n"u8, .. value, .. "\r\nEND\r\n"u8], answers.SelectMany(answer => answer[8..]));
    }

    [Fact]
    public void What_is_no_request_is_dropped_and_counted()
    {
        Assert.Empty(AskDatagram([0, 0, 0, 0, 0, 1, 0, 0]));
        Assert.Empty(AskDatagram([0, 0, 0, 0, 0, 2, 0, 0, .. "get a\r\n"u8]));
        Assert.Empty(AskDatagram([0, 0, 0, 0, 0, 0, 0, 0, .. "get a\r\n"u8]));
        Assert.Equal(3UL, Counters.NotRequests.Value);
        Assert.Empty(Ask("get a"));
        Assert.Empty(Ask("set a 0 0 5\r\nabc\r\n"));
        Assert.Equal(2UL, Counters.CutOff.Value);
    }

    [Fact]
    public void A_request_over_IPv6_has_its_answer()
    {
        var sent = Assert.Single(_host.Run.Receive(
            0,
            Packet.Ethernet(MemcachedHost.PeerMac, MemcachedHost.Mac)
                .IPv6(MemcachedHost.Peer6, MemcachedHost.IP6).Udp(4000, 11211)
                .Payload([1, 2, 0, 0, 0, 1, 0, 0, .. "version\r\n"u8])));
        PacketAssert.Equal(
            Packet.Ethernet(MemcachedHost.Mac, MemcachedHost.PeerMac)
                .IPv6(MemcachedHost.IP6, MemcachedHost.Peer6).Udp(11211, 4000)
                .Payload([1, 2, 0, 0, 0, 1, 0, 0, .. "VERSION 1.6.18\r\n"u8]),
            sent.Bytes.ToArray());
    }

    [Theory]
    [InlineData("10", 9, true)]
    [InlineData("10", 10, false)]
    [InlineData("0", 100_000_000, true)]
    [InlineData("2592000", 2_591_999, true)]
    [InlineData("2592000", 2_592_000, false)]
    [InlineData("2592001", 0, false)]
    [InlineData("1700000005", 4, true)]
    [InlineData("1700000005", 5, false)]
    [InlineData("-1", 0, false)]
    public void An_item_expires(string expiry, int after, bool isThere)
    {
        Ask($"set a 0 {expiry} 1\r\nx\r\n");
        _host.Seconds += (ulong)after;
        Assert.Equal([isThere ? "VALUE a 0 1\r\nx\r\nEND\r\n" : "END\r\n"], Ask("get a\r\n"));
        Assert.Equal([isThere ? "NOT_STORED\r\n" : "STORED\r\n"], Ask("add a 0 0 1\r\ny\r\n"));
    }

    [Fact]
    public void A_flush_can_be_due_later()
    {
        Ask("set a 0 0 1\r\nx\r\n");
        Ask("flush_all 10\r\n");
        _host.Seconds += 8;
        Assert.Equal(["VALUE a 0 1\r\nx\r\nEND\r\n"], Ask("get a\r\n"));
        _host.Seconds += 1;
        Assert.Equal(["END\r\n"], Ask("get a\r\n"));
        Ask("set a 0 0 1\r\nx\r\n");
        _host.Seconds += 100;
        Assert.Equal(["VALUE a 0 1\r\nx\r\nEND\r\n"], Ask("get a\r\n"));
    }

    [Theory]
    [InlineData("10", 9, true)]
    [InlineData("10", 10, false)]
    [InlineData("0", 100_000_000, true)]
    [InlineData("1700000005", 4, true)]
    [InlineData("1700000005", 5, false)]
    public void An_item_that_was_asked_for_expires_as_any(string expiry, int after, bool isThere)
    {
        Ask($"set a 0 {expiry} 1\r\nx\r\n");
        for (var i = 0; i < 3; i++) Assert.Equal(["VALUE a 0 1\r\nx\r\nEND\r\n"], Ask("get a\r\n"));
        _host.Seconds += (ulong)after;
        Assert.Equal([isThere ? "VALUE a 0 1\r\nx\r\nEND\r\n" : "END\r\n"], Ask("get a\r\n"));
        Assert.Equal(isThere ? (4UL, 0UL) : (3, 1), (Counters.GetHits.Value, Counters.GetMisses.Value));
    }

    [Fact]
    public void An_item_that_was_asked_for_is_flushed_as_any()
    {
        Ask("set a 0 0 1\r\nx\r\n");
        for (var i = 0; i < 3; i++) Assert.Equal(["VALUE a 0 1\r\nx\r\nEND\r\n"], Ask("get a\r\n"));
        Ask("flush_all 10\r\n");
        _host.Seconds += 8;
        Assert.Equal(["VALUE a 0 1\r\nx\r\nEND\r\n"], Ask("get a\r\n"));
        _host.Seconds += 1;
        Assert.Equal(["END\r\n"], Ask("get a\r\n"));
    }

    [Fact]
    public void An_item_that_is_asked_for_again_is_used()
    {
        for (var i = 0; i < 64; i++)
        {
            Ask($"set k{i} 0 0 2\r\n{i:00}\r\n");
            Ask($"get k{i}\r\n");
        }
        Assert.Equal(["VALUE k0 0 2\r\n00\r\nEND\r\n"], Ask("get k0\r\n"));
        Ask("set new 0 0 1\r\nx\r\n");
        Assert.Equal(["VALUE k0 0 2\r\n00\r\nEND\r\n"], Ask("get k0\r\n"));
        Assert.Equal(["END\r\n"], Ask("get k1\r\n"));
    }

    [Fact]
    public void The_item_used_longest_ago_makes_room()
    {
        for (var i = 0; i < 64; i++) Assert.Equal(["STORED\r\n"], Ask($"set k{i} 0 0 2\r\n{i:00}\r\n"));
        Assert.Equal(["VALUE k0 0 2\r\n00\r\nEND\r\n"], Ask("get k0\r\n"));
        Assert.Equal(["STORED\r\n"], Ask($"set long 0 0 100\r\n{new string('x', 100)}\r\n")); // two chunks
        Assert.Equal(2UL, Counters.Evictions.Value);
        Assert.Equal(["VALUE k0 0 2\r\n00\r\n", "END\r\n"], Ask("get k1 k0 k2\r\n"));
        Assert.Equal(["VALUE k3 0 2\r\n03\r\nEND\r\n"], Ask("get k3\r\n"));
    }

    [Fact]
    public void The_items_are_those_of_a_dictionary()
    {
        var (random, items) = (new Random(1), new Dictionary<string, string>());
        for (var i = 0; i < 20_000; i++)
        {
            var key = new string((char)('a' + random.Next(8)), random.Next(1, 3) == 1 ? random.Next(1, 4) : 100);
            switch (random.Next(4))
            {
                case 0:
                    items[key] = new string((char)('a' + random.Next(26)), random.Next(60));
                    Assert.Equal(["STORED\r\n"], Ask($"set {key} 0 0 {items[key].Length}\r\n{items[key]}\r\n"));
                    break;
                case 1 when items.Count > 15 || random.Next(4) == 0:
                    Assert.Equal([items.Remove(key) ? "DELETED\r\n" : "NOT_FOUND\r\n"], Ask($"delete {key}\r\n"));
                    break;
                default:
                    Assert.Equal(
                        [
                            items.TryGetValue(key, out var value)
                                ? $"VALUE {key} 0 {value.Length}\r\n{value}\r\nEND\r\n"
                                : "END\r\n",
                        ],
                        Ask($"get {key}\r\n"));
                    break;
            }
        }
    }

    [Fact]
    public void Answers_much_longer_than_their_requests_are_limited()
    {
        Ask($"set a 0 0 1000\r\n{new string('x', 1000)}\r\n");
        var answered = Enumerable.Range(0, 1000).Sum(_ => Ask("get a\r\n").Length);
        Assert.Equal(125_000 / (42 + 8 + 1016 + 7), answered); // what may be sent at once
        Assert.Equal(1000UL - (ulong)answered, Counters.Limited.Value);
        Ask("set b 0 0 2\r\nxy\r\n");
        Assert.Equal(["VALUE b 0 2\r\nxy\r\nEND\r\n"], Ask("get b\r\n")); // not much longer
        _host.Seconds++;
        Assert.Single(Ask("get a\r\n"));
    }

    [Fact]
    public void Statistics_count_what_was_done()
    {
        string[] requests =
        [
            "set a 0 0 1\r\nx\r\n", "add a 0 0 1\r\ny\r\n", "get a b c\r\n", "gat 0 a\r\n", "touch b 0\r\n",
            "delete b\r\n", "set n 0 0 1\r\n5\r\n", "incr n 1\r\n", "incr m 1\r\n", "decr n 1\r\n", "decr m 1\r\n",
            "cas n 0 0 1 1\r\ny\r\n", "cas n 0 0 1 4\r\ny\r\n", "cas m 0 0 1 4\r\ny\r\n", "flush_all\r\n", "foo\r\n",
            "set a 0 0 0\r\n\r\n", "delete a\r\n",
        ];
        foreach (var request in requests) Ask(request);
        Assert.Equal(
            """
            STAT time 1700000000
            STAT version 1.6.18
            STAT cmd_get 4
            STAT cmd_set 7
            STAT cmd_flush 1
            STAT cmd_touch 2
            STAT get_hits 2
            STAT get_misses 2
            STAT delete_misses 1
            STAT delete_hits 1
            STAT incr_misses 1
            STAT incr_hits 1
            STAT decr_misses 1
            STAT decr_hits 1
            STAT cas_misses 1
            STAT cas_hits 1
            STAT cas_badval 1
            STAT touch_hits 1
            STAT touch_misses 1
            STAT limit_maxbytes 4096
            STAT bytes 64
            STAT curr_items 1
            STAT total_items 4
            STAT evictions 0
            END

            """.ReplaceLineEndings("\r\n"),
            Assert.Single(Ask("stats\r\n")));
        Assert.Equal(1UL, Counters.Errors.Value);
    }

    [Fact]
    public void The_answers_to_one_request_are_limited_together()
    {
        Ask($"set a 0 0 1000\r\n{new string('x', 1000)}\r\n");
        var request = $"get{string.Concat(Enumerable.Repeat(" a", 600))}\r\n";
        Assert.InRange(Ask(request).Length, 125_000 / 1100, 130_000 / 1000);
        Assert.NotEqual(0UL, Counters.Limited.Value);
    }
}
