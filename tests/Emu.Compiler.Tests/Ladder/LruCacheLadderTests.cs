using System.Text;
using Emu.Services;
using Emu.Testing;
using static Emu.Compiler.Tests.LadderFrames;

namespace Emu.Compiler.Tests;

/// <summary><see cref="LruCache"/> does the same on every rung of the ladder.</summary>
public sealed class LruCacheLadderTests
{
    private static readonly string[] s_requests =
    [
        "get a\r\n", "get b\r\n", "get c\r\n", "get a\r\n", "get b\r\n", "get a b\r\n", "gets a\r\n",
        "set a 0 0 1\r\nx\r\n", "delete b\r\n", "gat 9 c\r\n", "cas a 0 0 1 3 noreply\r\nz\r\n", "version\r\n",
        "flush_all 1\r\n", "set a 0 0 1\r\n1\r\ndelete b\r\n",
    ];

    private static readonly string[] s_answers =
    [
        "VALUE a 7 3\r\nabc\r\nEND\r\n", "VALUE b 0 90\r\n" + new string('b', 90) + "\r\nEND\r\n",
        "VALUE c 4294967295 0\r\n\r\nEND\r\n", "VALUE a 7 3\r\nxyz\r\nEND\r\n", "END\r\n", "STORED\r\n",
    ];

    [Fact]
    [Slow("time")]
    public void On_requests_and_answers_changed_at_random()
    {
        byte[][] frames =
        [
            .. s_requests.Select(Request), .. s_answers.Select(Answer), .. s_answers.Select(Answer), .. Requests(),
        ];
        var count = Tier.IsAll ? 500 : 200;
        var result = Check(
            () => new LruCache(IP, chunks: 64),
            FrameSequence.Like(frames, count, ports: 2),
            Options with { Ports = 2, Outside = TierOptions.Large, OutsideFrames = 40 });
        Assert.InRange(result.Sent, count * 4 / 5, count);
    }

    /// <summary>Without a checksum, so that what is changed is read.</summary>
    private static byte[] Request(string request) =>
        Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP).Udp(4000, 11211, checksum: 0).MemcachedFrame(7)
            .Payload(Encoding.ASCII.GetBytes(request));

    private static byte[] Answer(string answer) =>
        Packet.Ethernet(Mac, PeerMac).IPv4(IP, Peer).Udp(11211, 4000, checksum: 0).MemcachedFrame(7)
            .Payload(Encoding.ASCII.GetBytes(answer));
}
