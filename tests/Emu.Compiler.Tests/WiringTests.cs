using System.Buffers.Binary;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Masks, shifts and ORs of bits that never meet only move bits, and cost no gate.</summary>
public sealed class WiringTests
{
    private static readonly LadderOptions s_options =
        new() { OutsideFrames = 40, Output = line => TestContext.Current.AddWarning(line) };

    [Fact]
    public void A_permutation_of_bits_is_no_gate()
    {
        var service = HardwareCompiler.Compile(new Permutation(), new HardwareOptions(), Layout.Pipeline);
        var gates = service.Compilation.Process.Blocks().SelectMany(block => block.Operations)
            .Where(o => o.Width > 1 && o.Opcode is Opcode.And or Opcode.Or or Opcode.Xor);
        var inversion = Assert.Single(gates);
        Assert.IsType<Constant>(inversion.Operands[1]);
        Ladder.Check(
            () => new Permutation(), FrameSequence.Random(200), s_options with { Outside = OutsideSimulators.None });
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Bits_that_meet_or_come_from_several_values_do_the_same_on_every_rung(ulong seed) =>
        Ladder.Check(
            () => new Mixture(seed), FrameSequence.Random(200),
            s_options with { Outside = seed == 1 ? TierOptions.Small : OutsideSimulators.None });

    private sealed class Permutation : Service
    {
        private const ulong Odd = 0xAAAA_AAAA_AAAA_AAAA, Nibbles = 0xF0F0_F0F0_F0F0_F0F0, Pairs = 0xCCCC_CCCC_CCCC_CCCC;

        public override void Process(ref Frame frame)
        {
            var x = BinaryPrimitives.ReadUInt64BigEndian(frame.Bytes);
            x = (x & Odd) >> 1 | x << 1 & Odd;
            x = ~x & Nibbles | x & ~Nibbles;
            x = x << 2 & Pairs ^ x >> 2 & ~Pairs;
            BinaryPrimitives.WriteUInt64BigEndian(frame.Bytes, x);
            frame.Reply();
        }
    }

    private sealed class Mixture(ulong seed) : Service
    {
        private readonly ulong[] _masks = [.. Enumerable.Range(0, 8).Select(i => SplitMix64.Draw(seed, (ulong)i))];

        public override void Process(ref Frame frame)
        {
            var (x, y) = (
                BinaryPrimitives.ReadUInt64BigEndian(frame.Bytes),
                BinaryPrimitives.ReadUInt64BigEndian(frame.Bytes[6..]));
            // Apart, with an inversion; twice the same bits; from a sum, a choice and a gate.
            var apart = x << 7 & _masks[0] | ~y >> 3 & ~_masks[0];
            var meeting = x & _masks[1] | (x >> 9 ^ _masks[2]) & _masks[3];
            var chosen = x < y ? x + y : x & y;
            var mixed = chosen << 11 & _masks[4] ^ (x ^ y) >> 53 & ~_masks[4] ^ _masks[5];
            var high = (apart & _masks[6] | meeting & ~_masks[6]) + mixed;
            BinaryPrimitives.WriteUInt64BigEndian(frame.Bytes, high);
            BinaryPrimitives.WriteUInt32BigEndian(
                frame.Bytes[8..], (uint)(apart >> 16 & _masks[7] | (meeting ^ mixed) & ~_masks[7]));
            frame.Reply();
        }
    }
}
