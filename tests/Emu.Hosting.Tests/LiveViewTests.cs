using Spectre.Console;

namespace Emu.Hosting.Tests;

public sealed class LiveViewTests
{
    private const ulong HalfSecond = 500_000_000;

    [Fact]
    public void Rates_are_a_graph_whose_highest_bar_is_the_highest_rate()
    {
        var history = new RateHistory();
        ulong[] frames = [0, 100, 100, 900, 1300, 1301];
        for (var i = 1; i < frames.Length; i++) history.Add(At(i - 1, frames[i - 1]), At(i, frames[i]));
        Assert.Equal("▂ █▅▁", history.Graph(0, 60));
        Assert.Equal("█▅▁", history.Graph(0, 3));
        Assert.Equal("", history.Graph(1, 60));
    }

    [Fact]
    public void A_graph_is_no_longer_than_what_is_kept()
    {
        var history = new RateHistory();
        for (var i = 0; i < 200; i++) history.Add(At(i, (ulong)i), At(i + 1, (ulong)i + 1));
        Assert.Equal(new string('█', RateHistory.Length), history.Graph(0, 1000));
    }

    [Fact]
    public void The_view_shows_the_graph_beside_the_rates_of_its_port()
    {
        var history = new RateHistory();
        history.Add(At(0, 0), At(1, 10));
        history.Add(At(1, 10), At(2, 5010));
        using var text = new StringWriter();
        var console = AnsiConsole.Create(
            new AnsiConsoleSettings { Ansi = AnsiSupport.No, Out = new AnsiConsoleOutput(text) });
        console.Profile.Width = 120;
        console.Write(LiveView.Render("Sample", At(2, 5010), At(1, 10), history));
        var row = Assert.Single(
            text.ToString().Split('\n'), line => line.Contains("0 raw:s1", StringComparison.Ordinal));
        Assert.Contains("▁█", row);
        Assert.Contains("10,000", row);
    }

    private static RunSnapshot At(int look, ulong frames) => new(
        (ulong)look * HalfSecond, frames, 0, 0, new Dictionary<string, ulong>(), new Dictionary<string, ulong>(),
        [new PortSnapshot("raw:s1", frames, 0, 0, 0, 0, 0)], new Dictionary<string, ulong>(),
        new Dictionary<string, TableSnapshot>());
}
