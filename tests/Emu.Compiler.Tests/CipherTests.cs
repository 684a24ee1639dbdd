using System.Buffers.Binary;
using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// Rounds that move the bits that the round before gave: each must stay some operations on words,
/// or their number explodes.
/// </summary>
public sealed class CipherTests
{
    [Fact]
    public void The_rounds_of_a_cipher_become_a_few_operations_each()
    {
        Assert.InRange(Operations(new Rotating()).Count(), 4 * Rotating.Rounds, 16 * Rotating.Rounds);
        Ladder.Check(
            () => new Rotating(), FrameSequence.Random(100), new LadderOptions { Outside = OutsideSimulators.None });
    }

    [Fact]
    public void A_round_of_PRINCE_becomes_the_gates_of_its_layers()
    {
        const int Rounds = 12;
        var gates = Operations(new Encryptor())
            .Where(o => o.Opcode is Opcode.And or Opcode.Or or Opcode.Xor && o.Operands[1] is not Constant).ToList();
        Assert.InRange(gates.Count(gate => gate.Width >= 16), 20 * Rounds, 40 * Rounds);
        Assert.DoesNotContain(gates, gate => gate.Width is > 8 and < 16);
        Ladder.Check(
            () => new Encryptor(),
            FrameSequence.Random(100),
            new LadderOptions { Outside = TierOptions.Small, OutsideFrames = 40 });
    }

    private static IEnumerable<Operation> Operations(Service service) =>
        HardwareCompiler.Compile(service, new HardwareOptions(), Layout.Pipeline).Compilation.Process.Blocks()
            .SelectMany(block => block.Operations);

    private sealed class Encryptor : Service
    {
        private readonly Prince _cipher = new(new UInt128(7, 8));

        public override void Process(ref Frame frame)
        {
            BinaryPrimitives.WriteUInt64BigEndian(
                frame.Bytes, _cipher.Encrypt(BinaryPrimitives.ReadUInt64BigEndian(frame.Bytes)));
            frame.Reply();
        }
    }

    /// <summary>A Feistel network of rotations, ANDs and XORs.</summary>
    private sealed class Rotating : Service
    {
        public const int Rounds = 44;

        private readonly uint[] _keys =
        [
            .. Enumerable.Range(0, Rounds).Select(i => (uint)SplitMix64.Draw(7, (ulong)i)),
        ];

        public override void Process(ref Frame frame)
        {
            var block = BinaryPrimitives.ReadUInt64BigEndian(frame.Bytes);
            var (x, y) = ((uint)(block >> 32), (uint)block);
            foreach (var key in _keys)
                (x, y) = (y ^ key ^ BitOperations.RotateLeft(x, 2)
                    ^ (BitOperations.RotateLeft(x, 1) & BitOperations.RotateLeft(x, 8)), x);
            BinaryPrimitives.WriteUInt64BigEndian(frame.Bytes, (ulong)x << 32 | y);
            frame.Reply();
        }
    }
}
