using Emu.Direction.Weaving;
using Emu.Testing;

namespace Emu.Direction.Tests;

/// <summary>Services that are stopped, at a method, at a line, and when a variable has been written.</summary>
public sealed class StopTests : IDisposable
{
    private const string Features = "print,set,break:Process+frame.Length,break:Other,watch:_balance";

    private readonly Woven _woven = new();

    public void Dispose() => _woven.Dispose();

    [Fact]
    public void A_stopped_service_has_done_what_stands_before_the_point_and_nothing_after()
    {
        var session = new RecordedSession()
            .Do("break Process if frame.Length > 100").Receive(Frame(60, 1)).Receive(Frame(200, 2))
            .Do("status").Do("print Frames").Receive(Frame(61, 3)).Do("set Frames = 10").Do("continue")
            .Do("print Frames").Do("continue").Do("unbreak Process").Receive(Frame(201, 4)).Do("print Frames");
        var sent = Run(session);
        Assert.Equal(
            ["17 variables; 7 requests done, 0 packets not authentic", "stopped at break Process", "Frames = 1",
            "Frames = 10", "Frames = 12", "the service is not stopped", "Frames = 13"],
            session.Transcript(sent));
        Assert.Equal([60, 200, 61, 201], Own(sent).Select(frame => frame.Bytes.Length));
    }

    [Fact]
    public void A_watch_stops_behind_the_write()
    {
        var session = new RecordedSession()
            .Do("watch _balance if _balance < 0").Receive(Frame(60, 1)).Receive(Frame(60, 1))
            .Do("print _balance").Do("set _balance = 5").Do("continue").Do("print _balance").Do("unwatch _balance");
        var sent = Run(session);
        Assert.Equal(["_balance = -1", "_balance = 5", "_balance = 5"], session.Transcript(sent));
        Assert.Equal(2, Own(sent).Count());
    }

    [Fact]
    public void Locals_in_scope_are_read_and_set()
    {
        var session = new RecordedSession()
            .Do("break StoppedService.cs:17").Receive(Frame(60, 1)).Do("print Process.sum").Do("print Process.port")
            .Do("print Process.source").Do("set Process.sum = 77").Do("continue").Do("print Total");
        var sent = Run(session, typeof(StoppedService), "print,set,break:StoppedService.cs:17");
        Assert.Equal(
            ["Process.sum = 61", "Process.port = 1", "Process.source = 02:00:00:00:00:01", "Process.sum = 77",
            "Total = 77"],
            session.Transcript(sent));
    }

    [Fact]
    public void The_bytes_of_the_stopped_frame_are_read_and_set()
    {
        var session = new RecordedSession()
            .Do("break StoppedService.cs:17 if frame[11] == 2").Receive(Frame(60, 1)).Receive(Frame(61, 2))
            .Do("print frame.Length").Do("print frame[11]").Do("print frame[61]").Do("print frame[128]")
            .Do("set frame[12] = 7").Do("set frame[61] = 8").Do("set frame.Length = 9").Do("continue");
        var sent = Run(session, typeof(StoppedService), "print,set,break:StoppedService.cs:17+frame[11]");
        Assert.Equal(
            ["frame.Length = 61", "frame[11] = 2", "frame[61] = 0", "frame[] has 128 elements", "frame[12] = 7",
            "frame[61] = 8", "frame.Length cannot be set: it is constant, or set is not woven for it"],
            session.Transcript(sent));
        var own = Own(sent).ToList();
        Assert.Equal([60, 61], own.Select(frame => frame.Bytes.Length));
        Assert.Equal([0, 7], own.Select(frame => (int)frame.Bytes[12]));
    }

    [Fact]
    public void A_label_is_a_place()
    {
        var session = new RecordedSession()
            .Do("break end").Do("count calls end").Receive(Frame(60, 1)).Do("status").Do("print Total").Do("continue")
            .Do("count print calls end");
        var sent = Run(session, typeof(StoppedService), "print:Total,break:end,count:end");
        Assert.Equal(
            ["5 variables; 9 requests done, 0 packets not authentic", "stopped at break end", "Total = 61",
            "end: 1 calls"],
            session.Transcript(sent));
    }

    [Fact]
    public void A_label_that_is_no_literal_is_refused() =>
        Assert.StartsWith(
            "Process has a Direction.Point that is no literal",
            Assert.Throws<WeaveException>(() => _woven.Load(typeof(LabelledService), "break")).Message);

