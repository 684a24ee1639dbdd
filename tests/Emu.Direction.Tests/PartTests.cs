using System.Text;
using System.Text.RegularExpressions;
using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Direction.Tests;

/// <summary>
/// Services whose program is in objects of theirs: events are in methods of these, in front of a slow path and in it.
/// </summary>
public sealed partial class PartTests : IDisposable
{
    private static readonly MacAddress s_mac = MacAddress.Parse("02:00:0a:00:00:02");
    private static readonly MacAddress s_peerMac = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly IPv4Address s_ip = IPv4Address.Parse("10.0.0.2");
    private static readonly IPv4Address s_peer = IPv4Address.Parse("10.0.0.1");

    private readonly Woven _woven = new();

    public void Dispose() => _woven.Dispose();

    [Fact]
    public void The_answers_of_a_name_server_are_counted_traced_and_set() =>
        Assert.Equal(s_dnsTranscript, Dns().Transcript(Sent(typeof(Services.Dns), DnsFeatures, Dns())));

    [Fact]
    public void A_name_server_is_stopped_in_its_slow_path() =>
        Assert.Equal(
            s_dnsStops,
            DnsStops().Transcript(Sent(typeof(Services.Dns), DnsStopFeatures, DnsStops()))
                .Select(line => LineNumber().Replace(line, ".cs:N")));

    [Fact]
    public void The_requests_to_a_cache_are_counted_traced_and_set() =>
        Assert.Equal(
            s_cacheTranscript, Cache().Transcript(Sent(typeof(Services.Memcached), CacheFeatures, Cache())));

    [Fact]
    public void A_cache_is_stopped_in_its_slow_path() =>
        Assert.Equal(
            s_cacheStops, CacheStops().Transcript(Sent(typeof(Services.Memcached), CacheStopFeatures, CacheStops())));

    [Fact]
    [Slow("time")]
    public void A_name_server_does_the_same_in_a_circuit() =>
        HoldsToTheLadder(typeof(Services.Dns), DnsFeatures, Dns());

    [Fact]
    [Slow("time")]
    public void A_name_server_is_stopped_alike_in_a_circuit() =>
        HoldsToTheLadder(typeof(Services.Dns), DnsStopFeatures, DnsStops());

    [Fact]
    [Slow("time")]
    public void A_cache_does_the_same_in_a_circuit() =>
        HoldsToTheLadder(typeof(Services.Memcached), CacheFeatures, Cache());

    [Fact]
    [Slow("time")]
    public void A_cache_is_stopped_alike_in_a_circuit() =>
        HoldsToTheLadder(typeof(Services.Memcached), CacheStopFeatures, CacheStops());

    private const string DnsFeatures =
        "set:Answered,print:FormatErrors,count:writes Answered+frame.Length,count:calls DnsServer.AnswerOther,"
        + "trace:FormatErrors";

    private const string DnsStopFeatures =
        "print:NotImplemented,print:FormatErrors,print:DnsServer,break:DnsServer.AnswerOther+frame.Length";

    private const string CacheFeatures =
        "set:CmdFlush,print:GetHits,count:calls Items.TryRetrieve+frame.Length,count:calls MemcachedServer.Serve,"
        + "trace:CmdFlush";

    private const string CacheStopFeatures =
        "print:GetHits,print:MemcachedServer,break:MemcachedServer.Serve+frame.Length";

    private static readonly string[] s_dnsTranscript =
    [
        "Answered = 2", "Answered: 2 writes", "DnsServer.AnswerOther: 2 calls", "[0] = 1",
        "FormatErrors: 1 kept, 0 missed", "FormatErrors = 1", "Answered = 41", "Answered = 42",
    ];

    private static readonly string[] s_dnsStops =
    [
        "10 variables; 7 requests done, 0 packets not authentic", "stopped at break DnsServer.AnswerOther",
        "NotImplemented = 0", "DnsServer.AnswerOther.datagram.Length = 33", "#0 DnsServer.AnswerOther DnsServer.cs:N",
        "#1 DnsServer.Receive DnsServer.cs:N", "FormatErrors = 1",
    ];

    private static readonly string[] s_cacheTranscript =
    [
        "GetHits = 2", "Items.TryRetrieve: 2 calls", "MemcachedServer.Serve: 3 calls", "[0] = 1",
        "CmdFlush: 1 kept, 0 missed", "CmdFlush = 7", "CmdFlush = 8",
    ];

