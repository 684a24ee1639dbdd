using System.Text;
using Emu.Services;
using Emu.Testing;
using static Emu.Compiler.Tests.LadderFrames;

namespace Emu.Compiler.Tests;

/// <summary>
/// <see cref="Memcached"/>, and the blocks that it is made of, do the same on every rung of the ladder.
/// </summary>
public sealed class MemcachedLadderTests
{
    private static readonly string[] s_requests =
    [
        "set a 7 0 3\r\nabc\r\n", "get a\r\n", "gets a b\r\nget a\r\n",
        "set b 1 0 60\r\n" + new string('b', 60) + "\r\n",
        "get b a\r\n", "add c 1 0 2\r\n99\r\n", "incr c 5\r\n", "decr c 99\r\n", "append a 0 0 3\r\ndef\r\n",
        "get c\r\n",
        "prepend a 0 0 3\r\nxyz\r\n", "delete a\r\n", "touch b 1\r\n", "gat -1 b\r\n", "flush_all 1 noreply\r\n",
        "cas a 1 0 1 3\r\nz\r\n", "replace b 4294967295 0 2 noreply\r\nbb\r\n", "verbosity 1\r\nversion\r\n",
        "set " + new string('k', 80) + " 0 0 600\r\n" + new string('v', 600) + "\r\n",
        "get " + new string('k', 80) + " a\r\n",
    ];

    private static readonly Packet[] s_binary =
    [
        Packet.Bare.MemcachedRequest(0x01, "a", [0, 0, 0, 7, 0, 0, 0, 0], "abc", opaque: 9),
        Packet.Bare.MemcachedRequest(0x00, "a").MemcachedRequest(0x0D, "a").MemcachedRequest(0x0C, "z"),
        Packet.Bare.MemcachedRequest(0x05, "n", [.. new byte[7], 2, .. new byte[7], 9, 0, 0, 0, 0]),
        Packet.Bare.MemcachedRequest(0x16, "n", [.. new byte[7], 1, .. new byte[12]]).MemcachedRequest(0x0A),
        Packet.Bare.MemcachedRequest(0x0E, "a", value: "def").MemcachedRequest(0x1D, "a", [0, 0, 0, 1]),
        Packet.Bare.MemcachedRequest(0x12, "a", new byte[8], "q", unique: 3).MemcachedRequest(0x04, "a"),
        Packet.Bare.MemcachedRequest(0x08, "", [0, 0, 0, 1]).MemcachedRequest(0x0B).MemcachedRequest(0x07),
        Packet.Bare.MemcachedRequest(0x10),
    ];

    [Fact]
    [Slow("time")]
    public void On_requests_of_every_kind_changed_at_random()
    {
        var frames = Tier.IsAll ? 250 : 100;
        var result = Check(
            () => new Memcached(IP, Mac, IP6, chunks: 32, protocol: Protocol.Ascii),
            FrameSequence.Like([.. s_requests.Select(Request), .. Requests()], frames),
            Options with { Outside = TierOptions.Large, OutsideFrames = 30 });
        Assert.InRange(result.Sent, frames / 4, frames * 8 / 5);
    }

    [Fact]
    [Campaign("time")]
    public void On_requests_of_the_binary_protocol_changed_at_random()
    {
        var result = Check(
            () => new Memcached(IP, Mac, IP6, chunks: 32, protocol: Protocol.Binary),
            FrameSequence.Like([.. s_binary.Select(Request), .. Requests()], 250),
            Options with { Outside = TierOptions.Large, OutsideFrames = 30 });
        Assert.InRange(result.Sent, 60, 400);
    }

    [Fact]
    public void Blocks_for_strings_of_any_length()
    {
        var random = new Random(1);
        byte[] Frame()
        {
            var frame = new byte[60];
            (frame[14], frame[15]) = ((byte)random.Next(32), (byte)random.Next(5));
            frame.AsSpan(16).Fill((byte)random.Next(3));
            return frame;
        }
        var result = Check(
            () => new StringKeeper(), FrameSequence.Like([.. Enumerable.Range(0, 100).Select(_ => Frame())], 600),
            Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 50, 550);
    }

    /// <summary>Without a checksum, so that what is changed is read.</summary>
    private static byte[] Request(string request) => Request(Encoding.ASCII.GetBytes(request));

    private static byte[] Request(Packet request) => Request(request.ToArray());

    private static byte[] Request(byte[] request) =>
        Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP).Udp(4000, 11211, checksum: 0).MemcachedFrame(0x0707)
            .Payload(request);
}
