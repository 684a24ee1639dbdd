using Emu.Compiler.Layouts;
using Emu.Samples;
using Emu.Services;
using Emu.Simulation;
using Emu.Testing;
using static Emu.Compiler.Tests.LadderFrames;

namespace Emu.Compiler.Tests;

/// <summary>The cycles that a deferred frame costs those behind it.</summary>
public sealed class DeferredCostTests
{
    private static byte[] Datagram { get; } =
        Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP).Udp(1024, 7).PaddedTo(60).ToArray();

    [Fact]
    public void A_packet_with_options_costs_its_slow_path_and_those_behind_it_where_frames_share_state()
    {
        var measured = Measure(new ConnectionGuard());
        var cost = Assert.Single(measured.Deferred);
        Assert.Null(measured.Main.Deferred);
        Assert.Equal("a header is longer than its least: an offset depends on it", cost.Deferred.Reason);
        // Were it alone, it would take a pipeline's latency and the states of its program.
        Assert.InRange(cost.Cycles, measured.Main.Latency!.Value, 1000);
    }

    [Fact]
    public void A_kind_that_was_measured_is_not_guessed()
    {
        byte[] tag = [0x81, 0, 0, 1];
        var choice = Measure(new AnyTags(), [.. Datagram[..12], .. tag, .. tag, .. tag, .. Datagram[12..]]);
        var cost = Assert.Single(choice.Deferred);
        Assert.Equal("a loop has no constant bound", cost.Deferred.Reason);
        Assert.True(cost.Cycles > 0);
    }

    [Fact]
    public void Where_no_frame_is_deferred_there_is_none() => Assert.Empty(Measure(new LearningSwitch()).Deferred);

    private static Measurement Measure(Service service, params byte[][] others) => Measurement.Of(
        HardwareCompiler.Compile(service, new HardwareOptions(), Layout.Pipeline),
        TestTraffic.Given("test.pcap", others.Prepend(Datagram).Select(frame => (ReadOnlyMemory<byte>)frame)));
}
