using Emu.Compiler.Layouts;
using Emu.Services;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// The layout that is taken is the one that takes the fewest cycles for the frames that it is measured with.
/// </summary>
public sealed class LayoutChoiceTests
{
    private static readonly MacAddress s_host = MacAddress.Parse("02:00:00:00:00:02");
    private static readonly MacAddress s_peer = MacAddress.Parse("02:00:00:00:00:01");

    private static byte[] Datagram { get; } =
        Packet.Ethernet(s_peer, s_host)
            .IPv4(IPv4Address.Parse("10.0.0.1"), IPv4Address.Parse("10.0.0.2")).Udp(1024, 7).PaddedTo(60).ToArray();

    private static byte[] Other { get; } =
        Packet.Ethernet(s_peer, s_host)
            .ArpRequest(s_peer, IPv4Address.Parse("10.0.0.1"), IPv4Address.Parse("10.0.0.2")).PaddedTo(60).ToArray();

    [Fact]
    public void Where_all_frames_would_take_the_slow_path_an_engine_is_faster_and_is_taken()
    {
        var choice = Choose(new Reflector(), Datagram);
        Assert.Equal(Layout.Engine, choice.Fastest.Compiled.Layout);
        Assert.Equal(Layout.Pipeline, choice.Other!.Compiled.Layout);
        Assert.True(choice.Fastest.Cycles < choice.Other.Cycles);
        Assert.Equal("slow path", choice.Other.Main.Path);
    }

    [Fact]
    public void Where_few_frames_take_the_slow_path_a_pipeline_is_faster_and_is_taken()
    {
        var choice = Choose(new Reflector(), [Datagram, .. Enumerable.Repeat(Other, 30)]);
        Assert.Equal(Layout.Pipeline, choice.Fastest.Compiled.Layout);
        Assert.True(choice.Fastest.Cycles <= choice.Other!.Cycles);
    }

    [Fact]
    public void Nothing_is_faster_than_the_bus_so_no_engine_is_made_beside_a_pipeline_that_keeps_up_with_it()
    {
        var made = new List<Layout?>();
        var choice = LayoutChoice.Of(
            layout =>
            {
                made.Add(layout);
                return HardwareCompiler.Compile(new LearningSwitch(), new HardwareOptions(), layout);
            },
            TestTraffic.Given("test.pcap", [Datagram]));
        Assert.Null(choice.Other);
        Assert.Null(Assert.Single(made));
    }

    private static LayoutChoice Choose(Service service, params byte[][] frames) => LayoutChoice.Of(
        layout => HardwareCompiler.Compile(service, new HardwareOptions(), layout),
        TestTraffic.Given("test.pcap", frames.Select(frame => (ReadOnlyMemory<byte>)frame)));
}
