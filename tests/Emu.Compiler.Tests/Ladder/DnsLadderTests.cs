using System.Text;
using Emu.Services;
using Emu.Testing;
using static Emu.Compiler.Tests.LadderFrames;

namespace Emu.Compiler.Tests;

/// <summary><see cref="Dns"/> does the same on every rung of the ladder.</summary>
public sealed class DnsLadderTests
{
    private static readonly string[] s_names =
    [
        "www.example.com", "WWW.EXAMPLE.com", "deep.example.com", "nope.example.com", "q.wild.example.com",
        "a.sub.example.com", "example.com", "example.org",
    ];

    [Theory]
    [InlineData(0, Traits = ["tier", "slow"])]
    [InlineData(1000, Traits = ["tier", "campaign"])]
    public void On_questions_of_every_kind_changed_at_random(int rate)
    {
        var samples = s_names.SelectMany(name => (byte[][])[Question(name, 1, false), Question(name, 28, true)]);
        var result = Check(
            () => new Dns(IP, ["example.zone"], Mac, rate: rate), FrameSequence.Like([.. samples, .. Requests()], 300),
            Options with { Outside = OutsideSimulators.None });
        Assert.InRange(result.Sent, 60, 300);
    }

    private static byte[] Question(string name, byte type, bool hasOptions)
    {
        byte[] question =
        [
            7, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, (byte)(hasOptions ? 1 : 0),
            .. name.Split('.').SelectMany(l => (byte[])[(byte)l.Length, .. Encoding.ASCII.GetBytes(l)]),
            0, 0, type, 0, 1,
        ];
        byte[] options = hasOptions ? [0, 0, 41, 4, 0xD0, 0, 0, 0, 0, 0, 0] : [];
        return Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP).Udp(4000, 53).Payload([.. question, .. options]);
    }
}
