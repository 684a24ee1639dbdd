using System.Buffers.Binary;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Ones' complement sums that are written, of two words and more, are right whatever the carries.</summary>
public sealed class OnesSumTests
{
    private const int Offset = 14;

    private static readonly ushort[] s_corners = [0, 1, 2, 0x7FFF, 0x8000, 0xFFFC, 0xFFFD, 0xFFFE, 0xFFFF];

    [Theory]
    [InlineData(32)]
    [InlineData(33)]
    [InlineData(48)]
    [InlineData(64)]
    public void A_sum_is_the_same_on_every_rung(int bits)
    {
        var mask = ulong.MaxValue >> 64 - bits;
        var numbers = Numbers().Select(number => number & mask).ToList();
        Assert.All(numbers, number => Assert.Equal(Reference(number), InternetChecksum.Finish(number)));
        var frames = FrameSequence.Of(numbers.Select(Frame));
        var options = new LadderOptions
        {
            // One of three words is enough for what is written out.
            Outside = bits == 48 ? TierOptions.Small : OutsideSimulators.None,
            OutsideFrames = 100,
            Output = line => TestContext.Current.AddWarning(line),
        };
        var result = Ladder.Check(() => new Summation(mask), frames, options);
        Assert.Equal(numbers.Count, result.Sent);
    }

    /// <summary>RFC 1071: the remainder by 2¹⁶ − 1, in which nothing but 0 gives 0.</summary>
    private static ushort Reference(ulong number) => (ushort)~(number == 0 ? 0 : (number - 1) % ushort.MaxValue + 1);

    private static IEnumerable<ulong> Numbers()
    {
        var random = new Random(1);
        ulong Word() => random.Next(4) == 0 ? (ulong)random.Next(65_536) : s_corners[random.Next(s_corners.Length)];
        return Enumerable.Range(0, 600).Select(_ => Word() << 48 | Word() << 32 | Word() << 16 | Word());
    }

    private static byte[] Frame(ulong number)
    {
        var frame = new byte[60];
        BinaryPrimitives.WriteUInt64BigEndian(frame.AsSpan(Offset), number);
        return frame;
    }

    private sealed class Summation(ulong mask) : Service
    {
        public override void Process(ref Frame frame)
        {
            var number = BinaryPrimitives.ReadUInt64BigEndian(frame.Bytes[Offset..]) & mask;
            BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes, InternetChecksum.Finish(number));
            frame.Reply();
        }
    }
}
