using System.Buffers.Binary;

namespace Emu.Hosting.Tests;

/// <summary>Frames that tell each other apart, and ways to drain a port.</summary>
internal static class Samples
{
    /// <summary>A time in 2023, in nanoseconds.</summary>
    public const ulong Start = 1_700_000_000_000_000_001;

    /// <summary>An Ethernet frame of the experimental EtherType 0x88B5 that bears a number.</summary>
    public static byte[] Frame(int number, int length = 60)
    {
        var frame = new byte[length];
        "\x02\0\0\0\0\x02"u8.CopyTo(frame);
        "\x02\0\0\0\0\x01"u8.CopyTo(frame.AsSpan(6));
        BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(12), 0x88B5);
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(14), number);
        for (var i = 18; i < length; i++) frame[i] = (byte)(i + number);
        return frame;
    }

    /// <summary>The number that a frame bears.</summary>
    public static int Number(ReadOnlySpan<byte> frame) => BinaryPrimitives.ReadInt32BigEndian(frame[14..]);

    /// <summary>Frames 0 to count - 1, a microsecond apart.</summary>
    public static TimedFrame[] Sequence(int count, ulong step = 1000) =>
        [.. Enumerable.Range(0, count).Select(i => new TimedFrame(Frame(i, 60 + i % 1455), Start + (ulong)i * step))];

    /// <summary>Copies of all frames that a port that is not live has.</summary>
    public static List<TimedFrame> Drain(Port port, int batchLength = 7)
    {
        var all = new List<TimedFrame>();
        var batch = new ReceivedFrame[batchLength];
        while (port.Receive(batch) is > 0 and var count)
        {
            foreach (var frame in batch.AsSpan(0, count)) all.Add(new TimedFrame(frame.Bytes.ToArray(), frame.Time));
        }
        return all;
    }

    /// <summary>Fails with the first frame that differs.</summary>
    public static void AssertSame(IReadOnlyList<TimedFrame> expected, IReadOnlyList<TimedFrame> actual)
    {
        for (var i = 0; i < Math.Min(expected.Count, actual.Count); i++)
        {
            Assert.True(
                expected[i].Time == actual[i].Time, $"frame {i}: time {actual[i].Time} instead of {expected[i].Time}");
            var (wanted, got) = (Convert.ToHexString(expected[i].Bytes), Convert.ToHexString(actual[i].Bytes));
            Assert.True(wanted == got, $"frame {i}: {got} instead of {wanted}");
        }
        Assert.Equal(expected.Count, actual.Count);
    }
}
