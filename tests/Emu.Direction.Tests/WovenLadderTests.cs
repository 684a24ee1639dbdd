using Emu.Testing;

namespace Emu.Direction.Tests;

/// <summary>
/// Woven services on every target, with direction packets between random frames. All targets answer alike, so the
/// transcript of a session is one on all.
/// </summary>
public sealed class WovenLadderTests : IDisposable
{
    private static readonly string[] s_commands =
    [
        "status", "print Forwarded", "set Forwarded = 41", "print Forwarded", "print Stations[3].Key",
        "set Stations[3].Key = 02:00:00:00:00:07", "print Stations[3].Key", "set Stations[5].Value = {0,2}",
        "print Stations[5].Value", "print Stations[300].Key", "print Nothing", "set Stations.Capacity = 1",
        "print EchoReplies", "print _host._arp.mac",
        "count writes Forwarded if not Forwarded == 43 and frame.Length < 100 max 5",
        "trace start Forwarded if Forwarded > 42 max 3", "count calls Process", "count writes EchoReplies",
        "trace start EchoReplies if frame.Length > 90", "status", "print Forwarded", "status", "print Forwarded",
        "count print writes Forwarded", "trace full Forwarded", "count print calls Process",
        "count print writes EchoReplies", "trace full EchoReplies", "trace clear Forwarded",
        "count stop calls Process", "status", "count print calls Process", "trace full Forwarded",
    ];

    private readonly Woven _woven = new();

    public void Dispose() => _woven.Dispose();

    [Theory]
    [InlineData(typeof(Services.LearningSwitch), "print,set")]
    [InlineData(typeof(Services.LearningSwitch), "print:Forwarded,count:writes Forwarded+frame.Length,trace:Forwarded")]
    [InlineData(typeof(Services.IcmpEcho), "print")]
    [InlineData(typeof(Services.IcmpEcho), "count:calls Process,count:EchoReplies,trace:EchoReplies+frame.Length")]
    public void A_woven_service_holds_to_the_ladder(Type service, string features)
    {
        var woven = _woven.Load(service, features);
        Ladder.Check(
            () => WeaverTests.Construct(woven, service), Frames(),
            new LadderOptions { Interval = 8, Outside = OutsideSimulators.Icarus, OutsideFrames = 30 });
    }

    /// <summary>The same session in the other simulator of Verilog, for the commands that stop nothing.</summary>
    [Theory]
    [InlineData("print,set")]
    [InlineData("print:Forwarded,count:writes Forwarded+frame.Length,trace:Forwarded")]
    [Slow("Verilator")]
    public void It_does_in_Verilator(string features)
    {
        var woven = _woven.Load(typeof(Services.LearningSwitch), features);
        Ladder.Check(
            () => WeaverTests.Construct(woven, typeof(Services.LearningSwitch)), Frames(),
            new LadderOptions { Interval = 8, BusBits = [256], Outside = OutsideSimulators.Verilator });
    }

    /// <summary>A session, with a random frame behind each of its requests.</summary>
    private static IReadOnlyList<IncomingFrame> Frames()
    {
        var session = new RecordedSession(FrameSequence.Random(200));
        foreach (var command in s_commands) session.Do(command);
        return session.Frames;
    }
}
