using Emu.Compiler.Layouts;
using Emu.Services;
using Emu.Simulation;

namespace Emu.Compiler.Tests;

/// <summary>Stalls change nothing but the time: whatever the sides do, the circuit sends what .NET sends.</summary>
[Slow("time")]
public sealed class StallTests
{
    private const int LongestUntagged = 1514;

    public static TheoryData<string, Layout?, int> Circuits => new()
    {
        { nameof(LearningSwitch), Layout.Pipeline, 64 },
        { nameof(LearningSwitch), Layout.Pipeline, 128 },
        { nameof(LearningSwitch), Layout.Pipeline, 256 },
        { nameof(LearningSwitch), Layout.Pipeline, 512 },
        { nameof(LearningSwitch), Layout.Engine, 256 },
        { nameof(IcmpEcho), Layout.Pipeline, 64 },
        { nameof(IcmpEcho), Layout.Pipeline, 128 },
        { nameof(IcmpEcho), Layout.Pipeline, 256 },
        { nameof(IcmpEcho), Layout.Pipeline, 512 },
        { nameof(IcmpEcho), Layout.Engine, 64 },
        { nameof(IcmpEcho), Layout.Engine, 256 },
        { nameof(IcmpEcho), Layout.Engine, 512 },
        { nameof(RareFrames), Layout.Pipeline, 64 },
        { nameof(RareFrames), Layout.Pipeline, 256 },
        { nameof(RareFrames), Layout.Pipeline, 512 },
        { nameof(VlanEdge), Layout.Pipeline, 64 },
        { nameof(VlanEdge), Layout.Pipeline, 256 },
        { nameof(VlanEdge), Layout.Pipeline, 512 },
    };

    private static StallPattern[] Patterns =>
        [
            StallPattern.None, StallPattern.Random(1, 0.5), StallPattern.Bursts(2, 40), StallPattern.OneIn(3),
            StallPattern.BeforeLastBeat(7),
        ];

    [Theory]
    [MemberData(nameof(Circuits))]
    public void Every_pattern_on_both_sides(string service, Layout? layout, int busBits)
    {
        var random = new Random(busBits);
        var frames = HardwareSubject.Frames(service, Enumerable.Range(0, 60).Select(_ => random.Next(14, 200)));
        var expected = HardwareSubject.OnDotNet(service, frames);
        foreach (var source in Patterns)
        {
            foreach (var sink in Patterns.SkipLast(1))
            {
                using var bench = new Bench(HardwareSubject.Simulator(service, layout, busBits), source, sink);
                HardwareSubject.AssertEqual(expected, HardwareSubject.Drive(bench, frames));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Circuits))]
    public void Every_length_back_to_back(string service, Layout? layout, int busBits)
    {
        // Too short and too long frames are dropped, and the next one is served.
        var step = layout == Layout.Engine ? 7 : 1;
        var lengths = Enumerable.Range(1, LongestUntagged + 100)
            .Where(length => length < 140 || length % step == 0 || length > LongestUntagged - 10);
        var frames = HardwareSubject.Frames(service, lengths);
        using var bench = new Bench(HardwareSubject.Simulator(service, layout, busBits));
        HardwareSubject.AssertEqual(HardwareSubject.OnDotNet(service, frames), HardwareSubject.Drive(bench, frames));
    }

    [Theory]
    [MemberData(nameof(Circuits))]
    public void Reset_in_the_middle_of_a_frame_leaves_a_clean_machine(string service, Layout? layout, int busBits)
    {
        var frames = HardwareSubject.Frames(service, Enumerable.Repeat(300, 20));
        ResetInAFrame.Check(
            frames, HardwareSubject.OnDotNet(service, frames),
            () => HardwareSubject.Simulator(service, layout, busBits));
    }

    [Theory]
    [MemberData(nameof(Circuits))]
    public void A_reset_by_register_restores_what_the_constructor_left(string service, Layout? layout, int busBits)
    {
        const int ResetRegister = 0x08;
        var frames = HardwareSubject.Frames(service, Enumerable.Repeat(80, 30));
        var expected = HardwareSubject.OnDotNet(service, frames);
        using var bench = new Bench(HardwareSubject.Simulator(service, layout, busBits));
        HardwareSubject.AssertEqual(expected, HardwareSubject.Drive(bench, frames));
        bench.Registers.Write(ResetRegister, 1);
        HardwareSubject.AssertEqual(expected, HardwareSubject.Drive(bench, frames).Skip(expected.Count).ToList());
    }
}
