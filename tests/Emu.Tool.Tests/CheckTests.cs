namespace Emu.Tool.Tests;

/// <summary><c>./emu check</c> says how fast a circuit is, and by its exit code whether that is enough.</summary>
public sealed class CheckTests
{
    private static readonly string[] s_router =
    [
        "samples:Router", "--", "--mac", "02:00:00:00:00:01", "--address", "10.0.0.1",
        "--route", "10.0.0.0/8=1=02:00:00:00:00:0b",
    ];

    [Theory]
    [InlineData("200", "40 Gbit/s, at most 3 cycles a frame: met", 0)]
    [InlineData("100", "40 Gbit/s, at most 1 cycle a frame: not met, 2", 1)]
    public void A_line_rate_on_the_class_is_held_to_the_clock(string clock, string expected, int exitCode)
    {
        var outcome = Commands.Emu(["check", "--clock", clock, .. s_router]);
        Assert.Equal(exitCode, outcome.ExitCode);
        Assert.Contains("Router: pipeline, a frame of 60 bytes every 2 cycles at " + clock, outcome.Output);
        Assert.Contains(expected, outcome.Output);
    }

    [Fact]
    public void Engines_are_added_within_LUTs_and_what_one_more_brings_is_told()
    {
        string[] echo = ["check", "IcmpEcho", "--layout", "engine", "--bus", "64", "--example"];
        var two = Commands.Emu([.. echo, "--engines", "2"]).Succeeded();
        Assert.Matches(@"2 engines in turn: one more engine takes a frame of \d+ bytes every \d+ cycles", two.Output);
        var filled = Commands.Emu([.. echo, "--lut", "16000"]).Succeeded();
        Assert.Matches(@"[23] engines in turn: one more engine", filled.Output);
        Commands.Emu("check", "IcmpEcho", "--example", "--engines", "3").Succeeded();
        Commands.Emu("check", "LearningSwitch", "--engines", "2").Refused(1, "EMU0018", "--layout engine");
        Commands.Emu("check", "LearningSwitch", "--engines", "0").Refused(2, "--engines", "1 to 64");
    }

    [Fact]
    public void An_interval_that_is_not_met_is_told_with_the_cause_and_what_to_do()
    {
        var outcome = Commands.Emu(
            ["check", "samples:ArpWatch", "--interval", "1", "--", "--collector", "02:00:00:00:00:0c"]);
        Assert.Equal(1, outcome.ExitCode);
        Assert.Contains("bounded by the bus: a frame of 60 bytes is 2 beats of 256 bits", outcome.Output);
        Assert.Contains("instead  a wider bus (--bus) takes more bytes a cycle", outcome.Output);
        Assert.Contains("--interval 1, at most 1 cycle a frame: not met", outcome.Output);
    }
}
