using Emu.Simulation;
using Emu.Testing;

namespace Emu.Tool;

/// <summary>A service that direction is measured with.</summary>
/// <param name="Service">Its class.</param>
/// <param name="Variable">A number of 64 bits that it writes for each of the measured frames.</param>
/// <param name="Frames">The frames, those before them, too; null for the kinds that a service is asked with.</param>
internal sealed record DirectionSubject(string Service, string Variable, TestTraffic? Frames = null)
{
    /// <summary>The event that is counted, once for each of the measured frames.</summary>
    public string Counted { get; private init; } = $"writes {Variable}";

    /// <summary>The number that is traced; another where the writes of the variable are no event.</summary>
    public string Traced { get; private init; } = Variable;

    private const ushort ClientPort = 4000, DnsPort = 53, MemcachedPort = 11211;

    private static readonly MacAddress s_peerMac = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly IPv4Address s_peer = IPv4Address.Parse("10.0.0.1");
    private static readonly IPv4Address s_host = IPv4Address.Parse("10.0.0.2");

    /// <summary>All of them, in the order of the table.</summary>
    public static IReadOnlyList<DirectionSubject> All { get; } =
    [
        new("LearningSwitch", "Forwarded"), new("IcmpEcho", "EchoReplies"), new("TcpPing", "SynAcks"),
        new("Nat", "Outbound"), new("Dns", "Answered", Questions),
        // Which of two counters is incremented a method of the service chooses, so writes of them are no events.
        new("Memcached", "GetHits", Hits) { Counted = "calls Items.TryRetrieve", Traced = "EchoReplies" },
    ];

    /// <summary>A question alone, for a name of the example's zone.</summary>
    private static TestTraffic Questions =>
        TestTraffic.Given("a question", [ToPort(DnsPort).Dns(7, "ns1.example.com").ToArray()]);

    /// <summary>A <c>get</c> that hits, behind one that has been answered before.</summary>
    private static TestTraffic Hits
    {
        get
        {
            var get = TestTraffic.Given("a hit", [Request("get foobar\r\n")]);
            return get.Behind(
                [.. TestTraffic.Given("set", [Request("set foobar 0 0 8\r\n12345678\r\n")]).Frames, .. get.Frames]);
        }
    }

    private static Packet ToPort(ushort port) =>
        Packet.Ethernet(s_peerMac, MacAddress.Of(s_host)).IPv4(s_peer, s_host).Udp(ClientPort, port);

    private static ReadOnlyMemory<byte> Request(string text) =>
        ToPort(MemcachedPort).MemcachedFrame(7).Payload(text).ToArray();
}
