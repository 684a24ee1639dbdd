using Emu.Protocols;
using Emu.Testing;

namespace Emu.Services.Tests;

/// <summary>The answers of the cache to requests of the binary protocol.</summary>
public sealed class MemcachedBinaryTests
{
    private const string NotFound = "[] [] [Not found] 0";
    private const string Exists = "[] [] [Data exists for key.] 0";
    private const string BadArguments = "[] [] [Invalid arguments] 0";
    private const string Done = "[] [] [] 0";

    private readonly MemcachedHost _host = new();

    private static byte[] Time(uint expiry) => [.. Bytes(expiry)];

    private static byte[] Store(uint flags, uint expiry = 0) => [.. Bytes(flags), .. Bytes(expiry)];

    private static byte[] Count(uint delta, uint initial = 0, uint expiry = 0) =>
        [0, 0, 0, 0, .. Bytes(delta), 0, 0, 0, 0, .. Bytes(initial), .. Bytes(expiry)];

    private static byte[] Bytes(uint n) => [(byte)(n >> 24), (byte)(n >> 16), (byte)(n >> 8), (byte)n];

    private static Packet Request(
        MemcachedOpcode opcode, string key = "", byte[]? extras = null, string value = "", ulong unique = 0) =>
        Packet.Bare.MemcachedRequest((byte)opcode, key, extras, value, unique, opaque: 7);

