using Emu.Samples;
using Emu.Testing;
using static Emu.Compiler.Tests.LadderFrames;

namespace Emu.Compiler.Tests;

/// <summary>
/// The services of <c>samples/</c> are pipelines, and do on every rung of the ladder what they do on .NET.
/// </summary>
public sealed class SampleLadderTests
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

    private static void AssertPipeline(LadderResult result) =>
        Assert.DoesNotContain(
            result.Skipped, skipped => skipped.StartsWith("the pipeline", StringComparison.Ordinal));

    /// <summary>The frames, each some microseconds behind the one before it.</summary>
    private static List<IncomingFrame> Hastily(IReadOnlyList<IncomingFrame> frames) =>
        [.. frames.Select((frame, i) => frame with { Time = 1700 * Second + (ulong)i * 9_000 })];
}
