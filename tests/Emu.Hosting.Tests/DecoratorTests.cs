namespace Emu.Hosting.Tests;

public sealed class DecoratorTests
{
    [Fact]
    public void A_trace_has_a_line_for_each_frame_in_and_out()
    {
        var text = new StringWriter { NewLine = "\n" };
        using var port = new TracingPort(new MemoryPort([new(Samples.Frame(1), 1_000_000_005)], "memory"), text, frame => $"frame {Samples.Number(frame)}");
        Samples.Drain(port);
        port.Send(Samples.Frame(2, 100), 2_500_000_000);
        Assert.Equal("1.000000005 < memory 60 frame 1\n2.500000000 > memory 100 frame 2\n", text.ToString());
    }

    [Fact]
    public void A_recording_replays_what_each_port_received_and_holds_what_it_sent()
    {
        using var folder = new TemporaryFolder();
        var path = folder["run.pcapng"];
        TimedFrame[] first = [new(Samples.Frame(0), 1000), new(Samples.Frame(1), 3000)];
        TimedFrame[] second = [new(Samples.Frame(2), 3000)];
        using (var recording = new Recording(path))
        {
            using var a = recording.Add(new MemoryPort(first, "a"));
            using var b = recording.Add(new MemoryPort(second, "b"));
            Samples.AssertSame(first, Samples.Drain(a));
            Samples.AssertSame(second, Samples.Drain(b));
            a.Send(Samples.Frame(9), 3000);
            recording.End(9000);
        }
        using var replayA = new CapturePort(path, null, captureInterface: 0);
        using var replayB = new CapturePort(path, null, captureInterface: 1);
        Samples.AssertSame(first, Samples.Drain(replayA));
        Samples.AssertSame(second, Samples.Drain(replayB));
        Assert.Equal(9000UL, replayA.EndTime);
    }

    [Fact]
    public void A_recorded_frame_never_arrives_before_what_the_run_has_seen()
    {
        using var folder = new TemporaryFolder();
        using var recording = new Recording(folder["run.pcapng"]);
        using var a = recording.Add(new MemoryPort([new(Samples.Frame(0), 1000), new(Samples.Frame(1), 100)], "a"));
        using var b = recording.Add(new MemoryPort([new(Samples.Frame(2), 2000)], "b"));
        var one = new ReceivedFrame[1];
        b.Receive(one);
        Assert.Equal(2000UL, one[0].Time);
        a.Receive(one);
        Assert.Equal(2001UL, one[0].Time);   // at 2000, port 0 would come first in a replay
        recording.Advance(5000);
        a.Receive(one);
        Assert.Equal(5000UL, one[0].Time);
    }

    [Fact]
    public void A_recording_is_readable_whenever_the_run_waits()
    {
        using var folder = new TemporaryFolder();
        using var recording = new Recording(folder["run.pcapng"]);
        using var port = recording.Add(new MemoryPort([new(Samples.Frame(0), 1000)], "a"));
        Samples.Drain(port);
        Assert.Single(CaptureReaderTests.Read(File.ReadAllBytes(folder["run.pcapng"])));
    }

    [Fact]
    public void A_recording_in_pcap_is_refused() => Assert.Equal(2, Assert.Throws<CommandException>(() => new Recording("/nowhere/x.pcap")).ExitCode);
}
