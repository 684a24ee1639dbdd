using Emu.Compiler.Layouts;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// Holds services to .NET on frames that a test makes; all checks of a subject share what the compiler makes of it.
/// </summary>
internal static class Agreement
{
    private static readonly Rung[] s_pipelines =
    [
        new HardwareRung("pipeline", Layout.Pipeline),
        new HardwareRung("pipeline, source stalls", Layout.Pipeline, source: StallPattern.Random(1, 0.4)),
        new HardwareRung(
            "pipeline, 64 bits, both stall", Layout.Pipeline, busBits: 64,
            source: StallPattern.Random(2, 0.4), sink: StallPattern.Random(4, 0.4)),
        new HardwareRung("pipeline, 64 bits", Layout.Pipeline, busBits: 64),
        new HardwareRung("pipeline, 512 bits", Layout.Pipeline, busBits: 512, sink: StallPattern.Random(5, 0.4)),
        new HardwareRung("pipeline, 128 bits", Layout.Pipeline, busBits: 128, sink: StallPattern.Random(3, 0.4)),
    ];

    public static void Check(Subject service, IReadOnlyList<IncomingFrame> frames, IReadOnlyList<Rung> rungs)
    {
        var difference = Ladder.Difference(service.Again(), frames, [new DotNetRung(), .. rungs]);
        Assert.True(difference is null, difference);
    }

    /// <summary>On all rungs without a circuit, and as a pipeline on each bus, with stalls; a share of these.</summary>
    public static void CheckPipelines(Subject service, IReadOnlyList<IncomingFrame> frames) =>
        Check(service, frames, [.. Ladder.Rungs.Skip(1), .. s_pipelines.Share(2)]);

    /// <summary>
    /// On all rungs without a circuit, in the engine, and as a pipeline on three buses, with stalls and without.
    /// </summary>
    /// <param name="service">The service.</param>
    /// <param name="frames">The frames.</param>
    /// <param name="interval">The cycles between two frames in the pipeline.</param>
    public static LadderResult CheckBuses(Subject service, IReadOnlyList<IncomingFrame> frames, int interval = 2)
    {
        var pipelines = LadderFrames.Options with
        {
            BusBits = [64, 256, 512],
            Layouts = [Layout.Pipeline],
            Interval = interval,
            Outside = OutsideSimulators.None,
        };
        LadderFrames.Check(service, frames, pipelines);
        return LadderFrames.Check(service, frames, pipelines with { BusBits = [256], Layouts = [Layout.Engine] });
    }

    /// <summary>As a pipeline in another simulator; skipped where there is none.</summary>
    public static void CheckOutside(
        Subject service, IReadOnlyList<IncomingFrame> frames, OutsideSimulator outside)
    {
        if (outside.WhyNot is { } whyNot) Assert.Skip(whyNot);
        Check(service, frames, [new OutsideRung(outside, Layout.Pipeline)]);
    }
}