    public static TheoryData<string, Packet[], string[]> Conversations => new()
    {
        {
            "get",
            [
                Request(MemcachedOpcode.Get, "a"), Request(MemcachedOpcode.GetWithKey, "a"),
                Request(MemcachedOpcode.GetQuietly, "a"), Request(MemcachedOpcode.GetWithKeyQuietly, "a"),
                Request(MemcachedOpcode.Set, "a", Store(5), "value"),
                Request(MemcachedOpcode.Get, "a"), Request(MemcachedOpcode.GetWithKey, "a", unique: 99),
                Request(MemcachedOpcode.GetQuietly, "a"), Request(MemcachedOpcode.GetWithKeyQuietly, "a"),
            ],
            [
                $"00 01 {NotFound}", "0C 01 [] [a] [] 0", "01 00 [] [] [] 1",
                "00 00 [00000005] [] [value] 1", "0C 00 [00000005] [a] [value] 1", "09 00 [00000005] [] [value] 1",
                "0D 00 [00000005] [a] [value] 1",
            ]
        },
        {
            "set, add, replace",
            [
                Request(MemcachedOpcode.Replace, "a", Store(0), "x"), Request(MemcachedOpcode.Add, "a", Store(1), "y"),
                Request(MemcachedOpcode.AddQuietly, "a", Store(2), "z"),
                Request(MemcachedOpcode.ReplaceQuietly, "a", Store(3), ""),
                Request(MemcachedOpcode.SetQuietly, "b", Store(4), "b"),
                Request(MemcachedOpcode.Get, "a"), Request(MemcachedOpcode.Get, "b"),
            ],
            [
                $"03 01 {NotFound}", "02 00 [] [] [] 1", $"12 02 {Exists}",
                "00 00 [00000003] [] [] 2", "00 00 [00000004] [] [b] 3",
            ]
        },
        {
            "unique numbers",
            [
                Request(MemcachedOpcode.Set, "a", Store(0), "x", unique: 9),
                Request(MemcachedOpcode.Set, "a", Store(0), "x"),
                Request(MemcachedOpcode.Set, "a", Store(0), "y", unique: 9),
                Request(MemcachedOpcode.Add, "a", Store(0), "y", unique: 1),
                Request(MemcachedOpcode.Append, "a", null, "z", unique: 1),
                Request(MemcachedOpcode.Append, "a", null, "z", unique: 2),
                Request(MemcachedOpcode.Delete, "a", unique: 2), Request(MemcachedOpcode.Delete, "a", unique: 3),
            ],
            [
                $"01 01 {NotFound}", "01 00 [] [] [] 1", $"01 02 {Exists}", "02 00 [] [] [] 2",
                $"0E 02 {Exists}", "0E 00 [] [] [] 3", $"04 02 {Exists}", $"04 00 {Done}",
            ]
        },
        {
            "append, prepend",
            [
                Request(MemcachedOpcode.Append, "a", null, "x"), Request(MemcachedOpcode.Set, "a", Store(6), "b"),
                Request(MemcachedOpcode.AppendQuietly, "a", null, "c"),
                Request(MemcachedOpcode.Prepend, "a", null, "a"),
                Request(MemcachedOpcode.Get, "a"), Request(MemcachedOpcode.PrependQuietly, "q", null, "a"),
            ],
            [
                "0E 05 [] [] [Not stored.] 0", "01 00 [] [] [] 1", "0F 00 [] [] [] 3",
                "00 00 [00000006] [] [abc] 3", "1A 05 [] [] [Not stored.] 0",
            ]
        },
        {
            "delete",
            [
                Request(MemcachedOpcode.Delete, "a"), Request(MemcachedOpcode.DeleteQuietly, "a"),
                Request(MemcachedOpcode.SetQuietly, "a", Store(0)), Request(MemcachedOpcode.DeleteQuietly, "a"),
                Request(MemcachedOpcode.Get, "a"),
            ],
            [$"04 01 {NotFound}", $"14 01 {NotFound}", $"00 01 {NotFound}"]
        },
        {
            "increment, decrement",
            [
                Request(MemcachedOpcode.Increment, "n", Count(1, 10, uint.MaxValue)),
                Request(MemcachedOpcode.Increment, "n", Count(1, 10)),
                Request(MemcachedOpcode.Increment, "n", Count(2)),
                Request(MemcachedOpcode.DecrementQuietly, "n", Count(3)),
                Request(MemcachedOpcode.Get, "n"), Request(MemcachedOpcode.Decrement, "n", Count(100)),
                Request(MemcachedOpcode.Increment, "n", Count(1), unique: 1),
                Request(MemcachedOpcode.Set, "n", Store(0), "x"), Request(MemcachedOpcode.Increment, "n", Count(1)),
                Request(MemcachedOpcode.Set, "n", Store(0)),
                Request(MemcachedOpcode.Increment, "n", Count(1), unique: 1),
            ],
            [
                $"05 01 {NotFound}", "05 00 [] [] [000000000000000A] 1", "05 00 [] [] [000000000000000C] 2",
                "00 00 [00000000] [] [9 ] 3", "06 00 [] [] [0000000000000000] 4", $"05 02 {Exists}",
                "01 00 [] [] [] 5", "05 06 [] [] [Non-numeric server-side value for incr or decr] 0",
                "01 00 [] [] [] 6", "05 06 [] [] [Non-numeric server-side value for incr or decr] 0",
            ]
        },
        {
            "touch, gat",
            [
                Request(MemcachedOpcode.Touch, "a", Time(0)), Request(MemcachedOpcode.GetAndTouch, "a", Time(0)),
                Request(MemcachedOpcode.GetAndTouchQuietly, "a", Time(0)),
                Request(MemcachedOpcode.GetWithKeyAndTouch, "a", Time(0)),
                Request(MemcachedOpcode.SetQuietly, "a", Store(8), "v"), Request(MemcachedOpcode.Touch, "a", Time(9)),
                Request(MemcachedOpcode.GetAndTouchQuietly, "a", Time(9)),
                Request(MemcachedOpcode.GetWithKeyAndTouchQuietly, "a", Time(1_600_000_000)),
                Request(MemcachedOpcode.Get, "a"),
            ],
            [
                $"1C 01 {NotFound}", $"1D 01 {NotFound}", "23 01 [] [a] [] 0", "1C 00 [00000008] [] [] 1",
                "1E 00 [00000008] [] [v] 1", "24 00 [00000008] [a] [v] 1", $"00 01 {NotFound}",
            ]
        },
        {
            "flush",
            [
                Request(MemcachedOpcode.SetQuietly, "a", Store(0), "v"), Request(MemcachedOpcode.Flush),
                Request(MemcachedOpcode.Get, "a"), Request(MemcachedOpcode.Set, "a", Store(0), "v"),
                Request(MemcachedOpcode.Flush, "", Time(10)), Request(MemcachedOpcode.Get, "a"),
                Request(MemcachedOpcode.FlushQuietly, "", Time(0)), Request(MemcachedOpcode.Get, "a"),
                Request(MemcachedOpcode.Flush, "k"), Request(MemcachedOpcode.Flush, "", Store(0)),
            ],
            [
                $"08 00 {Done}", $"00 01 {NotFound}", "01 00 [] [] [] 3", $"08 00 {Done}",
                "00 00 [00000000] [] [v] 3", $"00 01 {NotFound}", $"08 04 {BadArguments}", $"08 04 {BadArguments}",
            ]
        },
        {
            "the rest",
            [
                Request(MemcachedOpcode.Version), Request(MemcachedOpcode.NoOperation), Request(MemcachedOpcode.Quit),
                Request(MemcachedOpcode.QuitQuietly), Request(MemcachedOpcode.Statistics, "x"),
                Request((MemcachedOpcode)0x1B), Request((MemcachedOpcode)0xFF, "k", null, "v"),
            ],
            [
                "0B 00 [] [] [1.6.18] 0", $"0A 00 {Done}", $"07 00 {Done}", $"10 01 {NotFound}",
                "1B 81 [] [] [Unknown command] 0", "FF 81 [] [] [Unknown command] 0",
            ]
        },
        {
            "wrong lengths",
            [
                Request(MemcachedOpcode.Get), Request(MemcachedOpcode.Get, "a", Time(0)),
                Request(MemcachedOpcode.Get, "a", null, "v"), Request(MemcachedOpcode.Set, "a"),
                Request(MemcachedOpcode.Set, "", Store(0)), Request(MemcachedOpcode.Touch, "a"),
                Request(MemcachedOpcode.Increment, "a", Time(0)), Request(MemcachedOpcode.Version, "a"),
                Request(MemcachedOpcode.NoOperation, "", Time(0)), Request(MemcachedOpcode.Append, "a", Time(0)),
                Request(MemcachedOpcode.Get, new string('k', 251)), Request(MemcachedOpcode.Get, new string('k', 250)),
            ],
            [
                $"00 04 {BadArguments}", $"00 04 {BadArguments}", $"00 04 {BadArguments}", $"01 04 {BadArguments}",
                $"01 04 {BadArguments}", $"1C 04 {BadArguments}", $"05 04 {BadArguments}", $"0B 04 {BadArguments}",
                $"0A 04 {BadArguments}", $"0E 04 {BadArguments}", $"00 04 {BadArguments}", $"00 01 {NotFound}",
            ]
        },
    };

