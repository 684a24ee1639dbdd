using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Emu.Protocols;
using Emu.Services;
using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>The cache beside memcached: the same datagrams have the same answers.</summary>
public sealed class MemcachedTests
{
    private const int Port = 11211;

    /// <summary>
    /// The last is that of a number, and read alone: after an answer that ends with keys that are not there, memcached
    /// 1.6 keeps its item, so that a number which gets shorter is not filled up.
    /// </summary>
    private static readonly string[] s_keys = ["a", "bb", new string('k', 250), "n"];
    private static readonly string[] s_numbers =
        ["0", "1", "5", "-1", "x", "18446744073709551615", "4294967297", "+7"];

    /// <summary>Requests that a generator would hardly make.</summary>
    private static readonly string[] s_requests =
    [
        "get a", "get\r\n", "get \r\n", "\r\n", "\n", "f\r\n", "foo a\r\n", "GET a\r\n", "get a\n", "get  a  b \r\n",
        "get " + new string('k', 251) + "\r\n", "set " + new string('k', 251) + " 0 0 1\r\n",
        "gat 0 " + new string('k', 251) + "\r\n",
        "set a 0 0 1 noreply x\r\n", "set a 0 0 1 quiet\r\nx\r\n", "set a 0 0 1\nx\r\n", "set a 0 0 1\r\nx\n\n",
        "set a 0 0 2147483646\r\n\r\n", "set a 0 0 -2147483649\r\n", "set a 0 0 4294967298\r\nab\r\n", "get a\r\n",
        "set a 0 99999999999999999999 1\r\n", "set a 0 0 3 noreply\r\nabcd\r\n", "incr a\r\n", "decr a 1 2 3\r\n",
        "set n 0 0 20\r\n18446744073709551615\r\n", "incr n 2\r\n", "get n\r\n",
        "set n 0 0 21\r\n184467440737095516150\r\n",
        "incr n 1\r\n", "set n 0 0 3\r\n1 x\r\n", "incr n 1\r\n", "get n\r\n",
        "set n 0 0 3\r\n 12\r\n", "decr n 3\r\n",
        "get n\r\n", "set n 0 0 2\r\n-1\r\n", "incr n 2\r\n", "delete n 1\r\n", "delete n noreply noreply\r\n",
        "delete n 0 noreply\r\n", "delete n a b c\r\n", "flush_all x\r\n", "flush_all 0 0\r\n", "flush_all noreply\r\n",
        "verbosity\r\n", "verbosity x\r\n", "verbosity noreply\r\n", "verbosity 0\r\n",
        "version 1 2\r\n", "touch n\r\n",
        "gat x a\r\n", "gat 0\r\n",
    ];

    [Fact]
    public void Its_answers_are_those_of_memcached() => Compare(
        random => s_requests.Where(request => request.EndsWith('\n'))
            .Concat(Enumerable.Range(0, 1500).Select(_ => RandomRequest(random))).Select(Encoding.Latin1.GetBytes));

    /// <summary>
    /// Requests of both protocols, several a datagram first: once memcached has said that arguments are invalid, it
    /// does not read on behind other errors either.
    /// </summary>
    [Fact]
    public void Its_answers_are_those_of_memcached_in_both_protocols() => Compare(
        random => Enumerable.Range(0, 1500).Select(i =>
            i % 3 == 0 ? Encoding.Latin1.GetBytes(RandomRequest(random))
            : i < 500 ? RandomBinary.Requests(random, s_keys[..3])
            : RandomBinary.Request(random, s_keys, mayBeInvalid: i > 1000)));

    [Fact]
    public void Its_statistics_have_the_names_of_memcached() => Beside((theirs, ours) =>
    {
        var names = Names(theirs, "stats\r\n"u8.ToArray());
        var own = Names(ours, "stats\r\n"u8.ToArray()).ToList();
        Assert.Equal(own, names.Intersect(own));
        byte[] request = Packet.Bare.MemcachedRequest((byte)MemcachedOpcode.Statistics);
        Assert.Equal(Ask(theirs, request)[^1][^24..], Ask(ours, request)[^1][^24..]);
    });

    [Fact]
    public void Memcaslap_reads_what_it_has_stored()
    {
        Needs.Network("memcaslap");
        using var network = Network();
        var result = network.Hosts[0].Do(
            "memcaslap",
            ["-s", $"10.0.0.77:{Port}", "-U", "-T", "1", "-c", "1", "-w", "1k", "-X", "100", "-x", "1000"]);
        Assert.Contains("get_misses: 0", result, StringComparison.Ordinal);
        Assert.Empty(network.Look().Faults);
    }

    private static ServiceNetwork Network() =>
        new(
            PortKind.Tap,
            new Memcached(IPv4Address.Parse("10.0.0.77"), MacAddress.Parse("02:00:00:00:00:77"), rate: 0), 1);