    [Fact]
    public void A_backtrace_shows_the_calls_that_led_to_the_stop()
    {
        var session = new RecordedSession().Do("backtrace").Do("break Other").Receive(Frame(60, 1), port: 2)
            .Do("backtrace").Do("backtrace 1").Do("continue").Do("backtrace");
        Assert.Equal(
            ["the service is not stopped", "#0 Other ProbedService.cs:40", "#1 Process ProbedService.cs:27",
            "#0 Other ProbedService.cs:40", "the service is not stopped"],
            session.Transcript(Run(session, typeof(ProbedService), "break:Other")));
    }

    [Fact]
    public void Frames_beyond_the_hold_are_lost_and_counted()
    {
        var session = new RecordedSession().Do("break Process").Receive(Frame(60, 1));
        for (var i = 0; i < 20; i++) session.Receive(Frame(70 + i, 2));
        session.Do("unbreak Process").Do("continue").Receive(Frame(100, 2)).Do("status");
        var sent = Run(session);
        Assert.Equal([60, .. Enumerable.Range(70, 16), 100], Own(sent).Select(frame => frame.Bytes.Length));
        Assert.Contains("4 frames lost while it was stopped", session.Transcript(sent));
    }

    [Fact]
    public void A_stop_ends_when_its_session_is_silent()
    {
        var session = new RecordedSession().Do("break Process").Receive(Frame(60, 1)).Do("print Frames")
            .Wait(59).Receive(Frame(61, 1)).Wait(2).Receive(Frame(62, 1));
        // It then stops at the next frame, and for as long.
        Assert.Equal([60], Own(Run(session)).Select(frame => frame.Bytes.Length));
    }

    [Theory]
    [InlineData(typeof(ProbedService), Features)]
    [InlineData(typeof(StoppedService), "print,set,break:StoppedService.cs:17,watch:Total")]
    [InlineData(typeof(Services.LearningSwitch), "print:Forwarded,break:Process+frame.Length,watch:Flooded")]
    public void A_stopped_service_is_one_on_every_rung(Type service, string features) =>
        HoldsToTheLadder(service, features, OutsideSimulators.Icarus);

    [Fact]
    [Slow("Verilator")]
    public void It_is_in_Verilator() => HoldsToTheLadder(
        typeof(StoppedService), "print,set,break:StoppedService.cs:17,watch:Total", OutsideSimulators.Verilator);

    private void HoldsToTheLadder(Type service, string features, OutsideSimulators outside)
    {
        var session = new RecordedSession();
        var others = FrameSequence.Random(60);
        string[] commands =
        [
            "break Process if frame.Length > 90", "print backtrace", "watch _balance", "break StoppedService.cs:17",
            "watch Flooded",
            "status", "print Frames", "print Process.sum", "set Process.sum = 4", "continue", "status", "continue",
            "print Forwarded", "print frame.Length", "print frame[13]", "set frame[14] = 5", "unwatch _balance",
            "watch Total if Total > 3", "continue", "print Total", "status",
            "continue", "unbreak StoppedService.cs:17", "continue", "unwatch Flooded", "continue", "status",
        ];
        foreach (var (i, command) in commands.Index())
        {
            session.Do(command);
            foreach (var other in others.Skip(2 * i).Take(2)) session.Receive(other.Bytes, other.Port);
        }
        for (var i = 0; i < 20; i++) session.Do("continue");
        var woven = _woven.Load(service, features);
        Ladder.Check(
            () => WeaverTests.Construct(woven, service), session.Frames,
            new LadderOptions { Interval = 8, Outside = outside, OutsideFrames = 60 });
    }

    private static byte[] Frame(int length, int source)
    {
        var frame = new byte[length];
        (frame[0], frame[6], frame[11]) = (2, 2, (byte)source);
        return frame;
    }

    private List<SentFrame> Run(RecordedSession session) => Run(session, typeof(ProbedService), Features);

    private List<SentFrame> Run(RecordedSession session, Type service, string features)
    {
        var woven = _woven.Load(service, features);
        Woven.CompileAll(woven);
        return [.. HostedRun.Run(WeaverTests.Construct(woven, service), 4, session.Frames)
            .SelectMany(outcome => outcome.Sent)];
    }

    /// <summary>The frames that are no answers to the director.</summary>
    private static IEnumerable<SentFrame> Own(IEnumerable<SentFrame> sent) =>
        sent.Where(frame => frame.Bytes[12] != 0x88);
}