    [Theory, MemberData(nameof(Conversations))]
    public void Requests_have_their_answers(string what, Packet[] requests, string[] answers)
    {
        Assert.NotEmpty(what);
        Assert.Equal(answers, requests.SelectMany(_host.AskBinary));
    }

    [Fact]
    public void Requests_of_a_datagram_are_answered_one_after_another() => Assert.Equal(
        ["01 00 [] [] [] 1", "0D 00 [00000002] [b] [w] 2", "00 00 [00000001] [] [v] 1", $"0A 00 {Done}"],
        _host.AskBinary(
            Request(MemcachedOpcode.Set, "a", Store(1), "v")
                .Payload(Request(MemcachedOpcode.SetQuietly, "b", Store(2), "w"))
                .Payload(Request(MemcachedOpcode.GetQuietly, "z"))
                .Payload(Request(MemcachedOpcode.GetWithKeyQuietly, "b"))
                .Payload(Request(MemcachedOpcode.Get, "a"))
                .Payload(Request(MemcachedOpcode.NoOperation))));

    [Theory]
    [InlineData(MemcachedOpcode.Quit)]
    [InlineData(MemcachedOpcode.Get)]
    public void Behind_an_end_or_a_wrong_length_nothing_is_read(MemcachedOpcode opcode) =>
        Assert.Single(_host.AskBinary(Request(opcode).Payload(Request(MemcachedOpcode.NoOperation))));

