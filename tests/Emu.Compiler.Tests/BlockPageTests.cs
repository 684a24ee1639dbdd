using System.Reflection;
using Emu.Compiler.Layouts;
using Emu.Fuzz;
using Emu.Testing;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>docs/blocks.md: its block and service do what the page says.</summary>
public sealed class BlockPageTests
{
    private static readonly byte[] s_frame =
        Packet.Ethernet(MacAddress.Parse("02:00:00:00:00:01"), MacAddress.Parse("02:00:00:00:00:02")).PaddedTo(60);

    [Theory]
    [InlineData(OptimizationLevel.Debug)]
    [InlineData(OptimizationLevel.Release)]
    public void The_block_on_the_page_does_the_same_on_every_rung(OptimizationLevel level)
    {
        var type = Limiter(level);
        // Bursts from few stations, a quarter of a millisecond apart, so that buckets are full, empty, and in between.
        var frames = FrameSequence.Random(1500)
            .Select((frame, i) => frame with { Time = 1_000_000_000 + (ulong)i * 250_000 }).ToList();
        var options = new LadderOptions
        {
            Outside = TierOptions.Small,
            OutsideFrames = 30,
            Output = line => TestContext.Current.AddWarning(line),
        };
        var result = Ladder.Check(() => New(type, burst: 3), frames, options);
        Assert.InRange(result.Sent, 400, 1400);
        Assert.Contains("the pipeline on 256 bits", result.Rungs);
    }

    [Fact]
    public void A_burst_passes_and_then_a_frame_a_millisecond()
    {
        const ulong Millisecond = 1 << 20;
        var run = new ServiceRun(New(Limiter(OptimizationLevel.Release), burst: 3));
        int Passed(ulong time) => run.Receive(0, s_frame, time).Count;
        Assert.Equal([1, 1, 1, 0, 0], Enumerable.Range(0, 5).Select(_ => Passed(10 * Millisecond)));
        Assert.Equal([1, 0], Enumerable.Range(0, 2).Select(_ => Passed(11 * Millisecond)));
        Assert.Equal([1, 1, 1, 0], Enumerable.Range(0, 4).Select(_ => Passed(20 * Millisecond)));
    }

    [Fact]
    public void The_service_on_the_page_takes_a_frame_every_2_cycles()
    {
        var compiled = HardwareCompiler.Compile(
            New(Limiter(OptimizationLevel.Release), burst: 3), new HardwareOptions());
        Assert.Equal((Layout.Pipeline, 2), (compiled.Layout, compiled.Options.Interval));
    }

    private static Type Limiter(OptimizationLevel level)
    {
        using var reader = new StreamReader(Assembly.GetExecutingAssembly().GetManifestResourceStream("blocks.md")!);
        var code = MarkdownCode.Blocks(reader.ReadToEnd().ReplaceLineEndings("\n"), "csharp").First();
        return SourceAssembly.Load(SourceAssembly.Parse($"Blocks.{level}", level, [("blocks.md", code)]))
            .GetType("BurstLimiter")!;
    }

    private static Service New(Type type, byte burst) => (Service)Activator.CreateInstance(type, burst)!;
}
