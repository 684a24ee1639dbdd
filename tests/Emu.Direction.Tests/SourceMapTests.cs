using Emu.Direction.Weaving;

namespace Emu.Direction.Tests;

/// <summary>A source map leads from each event of a woven service to its lines of C#.</summary>
public sealed class SourceMapTests
{
    private static readonly SourceMap s_stopped = Of(typeof(StoppedService)), s_probed = Of(typeof(ProbedService));

    [Theory]
    [InlineData("break Process", "StoppedService.cs:14")]
    [InlineData("break StoppedService.cs:17", "StoppedService.cs:17")]
    [InlineData("watch Total", "StoppedService.cs:17")]
    [InlineData("trace Total", "StoppedService.cs:17")]
    [InlineData("break StoppedService.cs:10", "")]
    [InlineData("break Nothing", "")]
    [InlineData("watch", "")]
    public void A_probe_has_the_lines_of_its_event(string probe, string places) =>
        Assert.Equal(places, string.Join(' ', s_stopped.PlacesOf(probe).Select(place => place.Name)));

    [Fact]
    public void An_event_in_several_places_has_them_all()
    {
        Assert.Equal(["Process", "Other"], s_probed.PlacesOf("watch _balance").Select(place => place.Method));
        Assert.Single(s_probed.PlacesOf("break _long.Add"));
    }

    [Fact]
    public void Locals_are_those_in_scope() => Assert.Equal(
        ["Process.frame", "Process.port", "Process.source", "Process.sum"],
        Assert.Single(s_stopped.PlacesOf("break StoppedService.cs:17")).Locals.Order());

    [Fact]
    public void Lines_are_those_on_which_code_begins()
    {
        Assert.True(s_stopped.HasFile("StoppedService.cs"));
        Assert.False(s_stopped.HasFile("ProbedService.cs"));
        Assert.Equal([14, 15, 16, 17, 18], s_stopped.Lines("StoppedService.cs").Take(5));
    }

    private static SourceMap Of(Type service) => SourceMap.Of(service.Assembly.Location, service.FullName!);
}
