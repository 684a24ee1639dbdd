using System.Buffers.Binary;
using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// Checksums of computed lengths over bytes that were moved, and moves of bytes of a frame that was cut, are a
/// pipeline's.
/// </summary>
public sealed class MovedSumsTests
{
    private const int LeastBytes = 40;

    /// <summary>
    /// The bytes that are put in or taken out, and the first of the sum: in front of them, in them, behind.
    /// </summary>
    public static TheoryData<int, int, int, bool> Moves()
    {
        var moves = new TheoryData<int, int, int, bool>();
        foreach (var (at, count, first) in new (int, int, int)[]
        {
            (14, 28, 34), (14, 28, 6), (14, 28, 42), (14, 28, 52), (0, 50, 34), (7, 3, 8), (5, 9, 12), (14, 6, 14),
            (14, -8, 14), (14, -8, 10), (0, -14, 6), (9, -5, 20), (4, -4, 0), (14, 0, 20), (14, 27, 34), (0, 15, 2),
        })
        {
            moves.Add(at, count, first, false);
            moves.Add(at, count, first, true);
        }
        return moves;
    }

    [Theory]
    [MemberData(nameof(Moves))]
    public void A_sum_is_the_same_on_every_rung(int at, int count, int first, bool isCut)
    {
        var result = Ladder.Check(() => new Mover(at, count, first, isCut), Frames(), new LadderOptions
        {
            BusBits = [64, 256],
            Layouts = [Layout.Pipeline],
            Outside = OutsideSimulators.None,
        });
        Assert.True(result.Sent > 100);
    }

    [Theory]
    [InlineData(14, 28, 34, false)]
    [InlineData(14, 28, 34, true)]
    [InlineData(14, 27, 34, false)]
    [InlineData(14, 27, 34, true)]
    [InlineData(14, 28, 42, false)]
    [InlineData(14, -8, 14, false)]
    [InlineData(14, -8, 14, true)]
    public void There_is_no_slow_path(int at, int count, int first, bool isCut)
    {
        var compiled = HardwareCompiler.Compile(
            new Mover(at, count, first, isCut), new HardwareOptions(), Layout.Pipeline);
        Assert.DoesNotContain(
            compiled.Circuit.Design.Sections, section => section.Title == "states of the program");
    }

    /// <summary>Bytes that are moved, or are not, are written between a change of length and the move.</summary>
    [Theory]
    [InlineData(12, true)]
    [InlineData(13, false)]
    [InlineData(20, false)]
    public void Bytes_are_written_before_they_are_moved(int written, bool isFast)
    {
        var result = Ladder.Check(() => new Quoter(written), Frames(), new LadderOptions
        {
            BusBits = [64, 256],
            Layouts = [Layout.Pipeline],
            Outside = OutsideSimulators.None,
        });
        Assert.True(result.Sent > 100);
        var compiled = HardwareCompiler.Compile(new Quoter(written), new HardwareOptions());
        Assert.Equal(isFast, !compiled.Circuit.Design.Sections.Any(part => part.Title == "states of the program"));
    }

    /// <summary>
    /// A frame that got bytes, one of two numbers among them, is cut or filled up before its checksum is computed.
    /// </summary>
    [Theory]
    [InlineData(20)]
    [InlineData(14)]
    public void The_sum_of_an_answer_ends_where_it_was_cut(int at)
    {
        var result = Ladder.Check(() => new Answerer(at), Frames(), new LadderOptions
        {
            BusBits = [64, 256],
            Layouts = [Layout.Pipeline],
            Outside = OutsideSimulators.None,
        });
        Assert.True(result.Sent > 100);
        var compiled = HardwareCompiler.Compile(new Answerer(at), new HardwareOptions());
        Assert.DoesNotContain(
            compiled.Circuit.Design.Sections, section => section.Title == "states of the program");
    }

