using System.Buffers.Binary;
using Emu.Compiler.Layouts;
using Emu.Services;
using Emu.Testing;
using static Emu.Compiler.Tests.LadderFrames;

namespace Emu.Compiler.Tests;

/// <summary>TcpPing does the same on every rung of the ladder.</summary>
public sealed class TcpPingLadderTests
{
    private static readonly Subject s_service = new(() => TcpPing(IP6));

    [Fact]
    [Slow("Icarus")]
    public void On_every_set_of_flags_to_open_and_closed_ports()
    {
        uint[] corners = [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF];
        var random = new Random(3);
        uint Number() => random.Next(2) == 0 ? corners[random.Next(corners.Length)] : (uint)random.NextInt64(1L << 32);
        byte[] Segment(int i) => Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP)
            .Tcp((ushort)random.Next(65_536), (ushort)(i / 64 % 2 == 0 ? 80 : 81), Number(), Number(), (byte)(i % 64))
            .Payload(new byte[random.Next(12)]).PaddedTo(60).ToArray();
        var frames = FrameSequence.Of([.. Enumerable.Range(0, 256).Select(Segment)]);
        var result = Check(
            () => TcpPing(default), frames, Options with { Outside = OutsideSimulators.Icarus, OutsideFrames = 128 });
        // without RST: with ACK, or with SYN alone; to closed ports all
        Assert.Equal(2 * (16 + 8) + 2 * 32, result.Sent);
    }

    [Fact]
    public void On_segments_of_every_kind_changed_at_random()
    {
        var frames = Tier.IsAll ? 1500 : 500;
        var result = Check(
            s_service, FrameSequence.Like(Segments(), frames), Options with { Outside = OutsideSimulators.None });
        Assert.InRange(result.Sent, frames / 5, frames);
    }

    [Fact]
    [Slow("time")]
    public void On_frames_of_every_kind()
    {
        var result = Check(
            s_service, FrameSequence.Random(1000), Options with { Outside = OutsideSimulators.None });
        Assert.InRange(result.Sent, 30, 1000);
    }

    /// <summary>Frames that a pipeline leaves to its slow path, among others.</summary>
    [Fact]
    public void On_IP_options_and_extension_headers_changed_at_random()
    {
        var toUs = Packet.Ethernet(PeerMac, Mac);
        byte[] Over4(byte[] options, ushort port, byte flags, int data) =>
            toUs.IPv4(Peer, IP, options: options).Tcp(1000, port, 7, 9, flags).Payload(new byte[data]);
        byte[] Over6(byte first, string headers, ushort port, byte flags, int data)
        {
            var whole = toUs.IPv6(Peer6, IP6).Tcp(1000, port, 7, 9, flags).Payload(new byte[data]).ToArray();
            byte[] payload = [.. Convert.FromHexString(headers), .. whole[54..]];
            return toUs.IPv6(Peer6, IP6, nextHeader: first).Payload(payload);
        }
        byte[][] segments =
        [
            Over4([1, 1, 1, 1], 80, Packet.Syn, 0), Over4([0x9E, 7, 1, 2, 3, 4, 5], 81, Packet.Ack, 33),
            Over4([131, 3, 4], 80, Packet.Syn, 0),
            Over4([0x9E, 0], 80, Packet.Syn, 0), Over4([.. Enumerable.Repeat((byte)1, 40)], 80, Packet.Syn, 0),
            Over6(0, "0600010400000000", 80, Packet.Syn, 0), Over6(60, "06001e0401020304", 81, Packet.Fin, 9),
            Over6(0, "2c00010400000000" + "3c00000000000007" + "0600010400000000", 80, Packet.Syn, 0),
            Over6(44, "0600000000000007", 80, Packet.Ack, 0), Over6(43, "0600000000000000", 80, Packet.Syn, 1),
            Over6(0, "06005e0400000000", 80, Packet.Syn, 0), Over6(44, "0600000100000007", 80, Packet.Syn, 0),
        ];
        var frames = FrameSequence.Like([.. segments, .. Segments()], 800);
        var result = Check(s_service, frames, Options with { Outside = TierOptions.Large, OutsideFrames = 60 });
        Assert.InRange(result.Sent, 150, 800);
        Assert.DoesNotContain(result.Skipped, s => s.StartsWith("the pipeline", StringComparison.Ordinal));
    }

    [Fact]
    [Slow("time")]
    public void That_completes_handshakes()
    {
        const ulong start = 1_700_000_000_000_000_000, microsecond = 1000; // of FrameSequence.Of
        var random = new Random(4);
        var toUs = Packet.Ethernet(PeerMac, Mac);
        TcpPing Service() => new(IP, Mac, IP6, [80], new UInt128(1, 2), completeHandshakes: true);
        var (run, frames) = (new ServiceRun(Service(), start: start), new List<byte[]>());
        for (var i = 0; i < 60; i++)
        {
            var port = (ushort)random.Next(65_536);
            var over = i % 2 == 0 ? toUs.IPv4(Peer, IP) : toUs.IPv6(Peer6, IP6);
            byte[] syn = over.Tcp(port, 80, 7, flags: Packet.Syn).PaddedTo(60);
            var synAck = run.Receive(0, syn, start + microsecond * (ulong)frames.Count)[0].Bytes;
            var acknowledged = BinaryPrimitives.ReadUInt32BigEndian(synAck.AsSpan(i % 2 == 0 ? 38 : 58)) + 1;
            frames.Add(syn);
            acknowledged += 1000 * (uint)random.Next(2);
            var data = new byte[i % 5 == 0 ? 1 : 0];
            frames.Add(over.Tcp(port, 80, 8, acknowledged, Packet.Ack).Payload(data).PaddedTo(60));
        }
        var options = Options with { Layouts = [Layout.Pipeline], Outside = OutsideSimulators.None };
        var result = Check(Service, FrameSequence.Of([.. frames]), options);
        Assert.InRange(result.Sent, 61, 119);
    }

    private static TcpPing TcpPing(IPv6Address address6) => new(IP, Mac, address6, [80, 443], new UInt128(1, 2));
}
