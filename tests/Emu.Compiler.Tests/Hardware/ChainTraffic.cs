using System.Buffers.Binary;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Frames with a chain of parts, each of which says its length.</summary>
internal static class ChainTraffic
{
    /// <summary>
    /// Chains of up to four parts, some of which go beyond the frame's end, in frames of all lengths; half of the sums
    /// behind them are all ones.
    /// </summary>
    public static List<IncomingFrame> Of(int count)
    {
        var random = new Random(31);
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            var bytes = new byte[i % 50 == 49 ? 1600 : 14 + random.Next(i % 5 == 0 ? 300 : 60)];
            random.NextBytes(bytes);
            bytes[1] &= 63;
            var at = 14;
            for (var parts = random.Next(5); parts > 0 && at + 1 < bytes.Length; parts--)
            {
                bytes[at] = 1;
                bytes[at + 1] = (byte)random.Next(random.Next(6) == 0 ? 256 : 12);
                at += 2 + bytes[at + 1];
            }
            if (at + 4 <= bytes.Length) Finish(bytes.AsSpan(at), random);
            return new IncomingFrame(random.Next(Subject.Ports), bytes, 1000 * (ulong)i);
        })];
    }

    private static void Finish(Span<byte> rest, Random random)
    {
        rest[0] &= 0xFE;
        if (random.Next(2) == 0) return;
        rest[2..4].Clear();
        BinaryPrimitives.WriteUInt16BigEndian(rest[2..], (ushort)~InternetChecksum.Sum(rest));
    }
}
