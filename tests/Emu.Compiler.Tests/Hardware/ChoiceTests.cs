using System.Buffers.Binary;
using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Objects that are chosen by what a frame says.</summary>
public sealed class ChoiceTests
{
    private static readonly LadderOptions s_options = new() { Outside = TierOptions.Small };

    [Fact]
    public void Of_what_only_the_constructor_wrote_constants_are_chosen()
    {
        Assert.Empty(HardwareCompiler.Compile(new OneOfTwo(), new HardwareOptions(), Layout.Pipeline).Circuit.State);
        Ladder.Check(() => new OneOfTwo(), FrameSequence.Random(200), s_options);
    }

    [Fact]
    public void Words_of_one_of_several_memories_are_compared_and_written_as_in_software()
    {
        Assert.Equal(Layout.Pipeline, HardwareCompiler.Compile(new FourMemories(), new HardwareOptions()).Layout);
        Ladder.Check(() => new FourMemories(), FrameSequence.Random(400), s_options);
    }

    [Fact]
    public void One_of_several_arrays_has_its_own_length() =>
        Ladder.Check(() => new Jagged(), FrameSequence.Random(400), s_options);

    private sealed class OneOfTwo : Service
    {
        private readonly Threshold _low = new(60), _high = new(900);

        public override void Process(ref Frame frame)
        {
            var threshold = (frame.Bytes[0] & 1) == 0 ? _low : _high;
            if (frame.Length > threshold.Length) frame.Reply();
        }

        private sealed class Threshold(int length)
        {
            // Not read-only, as what a primary constructor keeps is not.
            public int Length => length;
        }
    }

    private sealed class FourMemories : Service
    {
        private readonly ulong[][] _words = [new ulong[64], new ulong[64], new ulong[64], new ulong[64]];

        public override void Process(ref Frame frame)
        {
            var (way, index) = (frame.Bytes[0] & 3, frame.Bytes[1] & 63);
            var value = BinaryPrimitives.ReadUInt16BigEndian(frame.Bytes[2..]) & 0xFUL;
            var word = _words[way][index];
            frame.Bytes[4] = word == value ? (byte)1 : word < value ? (byte)2 : (byte)(word + 3);
            _words[way][index] = value;
            frame.Reply();
        }
    }

    /// <summary>Counts in one of three arrays; an index that is inside one may be outside another: a fault.</summary>
    private sealed class Jagged : Service
    {
        private readonly byte[][] _counts = [new byte[3], new byte[11], new byte[32]];
        private readonly ushort[][] _constants = [[1], [2, 3, 4, 5, 6], [7, 8]];

        public override void Process(ref Frame frame)
        {
            var (row, index) = (frame.Bytes[0] & 3, frame.Bytes[1] & 31);
            frame.Reply();
            if (row != 3 && index < _constants[row].Length)
                BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[6..], _constants[row][index]);
            frame.Bytes[4] = ++_counts[row][index];
            frame.Bytes[5] = (byte)_counts[row].Length;
        }
    }
}
