using System.Text;
using Emu.Testing;

namespace Emu.Services.Tests;

/// <summary>A client, the cache, and a server behind it.</summary>
internal sealed class LruCacheNetwork
{
    public static readonly IPv4Address Server = IPv4Address.Parse("10.0.0.2");
    public static readonly IPv4Address Client = IPv4Address.Parse("10.0.0.1");
    public static readonly MacAddress ServerMac = MacAddress.Parse("02:00:00:00:00:02");
    public static readonly MacAddress ClientMac = MacAddress.Parse("02:00:00:00:00:01");

    public const ushort Port = 11211;

    private const int PayloadOffset = 42;
    private const int HeaderLength = 8;

    private readonly ServiceRun _server =
        new(new Memcached(Server, ServerMac, chunks: 1 << 14, rate: 0, protocol: Protocol.Auto), ports: 1);

    private ushort _id;

    public LruCacheNetwork(int chunks = 64, int maxAge = 60)
    {
        Service = new LruCache(Server, Port, chunks, maxAge);
        Run = new ServiceRun(Service, ports: 2);
    }

    public LruCache Service { get; }

    public ServiceRun Run { get; }

    /// <summary>The time of the next frame.</summary>
    public ulong Seconds { get; set; } = 1_700_000_000;

    private ulong Time => Seconds * 1_000_000_000;

    /// <summary>The answer to a request, and if the cache gave it.</summary>
    public (string Answer, bool IsHit) Ask(string request) => Ask(Encoding.Latin1.GetBytes(request));

    public (string Answer, bool IsHit) Ask(byte[] request) => AskFrame(ToServer(request, ++_id));

    /// <summary>The answer to a frame, of which there may be none, and if the cache gave it.</summary>
    public (string Answer, bool IsHit) AskFrame(byte[] frame)
    {
        var passed = Assert.Single(Run.Receive(0, frame, Time));
        if (passed.Ports == PortSet.Parse("0")) return (Text(passed.Bytes), true);
        Assert.Equal(PortSet.Parse("1"), passed.Ports);
        Assert.Equal(frame, passed.Bytes);
        var answers = new StringBuilder();
        foreach (var answer in _server.Receive(0, passed.Bytes, Time))
        {
            var returned = Assert.Single(Run.Receive(1, answer.Bytes, Time));
            Assert.Equal(PortSet.Parse("0"), returned.Ports);
            Assert.Equal(answer.Bytes, returned.Bytes);
            answers.Append(Text(answer.Bytes));
        }
        return (answers.ToString(), false);
    }

    /// <summary>A request's frame.</summary>
    public static byte[] ToServer(byte[] request, ushort id, ushort count = 1) =>
        Packet.Ethernet(ClientMac, ServerMac).IPv4(Client, Server).Udp(4000, Port).MemcachedFrame(id, 0, count)
            .Payload(request).PaddedTo(60).ToArray();

    /// <summary>An answer's frame.</summary>
    public static byte[] FromServer(string answer, ushort id) =>
        Packet.Ethernet(ServerMac, ClientMac).IPv4(Server, Client).Udp(Port, 4000).MemcachedFrame(id)
            .Payload(Encoding.Latin1.GetBytes(answer)).PaddedTo(60).ToArray();

    /// <summary>The message in a frame, of a request or an answer.</summary>
    public static string Text(byte[] frame)
    {
        var length = (frame[38] << 8 | frame[39]) - 8;
        return Encoding.Latin1.GetString(frame.AsSpan(PayloadOffset, length)[HeaderLength..]);
    }
}
