using Emu.Samples;
using Emu.Testing;
using static Emu.Compiler.Tests.LadderFrames;

namespace Emu.Compiler.Tests;

/// <content>Samples below IP: labels, ARP and counts.</content>
public sealed partial class SampleLadderTests
{
    [Fact]
    public void LabelSwitch_swaps_pops_and_pushes()
    {
        var random = new Random(14);
        byte[] packet = Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP).Udp(1, 2).PaddedTo(80);
        var samples = Enumerable.Range(0, 80).Select(_ =>
        {
            byte[] shim = [0, 1, (byte)(random.Next(4) << 4 | random.Next(2)), (byte)random.Next(1, 5)];
            return (byte[])[.. packet[..12], 0x88, 0x47, .. shim, .. packet[14..(60 + random.Next(20))]];
        });
        var result = Check(
            () => new LabelSwitch(swap: ["16=17=1"], pop: ["17=2"], push: ["18=99=3"]),
            FrameSequence.Like([.. samples], 600), Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 100, 500);
        AssertPipeline(result);
    }

    [Fact]
    public void ArpGuard_keeps_the_first_pair()
    {
        var random = new Random(15);
        var samples = Enumerable.Range(0, 60).Select(i =>
        {
            var (host, mac) = (random.Next(5), new MacAddress(0x0200_0000_0000 + (ulong)random.Next(3)));
            return (byte[])Packet.Ethernet(mac, MacAddress.Broadcast)
                .ArpRequest(mac, new IPv4Address(0x0A00_0000 + (uint)host), IP).PaddedTo(60);
        });
        var result = Check(
            () => new ArpGuard(most: 20, capacity: 16, lifetime: 2),
            Hastily(FrameSequence.Like([.. samples], 600), 20_000_000), Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 100, 550);
        AssertPipeline(result);
    }

    [Fact]
    public void TrafficReport_reports_every_second()
    {
        var random = new Random(13);
        var samples = Enumerable.Range(0, 30).Select(_ => (byte[])Packet
            .Ethernet(PeerMac, Mac).IPv4(Peer, IP).Udp(1, 2).PaddedTo(60 + random.Next(200)));
        var result = Check(
            () => new TrafficReport(PeerMac, Mac), Hastily(FrameSequence.Like([.. samples], 300), 60_000_000),
            Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 310, 350);
        AssertPipeline(result);
    }
}
