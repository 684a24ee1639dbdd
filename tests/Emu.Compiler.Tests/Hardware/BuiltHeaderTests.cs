using System.Buffers.Binary;
using Emu.Compiler.Layouts;
using Emu.Protocols;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>A header that is built and then parsed has the length that was written.</summary>
public sealed class BuiltHeaderTests
{
    /// <summary>Writes an IPv4 header, tagged or not, and then finds what is behind it as anyone would.</summary>
    private sealed class Builder : Service
    {
        public override void Process(ref Frame frame)
        {
            if (frame.Length < 60) return;
            var ethernet = new Ethernet(frame);
            var sizes = ethernet.Payload[0];
            ethernet.EtherType = EtherType.IPv4;
            var packet = ethernet.Payload;
            packet[0] = 0x45;
            packet[1] = (byte)(sizes & 3);
            BinaryPrimitives.WriteUInt16BigEndian(packet[2..], sizes < 128 ? (ushort)40 : (ushort)44);
            packet[9] = (byte)IPProtocol.Udp;
            if (!IPv4.TryParse(ethernet.Payload, out var ip)) return;
            ip.WriteHeaderChecksum();
            BinaryPrimitives.WriteUInt32BigEndian(ip.Payload, ip.Source.Bits);
            frame.ForwardTo(new PortSet((uint)(ip.Payload.Length + ip.Dscp) & 15));
        }
    }

    [Fact]
    public void Nothing_is_deferred_for_what_was_just_written()
    {
        var compiled = HardwareCompiler.Compile(new Builder(), new HardwareOptions());
        Assert.Equal(Layout.Pipeline, compiled.Layout);
        Assert.Empty(compiled.SlowPaths);
    }

    [Fact]
    public void It_is_what_CSharp_reads()
    {
        var random = new Random(5);
        List<IncomingFrame> frames = [.. Enumerable.Range(0, 120).Select(i =>
        {
            var bytes = new byte[14 + i % 90];
            random.NextBytes(bytes);
            return new IncomingFrame(i % 4, bytes, (ulong)(1000 + i));
        })];
        Agreement.Check(new Subject(() => new Builder()), frames, [
            .. Ladder.Rungs.Skip(1),
            new HardwareRung("pipeline", Layout.Pipeline),
            new HardwareRung("pipeline, 64 bits", Layout.Pipeline, busBits: 64),
        ]);
    }
}
