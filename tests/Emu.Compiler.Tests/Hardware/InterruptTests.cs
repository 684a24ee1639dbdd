using Emu.Compiler.Diagnostics;
using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Events that wait for frames, and those that are handled inside them.</summary>
public sealed class InterruptTests
{
    private const ulong Start = 1_700_000_000_000_000_000;

    [Fact]
    public void Frames_inside_an_event_are_handled_at_once_and_those_held_after_it()
    {
        var sent = Sent([0x0800, WaitingSwitch.Stop, 0x0801, WaitingSwitch.Ask, 0x0802, 0x0803, WaitingSwitch.Mark,
            WaitingSwitch.Go, 0x0804]);
        // The third frame that would have to be held is lost. The two held come after the one that was stopped.
        Assert.Equal(
            [(0x0800, 1), (WaitingSwitch.Ask, 0), (WaitingSwitch.Go, 0), (WaitingSwitch.Stop, 2), (0x0801, 3),
            (0x0802, 4), (0x0804, 5)],
            sent);
    }

    [Fact]
    public void A_frame_that_was_held_can_wait_in_its_turn()
    {
        var sent = Sent([WaitingSwitch.Stop, WaitingSwitch.Stop, 0x0801, WaitingSwitch.Go, 0x0802, WaitingSwitch.Go]);
        // 0802 finds 0801 still held, behind which there is room for it.
        Assert.Equal(
            [(WaitingSwitch.Go, 0), (WaitingSwitch.Stop, 1), (WaitingSwitch.Go, 0), (WaitingSwitch.Stop, 2),
            (0x0801, 3), (0x0802, 4)],
            sent);
    }

    [Fact]
    public void An_event_that_waits_at_the_end_of_a_run_does_not_end() =>
        Assert.Equal([(0x0800, 1)], Sent([0x0800, WaitingSwitch.Stop, 0x0801]));

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Random_frames_have_one_outcome_on_every_rung(int seed) => Ladder.Check(
        () => new WaitingSwitch(), Frames(seed, 400), new LadderOptions
        {
            Outside = seed == 1 ? OutsideSimulators.Icarus : OutsideSimulators.None,
            OutsideFrames = 60,
        });

    [Fact]
    public void Ticks_wait_until_an_event_is_over_and_can_wait_themselves() => Ladder.Check(
        () => new WaitingClock(), Frames(3, 400),
        new LadderOptions { Outside = OutsideSimulators.Icarus, OutsideFrames = 60 });

    [Fact]
    public void A_hold_that_is_no_constant_is_refused()
    {
        var refusal = Assert.Throws<CompileException>(
            () => HardwareCompiler.Compile(new HoldsAsManyAsTheFrameSays(), new HardwareOptions()));
        Assert.Contains("TryHold", refusal.Message);
        Assert.Contains(nameof(HoldsAsManyAsTheFrameSays), $"{refusal.Location}");
    }

    [Fact]
    public void A_pipeline_leaves_events_that_wait_to_its_slow_path()
    {
        var compiled = HardwareCompiler.Compile(new WaitingSwitch(), new HardwareOptions());
        Assert.Equal((Layout.Pipeline, 2), (compiled.Layout, compiled.Options.Interval));
        Assert.Contains(compiled.SlowPaths, exit => exit.Reason == "a loop has no constant bound");
    }

    private static List<IncomingFrame> Frames(int seed, int count)
    {
        var random = new Random(seed);
        int[] types = [0x0800, 0x0806, WaitingSwitch.Stop, WaitingSwitch.Go, WaitingSwitch.Ask, WaitingSwitch.Mark,
            WaitingSwitch.Go, WaitingSwitch.Fault];
        return [.. Enumerable.Range(0, count).Select(i =>
            Of(types[random.Next(types.Length)], i, random.Next(10) == 0 ? random.Next(1, 20) : random.Next(20, 200),
                random))];
    }

    private static IncomingFrame Of(int type, int i, int length, Random random)
    {
        var bytes = new byte[length];
        random.NextBytes(bytes);
        if (length > 13) (bytes[12], bytes[13]) = ((byte)(type >> 8), (byte)type);
        if (length > 14) bytes[14] = (byte)(random.Next(3) == 0 ? random.Next(0xFC, 0x100) : random.Next(8));
        return new IncomingFrame(random.Next(4), bytes, Start + (ulong)i * 1000);
    }

    /// <summary>The types of the frames that leave, each with its number, of frames of some types.</summary>
    private static List<(int Type, int Number)> Sent(int[] types)
    {
        var frames = types.Select((type, i) =>
        {
            var bytes = new byte[60];
            (bytes[12], bytes[13]) = ((byte)(type >> 8), (byte)type);
            return new IncomingFrame(0, bytes, Start + (ulong)i * 1000);
        });
        return [.. HostedRun.Run(new WaitingSwitch(), 4, [.. frames]).SelectMany(outcome => outcome.Sent)
            .Select(sent => (sent.Bytes[12] << 8 | sent.Bytes[13], (int)sent.Bytes[15]))];
    }
}