    /// <summary>As many bytes go as is computed, or eight; then more are cut.</summary>
    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 0)]
    [InlineData(true, 3)]
    [InlineData(false, 3)]
    public void A_frame_that_was_cut_loses_bytes_at_its_front(bool isComputed, int cutAgain)
    {
        var result = Ladder.Check(() => new Trimmer(isComputed, cutAgain), Frames(), new LadderOptions
        {
            BusBits = [64, 256],
            Layouts = [Layout.Pipeline],
            Outside = OutsideSimulators.None,
        });
        Assert.True(result.Sent > 100);
    }

    /// <summary>Of all lengths; many end in zeros, and some are nothing else.</summary>
    private static List<IncomingFrame> Frames()
    {
        var random = new Random(3);
        return [.. Enumerable.Range(0, 300).Select(i =>
        {
            var bytes = new byte[LeastBytes + i % 90];
            if (i % 10 != 9) random.NextBytes(bytes.AsSpan(0, bytes.Length - random.Next(bytes.Length / 2)));
            bytes[0] = (byte)random.Next(130);
            return new IncomingFrame(i % Subject.Ports, bytes, 1000 * (ulong)i);
        })];
    }

    /// <summary>Cuts or fills up, puts in or takes out, and writes a checksum to the front.</summary>
    private sealed class Mover(int at, int count, int first, bool isCut) : Service
    {
        public override void Process(ref Frame frame)
        {
            var length = frame.Bytes[0];
            frame.Bytes[at + 1] += 5;
            if (isCut) frame.Resize(Math.Max(LeastBytes, (int)length));
            if (count > 0)
            {
                frame.Insert(at, count);
                frame.Bytes[at] = 0xAB;
                BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[at..], length);
            }
            else if (count < 0)
            {
                frame.Remove(at, -count);
            }
            var sum = InternetChecksum.Compute(frame.Bytes[first..]);
            BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes, sum);
            frame.Reply();
        }
    }

    /// <summary>Puts what begins a frame behind a header, with a checksum over it, and cuts off the rest.</summary>
    private sealed class Quoter(int written) : Service
    {
        public override void Process(ref Frame frame)
        {
            if ((frame.Bytes[1] & 3) == 0)
            {
                frame.Flood();
                return;
            }
            var quoted = Math.Min(frame.Length - 14, (int)frame.Bytes[0]);
            frame.Resize(14 + 28 + quoted);
            BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[written..], 0xABCD);
            frame.Bytes.Slice(14, quoted).CopyTo(frame.Bytes[42..]);
            var sum = InternetChecksum.Compute(frame.Bytes[34..]);
            BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[36..], sum);
            frame.Reply();
        }
    }

    /// <summary>Puts a number into a request, says which of two answers it is, and cuts the rest or fills up.</summary>
    private sealed class Answerer(int at) : Service
    {
        public override void Process(ref Frame frame)
        {
            var length = Math.Max(LeastBytes, (int)frame.Bytes[0]);
            frame.Insert(at, 8);
            frame.Bytes[9] = (frame.Bytes[1] & 1) != 0 ? (byte)2 : (byte)3;
            BinaryPrimitives.WriteUInt64BigEndian(frame.Bytes[at..], 0x0123_4567_89AB_CDEF);
            frame.Resize(length);
            var sum = InternetChecksum.Compute(frame.Bytes[6..length]);
            BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes, sum);
            frame.Reply();
        }
    }

    /// <summary>Cuts or fills up, takes out, and cuts once more.</summary>
    private sealed class Trimmer(bool isComputed, int cutAgain) : Service
    {
        public override void Process(ref Frame frame)
        {
            var count = isComputed ? 1 + (frame.Bytes[1] & 7) : 8;
            frame.Resize(Math.Max(LeastBytes, (int)frame.Bytes[0]));
            frame.Remove(14, count);
            if (cutAgain > 0) frame.Resize(frame.Length - cutAgain);
            frame.Reply();
        }
    }
}
