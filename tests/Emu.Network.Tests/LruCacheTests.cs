using System.Net;
using System.Net.Sockets;
using System.Text;
using Emu.Services;
using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>The cache between a client and memcached.</summary>
public sealed class LruCacheTests
{
    private const int Port = 11211;
    private const int HeaderLength = 8;

    public static TheoryData<PortKind> Kinds => [.. Enum.GetValues<PortKind>()];

    /// <summary>
    /// Any value is that of the last write, and each retrieval behind another is answered by the cache.
    /// </summary>
    [Theory, MemberData(nameof(Kinds))]
    public void Its_client_sees_memcached(PortKind kind)
    {
        Needs.Network("memcached");
        using var network = new ServiceNetwork(kind, new LruCache(IPv4Address.Parse("10.0.0.2")), 2);
        using var server = network.Hosts[1].Start(
            "memcached", ["-u", "root", "-l", "10.0.0.2", "-U", $"{Port}", "-t", "1"]);
        using var client = network.Hosts[0].Inside(() => Client("10.0.0.2"));
        Until.Holds(() => IsThere(client), "memcached answers");
        client.ReceiveTimeout = (int)Until.Limit.TotalMilliseconds;

        var (random, values) = (new Random(1), new Dictionary<string, string>());
        var (known, hits) = (new HashSet<string>(), 0UL);
        for (var i = 0; i < 2000; i++)
        {
            var key = $"key{random.Next(40)}";
            var item = values.TryGetValue(key, out var value) ? $"VALUE {key} 3 {value.Length}\r\n{value}\r\n" : "";
            switch (random.Next(8))
            {
                case 0:
                    value = new string((char)random.Next('a', 'z'), random.Next(1000));
                    Assert.Equal("STORED\r\n", Ask(client, $"set {key} 3 0 {value.Length}\r\n{value}\r\n"));
                    values[key] = value;
                    known.Remove(key);
                    break;
                case 1:
                    var expected = values.Remove(key) ? "DELETED\r\n" : "NOT_FOUND\r\n";
                    Assert.Equal(expected, Ask(client, $"delete {key}\r\n"));
                    known.Remove(key);
                    break;
                case 2 when random.Next(10) == 0:
                    Assert.Equal("OK\r\n", Ask(client, "flush_all\r\n"));
                    values.Clear();
                    known.Clear();
                    break;
                default:
                    Assert.Equal($"{item}END\r\n", Ask(client, $"get {key}\r\n"));
                    if (item.Length > 0 && !known.Add(key)) hits++;
                    break;
            }
        }
        Assert.InRange(hits, 100UL, 2000UL);
        Assert.Equal(hits, network.Look().Counters[nameof(LruCacheCounters.Hits)]);
        Assert.Empty(network.Look().Faults);
    }

    private static Socket Client(string address)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp)
        {
            ReceiveTimeout = 1000,
        };
        socket.Connect(new IPEndPoint(IPAddress.Parse(address), Port));
        return socket;
    }

    private static bool IsThere(Socket client)
    {
        try
        {
            Ask(client, "version\r\n");
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    /// <summary>The answer to a request, but for the empty datagram that memcached begins some with.</summary>
    private static string Ask(Socket client, string request)
    {
        client.Send(Packet.Bare.MemcachedFrame(0x0102).Payload(Encoding.Latin1.GetBytes(request)).ToArray());
        var buffer = new byte[2048];
        while (true)
        {
            var length = client.Receive(buffer);
            if (length > HeaderLength) return Encoding.Latin1.GetString(buffer.AsSpan(HeaderLength..length));
        }
    }
}
