namespace Emu.Hosting.Tests;

public sealed class RunRecordingTests
{
    [Fact]
    public void A_recorded_run_replays_with_the_same_frames_at_the_same_times_in_the_same_order()
    {
        using var folder = new TemporaryFolder();
        var path = folder["run.pcapng"];
        // Times that go back, and ties between ports.
        TimedFrame[] first = [new(Samples.Frame(0), 1000), new(Samples.Frame(1), 900), new(Samples.Frame(2), 3000)];
        TimedFrame[] second = [new(Samples.Frame(3), 1000), new(Samples.Frame(4), 3000)];
        var (sentA, sentB) = Run(new MemoryPort(first, "a"), new MemoryPort(second, "b"), path);
        Assert.Equal(5, sentA.Count + sentB.Count);

        var (replayedA, replayedB) = Run(
            new CapturePort(path, folder["a.pcap"], 0), new CapturePort(path, folder["b.pcap"], 1), null);

        Assert.Empty(replayedA.Concat(replayedB)); // those went into the files
        Samples.AssertSame(sentA, Samples.Drain(new CapturePort(folder["a.pcap"], null)));
        Samples.AssertSame(sentB, Samples.Drain(new CapturePort(folder["b.pcap"], null)));
    }

    [Fact]
    public void A_recording_in_pcap_is_refused() =>
        Assert.Equal(2, Assert.Throws<CommandException>(() => new RunRecording("/nowhere/x.pcap", ["a"])).ExitCode);

    private static (IReadOnlyList<TimedFrame> A, IReadOnlyList<TimedFrame> B) Run(Port a, Port b, string? record)
    {
        using (a)
        using (b)
        {
            using var recording = record is null ? null : new RunRecording(record, [a.Name, b.Name]);
            using var runner = new ServiceRunner(new Numbering(), [a, b], recording: recording);
            runner.Run(CancellationToken.None);
            return ((a as MemoryPort)?.Sent ?? [], (b as MemoryPort)?.Sent ?? []);
        }
    }

    /// <summary>Floods frames with a number in them, so that their order shows.</summary>
    private sealed class Numbering : Service
    {
        private byte _number;

        public override void Process(ref Frame frame)
        {
            frame.Bytes[^1] = _number++;
            frame.Flood();
        }
    }
}
