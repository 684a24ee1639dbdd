namespace Emu.Hosting.Tests;

public sealed class DecoratorTests
{
    [Fact]
    public void A_trace_has_a_line_for_each_frame_in_and_out()
    {
        var text = new StringWriter { NewLine = "\n" };
        using var port = new TracingPort(
            new MemoryPort([new(Samples.Frame(1), 1_000_000_005)], "memory"),
            text,
            frame => $"frame {Samples.Number(frame)}");
        Samples.Drain(port);
        port.Send(Samples.Frame(2, 100), 2_500_000_000);
        Assert.Equal("1.000000005 < memory 60 frame 1\n2.500000000 > memory 100 frame 2\n", text.ToString());
    }
}
