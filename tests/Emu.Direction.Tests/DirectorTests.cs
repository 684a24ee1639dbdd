using Emu.Direction.Directing;
using Emu.Direction.Language;
using Emu.Testing;

namespace Emu.Direction.Tests;

/// <summary>Commands, and what they print.</summary>
public sealed class DirectorTests
{
    private const ulong Start = 1_700_000_000_000_000_000;

    private readonly ServiceRun _run = new(new DirectedCounter());
    private readonly ServiceLink _link;
    private readonly Director _director;

    public DirectorTests()
    {
        _link = new ServiceLink(_run, Start);
        _director = new Director(
            new DirectorSession(DirectedCounter.Key, DirectedCounter.Address, new MacAddress(0x0200_0000_0001), 1),
            _link);
        Assert.Null(_director.Begin(Start));
    }

    [Theory]
    [InlineData("print Frames[2]", "Frames[2] = 0")]
    [InlineData("print A.name.of.more.than.one.part", "A.name.of.more.than.one.part = -7")]
    [InlineData("  set Frames[7]=0x10 # sixteen", "Frames[7] = 16")]
    [InlineData("status", "3 variables; 1 requests done, 0 packets not authentic")]
    public void A_command_prints_its_answer(string line, string answer) =>
        Assert.Equal((true, answer), Ran(line));

    [Theory]
    [InlineData("print Frame", "there is no variable Frame; list shows them")]
    [InlineData("print Frames[8]", "Frames[] has 8 elements")]
    [InlineData("print Mark[1]", "there is no variable Mark[]; list shows them")]
    [InlineData("set Mark = 65536", "Mark has no room for it: 16 bits")]
    [InlineData("set Mark = -32769", "Mark has no room for it: 16 bits")]
    [InlineData("set A.name.of.more.than.one.part = 1",
        "A.name.of.more.than.one.part cannot be set: it is constant, or set is not woven for it")]
    [InlineData("set Mark", "set X = E: the '=' is missing")]
    [InlineData("set Mark = seven", "'seven' is no constant")]
    [InlineData("print", "a variable is missing")]
    [InlineData("print Frames[0][1]", "'Frames[0][1]' is no variable")]
    [InlineData("print Frames[99999999999]", "the index in 'Frames[99999999999]' is too large")]
    [InlineData("status now", "status stands alone, without 'now'")]
    [InlineData("leap here", "'leap' is no command: there are print, set, count, trace, break")]
    [InlineData("break here", "break here is not woven; list shows what is")]
    [InlineData("watch Mark max 3", "watch has no max")]
    [InlineData("continue", "the service is not stopped")]
    [InlineData("continue now", "continue stands alone, without 'now'")]
    public void A_command_that_cannot_be_done_says_why(string line, string why)
    {
        var (done, text) = Ran(line);
        Assert.False(done);
        Assert.StartsWith(why, text);
    }

    [Fact]
    public void List_shows_every_variable() =>
        Assert.Equal(
            [
                "Frames[0..7]: Number, 32 bits",
                "Mark: Number, 16 bits",
                "A.name.of.more.than.one.part: SignedNumber, 8 bits, not to be set",
            ],
            _director.Run("list")!.Lines);

    [Theory]
    [InlineData("")]
    [InlineData("   # nothing")]
    public void A_line_without_a_command_does_nothing(string line) => Assert.Null(_director.Run(line));

    [Fact]
    public void A_command_whose_answers_are_lost_is_done_once()
    {
        _link.Lost = 3;
        Assert.Equal((true, "Frames[0] = 5"), Ran("set Frames[0] = 5"));
        _run.Receive(1, new byte[60], Start + 1_000_000_000);
        Assert.Equal((true, "Frames[0] = 5"), Ran("print Frames[0]"));
    }

    [Theory]
    [InlineData("0x1F", VariableKind.Number, 8, "31")]
    [InlineData("-7", VariableKind.SignedNumber, 16, "-7")]
    [InlineData("-128", VariableKind.SignedNumber, 8, "-128")]
    [InlineData("true", VariableKind.Bool, 1, "true")]
    [InlineData("false", VariableKind.Bool, 1, "false")]
    [InlineData("02:00:00:00:00:07", VariableKind.MacAddress, 48, "02:00:00:00:00:07")]
    [InlineData("10.0.0.2", VariableKind.IPv4Address, 32, "10.0.0.2")]
    [InlineData("fd00::2", VariableKind.IPv6Address, 128, "fd00::2")]
    [InlineData("{0,2}", VariableKind.PortSet, 64, "{0,2}")]
    [InlineData("{}", VariableKind.PortSet, 64, "{}")]
    [InlineData("340282366920938463463374607431768211455", VariableKind.Number, 128,
        "340282366920938463463374607431768211455")]
    public void A_constant_is_shown_as_it_is_written(string text, VariableKind kind, int width, string shown) =>
        Assert.Equal(shown, DirectionValue.Show(DirectionValue.Parse(text).BitsIn(width)!.Value, kind, width));

    [Theory]
    [InlineData("{64}")]
    [InlineData("0x")]
    [InlineData("")]
    [InlineData("340282366920938463463374607431768211456")]
    public void What_is_no_constant_is_refused(string text) =>
        Assert.Throws<FormatException>(() => DirectionValue.Parse(text));

    [Theory]
    [InlineData("256", 8)]
    [InlineData("-129", 8)]
    [InlineData("2", 1)]
    public void A_constant_with_more_bits_does_not_fit(string text, int width) =>
        Assert.Null(DirectionValue.Parse(text).BitsIn(width));

    private (bool Done, string Text) Ran(string line)
    {
        var outcome = _director.Run(line)!;
        return (outcome.Done, Assert.Single(outcome.Lines));
    }
}
