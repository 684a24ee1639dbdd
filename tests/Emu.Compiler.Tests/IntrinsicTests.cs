using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Emu.Compiler.Frontend;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>A method that is marked as an operation is that operation, whoever wrote it.</summary>
public sealed class IntrinsicTests
{
    [Fact]
    public void Where_a_sum_has_no_unit_the_same_is_computed()
    {
        var random = new Random(3);
        for (var round = 0; round < 20_000; round++)
        {
            var bytes = new byte[random.Next(round < 10_000 ? 8 : 300)];
            random.NextBytes(bytes);
            if (round % 3 == 0) Array.Fill(bytes, (byte)(round % 2 == 0 ? 0 : 0xFF));
            Assert.Equal(InternetChecksum.Sum(bytes), IntrinsicExpansions.OnesComplementSum(bytes));
            var number = (ulong)random.NextInt64() << random.Next(64);
            Assert.Equal(InternetChecksum.Finish(number), (ushort)~IntrinsicExpansions.OnesComplementFold(number));
        }
    }

    [Fact]
    public void A_method_of_the_user_is_an_operation_when_it_is_marked()
    {
        var marked = Ladder.Check(() => new OwnSum(), FrameSequence.Random(200));
        Assert.Contains(marked.Rungs, rung => rung.StartsWith("the pipeline on 256 bits", StringComparison.Ordinal));
    }

    [Fact]
    public void A_span_of_time_is_its_ticks()
    {
        var timed = Ladder.Check(() => new Deadline(TimeSpan.FromMilliseconds(3)), FrameSequence.Random(200));
        Assert.Contains(timed.Rungs, rung => rung.StartsWith("the pipeline on 256 bits", StringComparison.Ordinal));
    }

    [Fact]
    public void Over_an_array_it_is_computed() => Ladder.Check(() => new SumOfArray(), FrameSequence.Random(100));

    /// <summary>Forwards what comes a while after the last, with the time between in ticks of .NET.</summary>
    public sealed class Deadline(TimeSpan least) : Service
    {
        private TimeSpan _last;

        public override void Process(ref Frame frame)
        {
            var now = new TimeSpan((long)(frame.Time / TimeSpan.NanosecondsPerTick));
            var passed = new TimeSpan(now.Ticks - _last.Ticks);
            _last = now;
            if (frame.Length < 60 || passed.Ticks < least.Ticks) return;
            BinaryPrimitives.WriteInt64BigEndian(frame.Bytes[14..], passed.Ticks);
            frame.Bytes[22] = (byte)passed.Milliseconds;
            frame.Reply();
        }
    }

    /// <summary>Leaves the sum of all words behind the header in it, by code that compiles as nothing else.</summary>
    public sealed class OwnSum : Service
    {
        public override void Process(ref Frame frame)
        {
            var sum = Sum(frame.Bytes[14..]);
            (frame.Bytes[12], frame.Bytes[13]) = ((byte)(sum >> 8), (byte)sum);
            frame.Reply();
        }

        [Intrinsic(IntrinsicOperation.OnesComplementSum)]
        private static ushort Sum(ReadOnlySpan<byte> bytes)
        {
            var sum = 0u;
            foreach (var word in MemoryMarshal.Cast<byte, ushort>(bytes)) sum += word;
            if ((bytes.Length & 1) != 0) sum += bytes[^1];
            while (sum > 0xFFFF) sum = (sum & 0xFFFF) + (sum >> 16);
            return BinaryPrimitives.ReverseEndianness((ushort)sum);
        }
    }

    /// <summary>Sums the first bytes of the last eight frames.</summary>
    private sealed class SumOfArray : Service
    {
        private readonly byte[] _last = new byte[8];
        private byte _next;

        public override void Process(ref Frame frame)
        {
            _last[_next++ & 7] = frame.Bytes[5];
            var sum = InternetChecksum.Sum(_last);
            (frame.Bytes[12], frame.Bytes[13]) = ((byte)(sum >> 8), (byte)sum);
            frame.Reply();
        }
    }
}