    [Fact]
    public void Statistics_are_an_answer_each()
    {
        _host.Ask("set a 0 0 1\r\nx\r\n");
        var lines = _host.AskBinary(Request(MemcachedOpcode.Statistics));
        Assert.Equal(25, lines.Length);
        Assert.Contains("10 00 [] [cmd_set] [1] 0", lines);
        Assert.Contains("10 00 [] [version] [1.6.18] 0", lines);
        Assert.Equal($"10 00 {Done}", lines[^1]);
    }

    [Fact]
    public void Both_protocols_have_the_same_items()
    {
        _host.Ask("set a 7 0 1\r\nx\r\n");
        Assert.Equal(["0C 00 [00000007] [a] [x] 1"], _host.AskBinary(Request(MemcachedOpcode.GetWithKey, "a")));
        _host.AskBinary(Request(MemcachedOpcode.Append, "a", null, "y"));
        Assert.Equal(["VALUE a 7 2 2\r\nxy\r\nEND\r\n"], _host.Ask("gets a\r\n"));
    }

    [Fact]
    public void A_server_of_one_protocol_drops_requests_of_the_other()
    {
        var (text, binary) = (new MemcachedHost(Protocol.Ascii), new MemcachedHost(Protocol.Binary));
        Assert.Single(text.Ask("version\r\n"));
        Assert.Empty(text.AskBinary(Request(MemcachedOpcode.Version)));
        Assert.Single(binary.AskBinary(Request(MemcachedOpcode.Version)));
        Assert.Empty(binary.Ask(new string('x', 30)));
        Assert.Equal((1UL, 1UL), (text.Service.Server.CutOff.Value, binary.Service.Server.NotRequests.Value));
    }

    [Theory]
    [InlineData(9, true)]
    [InlineData(10, false)]
    public void An_item_expires(int after, bool isThere)
    {
        _host.AskBinary(Request(MemcachedOpcode.Set, "a", Store(0, 10), "v"));
        _host.AskBinary(Request(MemcachedOpcode.Increment, "n", Count(1, 1, 10)));
        _host.Seconds += (ulong)after;
        Assert.Equal(isThere, !_host.AskBinary(Request(MemcachedOpcode.Get, "a"))[0].Contains("Not found"));
        Assert.Equal(isThere, !_host.AskBinary(Request(MemcachedOpcode.Get, "n"))[0].Contains("Not found"));
    }

    [Fact]
    public void What_is_no_request_is_dropped_and_counted()
    {
        var get = Request(MemcachedOpcode.Get, "a").ToArray();
        byte[] Frame(byte[] request) => [0, 0, 0, 0, 0, 1, 0, 0, .. request];
        Assert.Empty(_host.AskDatagram(Frame(get[..23])));
        Assert.Empty(_host.AskDatagram(Frame(get[..24])));
        var set = Request(MemcachedOpcode.Set, "a", Store(0), "value").ToArray();
        Assert.Empty(_host.AskDatagram(Frame(set[..^1])));
        Assert.Equal(3UL, _host.Service.Server.CutOff.Value);
        Assert.Single(_host.AskDatagram(Frame([.. get, .. get[..5]])));
        Assert.Single(_host.AskDatagram(Frame([.. get, 0x81, .. get[1..]])));
        Assert.Equal((4UL, 1UL), (_host.Service.Server.CutOff.Value, _host.Service.Server.NotRequests.Value));
    }

    [Theory]
    [InlineData(0u)]
    [InlineData(uint.MaxValue)]
    public void Lengths_that_cannot_be_are_an_unknown_command(uint bodyLength)
    {
        var get = Request(MemcachedOpcode.Get, "a").ToArray();
        Bytes(bodyLength).CopyTo(get, 8);
        var answer = Assert.Single(_host.AskDatagram([0, 0, 0, 0, 0, 1, 0, 0, .. get, .. get]));
        Assert.Equal(bodyLength == 0 ? "0081" : "0004", Convert.ToHexString(answer[14..16]));
    }
}
