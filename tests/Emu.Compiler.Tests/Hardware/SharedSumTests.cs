using System.Buffers.Binary;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rtl;
using Emu.Protocols;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>The low bits of a sum that is needed whole are no second adder.</summary>
public sealed class SharedSumTests
{
    private const int HeaderWords = 10;

    private static readonly LadderOptions s_options = new() { Outside = TierOptions.Small };

    [Fact]
    public void The_check_of_a_header_takes_as_many_adders_as_it_has_words_but_one()
    {
        var design = HardwareCompiler.Compile(new HeaderCheck(), new HardwareOptions(), Layout.Pipeline).Circuit.Design;
        var order = new CombinationalOrder();
        foreach (var flop in design.Flops) order.Add(flop.Next);
        var sums = order.Values.OfType<Operation>().Where(o => o.Opcode == Opcode.Add && o.Width is >= 16 and < 32);
        Assert.Equal(HeaderWords - 1, sums.Count());
    }

    [Fact]
    public void It_is_done_as_in_software() => Ladder.Check(() => new HeaderCheck(), options: s_options);

    [Fact]
    public void A_sum_whose_high_bits_come_of_its_low_ones_is_no_loop() =>
        Ladder.Check(() => new HighOfLow(), FrameSequence.Random(200), s_options);

    /// <summary>The low half is known before the high half, which depends on it.</summary>
    private sealed class HighOfLow : Service
    {
        public override void Process(ref Frame frame)
        {
            var (a, b) = (
                BinaryPrimitives.ReadUInt16BigEndian(frame.Bytes),
                BinaryPrimitives.ReadUInt16BigEndian(frame.Bytes[2..]));
            var low = (ushort)(a + b);
            uint high = low < 0x8000 ? frame.Bytes[4] : frame.Bytes[5];
            BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[6..], (high << 16 | a) + b);
            BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[10..], low);
            frame.Reply();
        }
    }

    private sealed class HeaderCheck : Service
    {
        public override void Process(ref Frame frame)
        {
            if (IPv4.TryParse(new Ethernet(frame).Payload, out var ip)
                && ip.HeaderLength == IPv4.MinHeaderLength && ip.HasValidHeaderChecksum)
                frame.Reply();
        }
    }
}
