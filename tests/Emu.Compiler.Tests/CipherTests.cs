using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Rounds that rotate what the round before gave: each must stay some operations on words, or their number explodes.</summary>
public sealed class CipherTests
{
    [Fact]
    public void The_rounds_of_a_cipher_become_a_few_operations_each()
    {
        const int Rounds = 44;
        var compiled = CompiledService.Of(new Encryptor(), new HardwareOptions(), Layout.Pipeline);
        Assert.InRange(compiled.Compilation.Process.Blocks().Sum(block => block.Operations.Count), 4 * Rounds, 16 * Rounds);
        Ladder.Check(() => new Encryptor(), FrameSequence.Random(100), new LadderOptions { Outside = OutsideSimulators.None });
    }

    private sealed class Encryptor : Service
    {
        private readonly Simon64 _cipher = new(7);

        public override void Process(ref Frame frame)
        {
            var block = System.Buffers.Binary.BinaryPrimitives.ReadUInt64BigEndian(frame.Bytes);
            System.Buffers.Binary.BinaryPrimitives.WriteUInt64BigEndian(frame.Bytes, _cipher.Encrypt(block));
            frame.Reply();
        }
    }
}
