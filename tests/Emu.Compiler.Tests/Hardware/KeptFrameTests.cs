using Emu.Compiler.Layouts;
using Emu.Protocols;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// A frame that is kept and sent behind a later one: of a datagram in two parts the second, where it comes before the
/// first (RFC 4787 REQ-14).
/// </summary>
public sealed class KeptFrameTests
{
    private sealed class FragmentKeeper : Service
    {
        private const int Slots = 4, SlotBytes = 2048;

        private static readonly PortId s_out = new(1);

        private readonly byte[] _kept = new byte[Slots * SlotBytes];
        private readonly ushort[] _length = new ushort[Slots];
        private readonly ushort[] _identification = new ushort[Slots];

        public override void Process(ref Frame frame)
        {
            var ethernet = new Ethernet(frame);
            if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
            var slot = ip.Identification % Slots;
            if (ip.FragmentOffset != 0)
            {
                frame.Bytes.CopyTo(_kept.AsSpan(slot * SlotBytes, frame.Length));
                (_length[slot], _identification[slot]) = ((ushort)frame.Length, ip.Identification);
                return;
            }
            frame.ForwardTo(s_out);
            if (!ip.MoreFragments || _length[slot] == 0 || _identification[slot] != ip.Identification) return;
            frame.Send(PortSet.Of(s_out), frame.Length);
            var length = (int)_length[slot];
            frame.Resize(length);
            _kept.AsSpan(slot * SlotBytes, length).CopyTo(frame.Bytes);
            _length[slot] = 0;
        }
    }

    [Fact]
    public void Frames_that_are_neither_kept_nor_sent_later_pass_at_line_rate()
    {
        var compiled = HardwareCompiler.Compile(new FragmentKeeper(), new HardwareOptions());
        Assert.Equal(Layout.Pipeline, compiled.Layout);
        Assert.NotEmpty(compiled.SlowPaths);
    }

    [Fact]
    public void The_second_part_leaves_behind_the_first()
    {
        var random = new Random(7);
        List<IncomingFrame> frames = [.. Enumerable.Range(0, 120).Select(i =>
        {
            var kind = random.Next(3);
            byte[] packet = Packet.Ethernet(new MacAddress(0x0200_0000_0001), new MacAddress(0x0200_0000_0002))
                .IPv4(
                    IPv4Address.Parse("10.0.0.1"), IPv4Address.Parse("10.0.0.2"),
                    identification: (ushort)random.Next(6), moreFragments: kind == 1,
                    fragmentOffset: kind == 2 ? 24 : 0)
                .Udp(1, 2).Payload(new byte[random.Next(90)]);
            return new IncomingFrame(0, packet, (ulong)(1000 + i));
        })];
        Agreement.Check(new Subject(() => new FragmentKeeper()), frames, [
            .. Ladder.Rungs.Skip(1),
            new HardwareRung("pipeline", Layout.Pipeline),
            new HardwareRung("pipeline, 64 bits", Layout.Pipeline, busBits: 64),
        ]);
    }
}