    private static readonly string[] s_cacheStops =
    [
        "24 variables; 5 requests done, 0 packets not authentic", "stopped at break MemcachedServer.Serve",
        "MemcachedServer.Serve.isShortGet = false", "24 variables; 9 requests done, 0 packets not authentic",
    ];

    private static RecordedSession Dns() => new RecordedSession()
        .Do("count writes Answered if frame.Length < 80").Do("count calls DnsServer.AnswerOther")
        .Do("trace start FormatErrors")
        .Receive(Question("www.example.com")).Receive(Question("ns1.example.com"))
        .Receive(Question("www.example.com", questions: 2)).Receive(Question("a.sub.example.com"))
        .Do("print Answered").Do("count print writes Answered").Do("count print calls DnsServer.AnswerOther")
        .Do("trace print FormatErrors").Do("print FormatErrors").Do("set Answered = 41")
        .Receive(Question("www.example.com")).Do("print Answered");

    private static RecordedSession DnsStops() => new RecordedSession()
        .Do("break DnsServer.AnswerOther if frame.Length > 70").Receive(Question("www.example.com"))
        .Receive(Question("www.example.com", questions: 2)).Do("status").Do("print NotImplemented")
        .Do("print DnsServer.AnswerOther.datagram.Length").Do("backtrace").Do("continue").Do("print FormatErrors");

    private static RecordedSession Cache() => new RecordedSession()
        .Do("count calls Items.TryRetrieve if frame.Length < 60").Do("count calls MemcachedServer.Serve")
        .Do("trace start CmdFlush")
        .Receive(Request("set a 0 0 1\r\nx\r\n")).Receive(Request("get a\r\n")).Receive(Request("get a\r\n"))
        .Receive(Request("flush_all\r\n")).Receive(Request(""))
        .Do("print GetHits").Do("count print calls Items.TryRetrieve").Do("count print calls MemcachedServer.Serve")
        .Do("trace print CmdFlush").Do("set CmdFlush = 7").Receive(Request("flush_all\r\n")).Do("print CmdFlush");

    private static RecordedSession CacheStops() => new RecordedSession()
        .Do("break MemcachedServer.Serve").Receive(Request("set a 0 0 1\r\nx\r\n")).Do("status")
        .Do("print MemcachedServer.Serve.isShortGet").Do("continue")
        .Receive(Request("get a\r\n")).Do("continue").Receive(Request("get a\r\n")).Do("status");

    private static byte[] Question(string name, byte questions = 1) =>
        Packet.Ethernet(s_peerMac, s_mac).IPv4(s_peer, s_ip).Udp(4000, 53).Payload(
        [
            7, 7, 1, 0, 0, questions, 0, 0, 0, 0, 0, 0,
            .. name.Split('.').SelectMany(l => (byte[])[(byte)l.Length, .. Encoding.ASCII.GetBytes(l)]), 0, 0, 1, 0, 1,
        ]);

    private static byte[] Request(string text) =>
        Packet.Ethernet(s_peerMac, s_mac).IPv4(s_peer, s_ip).Udp(4000, 11211)
            .Payload([0, 7, 0, 0, 0, 1, 0, 0, .. Encoding.ASCII.GetBytes(text)]);

    private static Service Construct(Type woven) => woven.Name == nameof(Services.Dns)
        ? Constructed(woven, "--address", "10.0.0.2", "--zone", "example.zone")
        : Constructed(woven, "--address", "10.0.0.2", "--chunks", "32");

    private static Service Constructed(Type woven, params string[] arguments) =>
        new Hosting.ServiceArguments(woven).Construct(arguments);

    private List<SentFrame> Sent(Type service, string features, RecordedSession session)
    {
        var woven = _woven.Load(service, features);
        Woven.CompileAll(woven);
        return [.. HostedRun.Run(Construct(woven), 4, session.Frames).SelectMany(outcome => outcome.Sent)];
    }

    [GeneratedRegex(@"\.cs:\d+")]
    private static partial Regex LineNumber();

    /// <summary>Holds all that is sent, and so the transcript, to be the same on .NET and in a circuit.</summary>
    private void HoldsToTheLadder(Type service, string features, RecordedSession session)
    {
        var woven = _woven.Load(service, features);
        Ladder.Check(
            () => Construct(woven), session.Frames,
            new LadderOptions
            {
                Layouts = [Layout.Pipeline],
                StallSeed = null,
                Interval = 64,
                Outside = OutsideSimulators.None,
            });
    }
}
