using Emu.Hosting;
using Emu.Testing;

namespace Emu.Tool.Tests;

/// <summary>
/// The captures in <c>bench/requests</c>, by whose frames docs/benchmarks.md measures the services that read payloads,
/// hold what is written here. To change one: edit it here, EMU_RECORD=1, run the test.
/// </summary>
public sealed class RequestCaptureTests : IDisposable
{
    private const ushort ClientPort = 4000, DnsPort = 53, MemcachedPort = 11211;

    private static readonly MacAddress s_clientMac = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly IPv4Address s_client = IPv4Address.Parse("10.0.0.1");
    private static readonly IPv4Address s_server = IPv4Address.Parse("10.0.0.2");

    private static readonly Dictionary<string, (int Port, byte[] Frame)[]> s_captures = new()
    {
        ["question.pcapng"] = [(0, Question("ns1.example.com"))],
        ["question-1000.pcapng"] = [(0, Question("host999.example.com"))],
        ["edns.pcapng"] = [(0, Edns("ns1.example.com"))],
        ["set.pcapng"] = [(0, Request("set foobar 0 0 8\r\n12345678\r\n"))],
        ["get.pcapng"] = [(0, Request("get foobar\r\n"))],
        // The first answer to a key is kept beside its item.
        ["before-memcached.pcapng"] =
            [(0, Request("set foobar 0 0 8\r\n12345678\r\n")), (0, Request("get foobar\r\n"))],
        // The server's answer is learned.
        ["before-lru-cache.pcapng"] =
            [(0, Request("get foobar\r\n")), (1, Answer("VALUE foobar 0 8\r\n12345678\r\nEND\r\n"))],
    };

    private readonly TemporaryFolder _folder = new();

    public static TheoryData<string> Captures => [.. s_captures.Keys];

    public void Dispose() => _folder.Dispose();

    [Theory]
    [MemberData(nameof(Captures))]
    public void A_capture_holds_what_is_written_here(string name)
    {
        using (var writer = CaptureWriter.Create(_folder[name]))
        {
            for (var port = 0; port <= s_captures[name].Max(entry => entry.Port); port++)
                writer.AddInterface($"port {port}");
            foreach (var (port, frame) in s_captures[name]) writer.Write(port, frame, 0);
        }
        AssertRecorded(name);
    }

    /// <summary>The zone of <c>question-1000</c>: 1,000 names with an address each.</summary>
    [Fact]
    public void A_zone_has_a_thousand_names()
    {
        const string Zone = "thousand.zone";
        var names = Enumerable.Range(0, 1000).Select(i => $"host{i:d3} A 10.1.{i >> 8}.{i & 255}\n");
        File.WriteAllText(
            _folder[Zone],
            $"""
            $ORIGIN example.com.
            $TTL 3600
            @ SOA ns hostmaster 1 7200 900 1209600 300
            @ NS ns
            ns A {s_server}

            """
            + string.Concat(names));
        AssertRecorded(Zone);
    }

    private void AssertRecorded(string name)
    {
        var file = Path.Combine(Commands.Root, "bench/requests", name);
        if (Environment.GetEnvironmentVariable("EMU_RECORD") == "1") File.Copy(_folder[name], file, overwrite: true);
        Assert.Equal(File.ReadAllBytes(_folder[name]), File.ReadAllBytes(file));
    }

    private static Packet ToServer(ushort port) =>
        Packet.Ethernet(s_clientMac, MacAddress.Of(s_server)).IPv4(s_client, s_server).Udp(ClientPort, port);

    private static byte[] Question(string name) => ToServer(DnsPort).Dns(7, name);

    /// <summary>With an OPT record (RFC 6891 §6.1.2) for answers of 1232 bytes, as <c>dig</c> sends.</summary>
    private static byte[] Edns(string name)
    {
        const int Headers = 14 + 20 + 8, AdditionalCount = 10;
        byte[] message = [.. Question(name)[Headers..], 0, 0, 41, 0x04, 0xD0, 0, 0, 0, 0, 0, 0];
        message[AdditionalCount + 1] = 1;
        return ToServer(DnsPort).Payload(message);
    }

    private static byte[] Request(string text) => ToServer(MemcachedPort).MemcachedFrame(7).Payload(text);

    private static byte[] Answer(string text) =>
        Packet.Ethernet(MacAddress.Of(s_server), s_clientMac).IPv4(s_server, s_client)
            .Udp(MemcachedPort, ClientPort).MemcachedFrame(7).Payload(text);
}
