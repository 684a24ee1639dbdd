using Emu.Compiler.Layouts;

namespace Emu.Testing.Tests;

public class LadderTests
{
    private static readonly LadderOptions s_inside = new() { Outside = OutsideSimulators.None };

    [Fact]
    [Slow("Icarus, Verilator")]
    public void What_was_compared_is_told()
    {
        var options = new LadderOptions { BusBits = [64, 512], OutsideFrames = 20, Output = _ => { } };
        var result = Ladder.Check(() => new EvenMirror(), FrameSequence.Random(200), options);

        Assert.Equal(200, result.Received);
        Assert.InRange(result.Sent, 50, 150);
        Assert.Equal([".NET", "the interpreter", "the optimised IR"], result.Rungs.Take(3));
        Assert.Contains("the pipeline on 64 bits", result.Rungs);
        Assert.Contains("the engine on 512 bits with stalls of seed 1", result.Rungs);
        // Either where it ran or why it did not.
        foreach (var simulator in new[] { "Icarus", "Verilator" })
        {
            var ran = result.Rungs.Where(r =>
                    r.EndsWith($"in {simulator}, the first 20 frames", StringComparison.Ordinal))
                .ToList();
            var skipped = result.Skipped.Where(s => s.StartsWith(simulator, StringComparison.Ordinal)).ToList();
            Assert.Equal(skipped.Count == 0, ran.Count > 0);
        }
        Assert.StartsWith($"200 frames in, {result.Sent} out, the same on:\n  .NET\n", result.ToString());
    }

    [Fact]
    public void A_service_that_is_not_made_equal_each_time_differs_at_its_first_frame()
    {
        byte made = 0;
        var frame = Packet.Ethernet(new MacAddress(1), new MacAddress(2), type: 0x0800).Payload("?");

        var message = Message(() =>
            Ladder.Check(() => new Stamp(++made), FrameSequence.Of([frame, frame, frame], port: 2), s_inside));

        Assert.StartsWith(
            "Stamp on the optimised IR differs from .NET at frame 0 of 3: a frame left with other bytes\n"
            + "frame 0, received by port 2",
            message);
        var rows = message.Split('\n');
        Assert.Contains(rows, row => row.Contains("00:00:00:00:00:02", StringComparison.Ordinal));
        Assert.Contains(rows, row =>
            row.StartsWith('*') && row.Contains("0x0801", StringComparison.Ordinal)
            && row.Contains("0x0802", StringComparison.Ordinal));
        Assert.Contains("again with Of(frames), of which the first 1 are enough", rows);
    }

    [Fact]
    public void A_difference_that_shows_only_in_the_state_is_traced_to_its_frame()
    {
        var frames = FrameSequence.Random(50, seed: 3);
        var message = Message(() => Check(frames, new LyingRung(outcome => outcome with
        {
            State = [.. outcome.State.Select(s => (s.Name, (UInt128[])[.. s.Elements.Select(e => e > 6 ? e + 1 : e)]))],
        })));

        var seventh = Enumerable.Range(0, frames.Count)
            .Where(i => frames[i].Bytes.Length >= 14 && frames[i].Bytes[11] % 2 == 0).ElementAt(6);
        Assert.StartsWith($"EvenMirror on a liar differs from .NET at frame {seventh} of 50: ", message);
        Assert.Contains(" is 8, should be 7\n", message);
        Assert.EndsWith($"again with Random(50, 3, 4), of which the first {seventh + 1} are enough", message);
    }