    private static Socket Client(TestHost host, string address) => host.Inside(() =>
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp)
        {
            ReceiveTimeout = (int)Until.Limit.TotalMilliseconds,
        };
        socket.Connect(new IPEndPoint(IPAddress.Parse(address), Port));
        return socket;
    });

    /// <summary>Holds the answers to some requests to those of memcached.</summary>
    private static void Compare(Func<Random, IEnumerable<byte[]>> requests) => Beside((theirs, ours) =>
    {
        foreach (var request in requests(new Random(1)))
        {
            var (expected, answers) = (Ask(theirs, request), Ask(ours, request));
            Assert.True(
                expected.Select(Convert.ToHexString).SequenceEqual(answers.Select(Convert.ToHexString)),
                $"to {Text(request)}\nmemcached: {string.Join(" | ", expected.Select(Text))}\n"
                    + $"here: {string.Join(" | ", answers.Select(Text))}");
        }
    });

    /// <summary>Runs memcached and the cache beside it.</summary>
    private static void Beside(Action<Socket, Socket> compare)
    {
        Needs.Network("memcached");
        using var network = Network();
        var host = network.Hosts[0];
        host.Do("ip", ["link", "set", "lo", "up"]);
        using var server = host.Start("memcached", ["-u", "root", "-l", "127.0.0.1", "-U", $"{Port}", "-t", "1"]);
        using var theirs = Client(host, "127.0.0.1");
        using var ours = Client(host, "10.0.0.77");
        Until.Holds(() => IsThere(theirs), "memcached answers");
        compare(theirs, ours);
        Assert.Empty(network.Look().Faults);
        Assert.Equal(0UL, network.Look().Counters[nameof(MemcachedCounters.Evictions)]);
    }

    private static bool IsThere(Socket client)
    {
        try
        {
            Ask(client, "version\r\n"u8.ToArray());
            return true;
        }
        catch (SocketException refused) when (refused.SocketErrorCode == SocketError.ConnectionRefused)
        {
            return false;
        }
    }

    /// <summary>
    /// The answers to a request, without the empty one that memcached begins some with. What is asked behind it says
    /// when there are no more: in the same protocol, since a quiet request makes memcached's text quiet, too.
    /// </summary>
    private static List<byte[]> Ask(Socket client, byte[] request)
    {
        byte[] last = request[0] == MemcachedMessage.RequestMagic
            ? Packet.Bare.MemcachedRequest((byte)MemcachedOpcode.NoOperation)
            : "version\r\n"u8.ToArray();
        client.Send(Packet.Bare.MemcachedFrame(0x0102).Payload(request).ToArray());
        client.Send(Packet.Bare.MemcachedFrame(0xFFFF).Payload(last).ToArray());
        var answers = new List<byte[]>();
        var buffer = new byte[2048];
        while (true)
        {
            var answer = buffer[..client.Receive(buffer)];
            if (answer.Length == MemcachedFrame.HeaderLength) continue;
            if (answer[0] == 0xFF) return answers;
            answers.Add(answer);
        }
    }

    /// <summary>The second word of each line.</summary>
    private static IEnumerable<string> Names(Socket client, byte[] request) =>
        Text([.. Ask(client, request).SelectMany(answer => answer[MemcachedFrame.HeaderLength..])])
            .Split("\r\n").Where(line => line.StartsWith("STAT")).Select(line => line.Split(' ')[1]);

    private static string Text(byte[] bytes) =>
        bytes.AsSpan().ContainsAnyExceptInRange((byte)9, (byte)'~')
            ? Convert.ToHexString(bytes)
            : Encoding.Latin1.GetString(bytes);

    private static string RandomRequest(Random random)
    {
        string Key() => s_keys[random.Next(s_keys.Length)];
        string Keys() => string.Join(' ', Enumerable.Range(0, random.Next(1, 5)).Select(_ => s_keys[random.Next(3)]));
        string Number() => s_numbers[random.Next(s_numbers.Length)];
        string Expiry() => random.Next(8) == 0 ? "-1" : random.Next(8) == 0 ? "x" : random.Next(2) == 0 ? "0" : "1000";
        var quiet = random.Next(6) == 0 ? " noreply" : "";
        var value = random.Next(2) == 0
            ? random.Next(1000).ToString(CultureInfo.InvariantCulture)
            : new string((char)random.Next(32, 256), random.Next(9) * random.Next(30));
        var length = random.Next(20) == 0 ? value.Length - 1 : value.Length;
        string[] stores = ["set", "set", "set", "add", "replace", "append", "prepend"];
        return random.Next(14) switch
        {
            0 or 1 => $"get {Keys()}\r\n",
            2 => $"gets {Keys()}\r\n",
            3 => $"gat {Expiry()} {Keys()}\r\n",
            4 => $"gats {Expiry()} {Keys()}\r\n",
            5 => $"touch {Key()} {Expiry()}{quiet}\r\n",
            6 => $"incr n {Number()}{quiet}\r\n",
            7 => $"decr n {Number()}{quiet}\r\n",
            8 => $"delete {Key()}{quiet}\r\n",
            9 => random.Next(8) == 0 ? $"flush_all{quiet}\r\n" : "gets n\r\n",
            10 => $"cas {Key()} {Number()} {Expiry()} {length} {random.Next(200)}{quiet}\r\n{value}\r\n",
            _ => $"{stores[random.Next(stores.Length)]} {Key()} {Number()} {Expiry()} {length}{quiet}\r\n{value}\r\n",
        };
    }
}
