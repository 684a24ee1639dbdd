using System.Buffers.Binary;
using Emu.Testing;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>What compiles, subject by subject: the suite's services on every rung, as the C# compiler makes them for Debug and for Release.</summary>
public sealed class SuiteTests
{
    private const int Frames = 60;

    public static TheoryData<string> Debug => [.. Suite.Services(OptimizationLevel.Debug)];

    public static TheoryData<string> Release => [.. Suite.Services(OptimizationLevel.Release)];

    [Theory]
    [MemberData(nameof(Debug))]
    public void A_Debug_build_is_the_same_on_every_rung(string service) => Check(OptimizationLevel.Debug, service);

    [Theory]
    [MemberData(nameof(Release))]
    public void A_Release_build_is_the_same_on_every_rung(string service) => Check(OptimizationLevel.Release, service);

    private static void Check(OptimizationLevel level, string service)
    {
        var random = new Random(1);
        var frames = Enumerable.Range(0, Frames).Select(i => new IncomingFrame(random.Next(Subject.Ports), FrameOf(random), (ulong)i * 400_000_000)).ToList();
        var difference = Ladder.Difference(() => Suite.Construct(level, service), frames);
        Assert.True(difference is null, difference);
    }

    /// <summary>A header, then 2 to 8 numbers at the edges of every width.</summary>
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
        var any = new Int128((ulong)random.NextInt64(long.MinValue, long.MaxValue), (ulong)random.NextInt64(long.MinValue, long.MaxValue));
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