    [Fact]
    public void Of_a_circuit_a_missing_and_a_needless_frame_are_traced_by_their_times()
    {
        var sample = Packet.Ethernet(new MacAddress(2), new MacAddress(1)).PaddedTo(60);
        var frames = FrameSequence.Of(Enumerable.Repeat(sample.ToArray(), 9));
        Assert.StartsWith("EvenMirror on a liar differs from .NET at frame 4 of 9: a frame is missing\n",
            Message(() => Check(frames, InAll(sent => sent.RemoveAt(4)))));
        Assert.StartsWith("EvenMirror on a liar differs from .NET at frame 8 of 9: a frame is missing\n",
            Message(() => Check(frames, InAll(sent => sent.RemoveAt(8)))));
        Assert.StartsWith("EvenMirror on a liar differs from .NET at frame 5 of 9: a frame left that should not\n",
            Message(() => Check(frames, InAll(sent => sent.Insert(5, sent[5])))));
        Assert.StartsWith(
            "EvenMirror on a liar differs from .NET at frame 3 of 9: a frame left by port 1, should by 0\n",
            Message(() => Check(frames, InAll(sent => sent[3] = sent[3] with { Ports = PortSet.Parse("1") }))));
    }

    [Fact]
    public void What_a_service_is_not_held_to_is_shown_with_the_reason()
    {
        var shown = new List<string>();
        var result = Ladder.Check(() => new Relay(), FrameSequence.Random(20), s_inside with { Output = shown.Add });
        Assert.Equal("the pipeline on 256 bits", Assert.Single(result.Skipped).Split(": ")[0]);
        Assert.Equal(result.Skipped.Select(s => $"Relay is not held to {s}"), shown);
    }

    [Fact]
    public void Ticks_begin_with_the_first_frame()
    {
        var result = Ladder.Check(() => new Clock(), FrameSequence.Random(20), s_inside with { Output = _ => { } });
        Assert.InRange(result.Sent, 5, 24);
    }

    [Fact]
    public void A_layout_that_was_asked_for_must_be_had()
    {
        var message = Message(() =>
            Ladder.Check(
                () => new Relay(),
                FrameSequence.Random(20),
                s_inside with { Layouts = [Compiler.Layouts.Layout.Pipeline] }));
        Assert.StartsWith("Relay does not compile as the pipeline on 256 bits: EMU", message);
    }

    [Fact]
    public void What_does_not_compile_fails_with_its_diagnostic()
    {
        var message = Message(() => Ladder.Check(() => new Allocating(), FrameSequence.Random(5), s_inside));
        Assert.StartsWith("Allocating does not compile: EMU", message);
    }

    [Fact]
    public void Several_engines_are_rungs_of_a_service_that_can_have_them()
    {
        var result = Ladder.Check(
            () => new Stamp(1), FrameSequence.Random(40), s_inside with { Layouts = [Layout.Engine], Engines = 3 });
        Assert.Contains("3 engines on 256 bits", result.Rungs);
    }

    [Fact]
    public void A_frame_at_a_port_that_the_device_does_not_have_is_a_mistake_of_the_test() =>
        Assert.Throws<ArgumentException>(() =>
            Ladder.Check(() => new Stamp(1), FrameSequence.Of([[1]], port: 2), s_inside with { Ports = 2 }));

    private static string Message(Action check) => Assert.Throws<TestFailedException>(check).Message;

    private static void Check(IReadOnlyList<IncomingFrame> frames, Rung rung)
    {
        var subject = new Subject(() => new EvenMirror());
        new LadderCheck(subject, frames, s_inside).Compare([rung], subject, frames);
    }

    private static LyingRung InAll(Action<List<SentFrame>> change) => new(outcome =>
    {
        List<SentFrame> sent = [.. outcome.Events.SelectMany(e => e.Sent)];
        change(sent);
        return outcome with { Events = [new EventOutcome(sent, [])] };
    }, isInAll: true);

    /// <summary>Does what the IR says, and tells otherwise.</summary>
    private sealed class LyingRung(Func<Outcome, Outcome> lie, bool isInAll = false) : Rung
    {
        public override string Name => "a liar";

        public override bool IsInAll => isInAll;

        public override Outcome Run(Subject subject, IReadOnlyList<IncomingFrame> frames) =>
            lie(new InterpreterRung().Run(subject, frames));
    }
}
