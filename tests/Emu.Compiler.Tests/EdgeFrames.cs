using System.Buffers.Binary;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Frames of a header, then 5 to 8 numbers at the edges of every width.</summary>
internal static class EdgeFrames
{
    /// <summary>So many frames, the same each time.</summary>
    public static IReadOnlyList<IncomingFrame> Of(int count)
    {
        var random = new Random(1);
        return
        [
            .. Enumerable.Range(0, count)
                .Select(i => new IncomingFrame(random.Next(Subject.Ports), FrameOf(random), (ulong)i * 400_000_000)),
        ];
    }

    private static byte[] FrameOf(Random random)
    {
        var frame = new byte[14 + PureMethodService.SlotSize * random.Next(5, 9)];
        random.NextBytes(frame.AsSpan(0, 14));
        for (var offset = 14; offset < frame.Length; offset += PureMethodService.SlotSize)
            BinaryPrimitives.WriteInt128BigEndian(frame.AsSpan(offset), Number(random));
        return frame;
    }

    private static Int128 Number(Random random)
    {
        Int128[] widths = [7, 8, 15, 16, 31, 32, 63, 64, 127];
        var edge = Int128.One << (int)widths[random.Next(widths.Length)];
        ulong Half() => (ulong)random.NextInt64(long.MinValue, long.MaxValue);
        var any = new Int128(Half(), Half());
        return random.Next(5) switch
        {
            0 => random.Next(-3, 4),
            1 => random.Next(-140, 140),
            2 => edge + random.Next(-2, 2),
            3 => -edge + random.Next(-2, 2),
            _ => any >> random.Next(128),
        };
    }
}
