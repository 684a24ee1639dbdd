using Emu.Compiler.Layouts;
using Emu.Samples;
using Emu.Simulation;
using Emu.Testing;
using static Emu.Compiler.Tests.LadderFrames;

namespace Emu.Compiler.Tests;

/// <content>Samples whose state needs longer from one frame to the next than frames are apart.</content>
public sealed partial class SampleLadderTests
{
    [Fact]
    public void ExactPolicer_holds_each_host_to_its_rate()
    {
        var result = Check(
            () => new ExactPolicer(rateKbps: 3_000_000, burst: 1514, buckets: 8), FromHosts(12, 600),
            Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 100, 590);
        AssertPipeline(result);
    }

    [Fact]
    public void GapMonitor_marks_hosts_that_send_often()
    {
        var result = Check(
            () => new GapMonitor(leastMicroseconds: 2, weight: 25, hosts: 8), FromHosts(12, 600),
            Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 550, 600);
        AssertPipeline(result);
    }

    [Fact]
    public void LargestFrames_keeps_them_in_order()
    {
        var result = Check(
            () => new LargestFrames(), FromHosts(200, 600), Options with { Outside = TierOptions.Small });
        AssertPipeline(result);

        var service = new LargestFrames();
        var run = new ServiceRun(service);
        foreach (var size in (int[])[50, 300, 70, 300, 400, 20])
            run.Receive(0, Packet.Ethernet(PeerMac, Mac).IPv4(new IPv4Address((uint)size), IP).Udp(1, 2)
                .Payload(new byte[size]));
        Assert.Equal([428, 328, 328, 98, 78, 48, 0, 0], service.Sizes.ToArray());
        Assert.Equal(400u, service.Sources[0].Bits);
    }

    [Fact]
    public void EarlyDrop_drops_by_chance()
    {
        var result = Check(
            () => new EarlyDrop(perMillion: 250_000, seed: 3), FromHosts(12, 600),
            Options with { Outside = TierOptions.Small });
        Assert.InRange(result.Sent, 400, 500);
        AssertPipeline(result);
    }

    /// <summary>Other entries come every two cycles; the same one as the frame ahead waits for it.</summary>
    [Theory]
    [InlineData(nameof(ExactPolicer), 13)]
    [InlineData(nameof(GapMonitor), 10)]
    [InlineData(nameof(LargestFrames), 2)]
    [InlineData(nameof(EarlyDrop), 2)]
    public void Frames_of_other_entries_keep_the_least_interval(string sample, int sameEntry)
    {
        Service service = sample switch
        {
            nameof(ExactPolicer) => new ExactPolicer(),
            nameof(GapMonitor) => new GapMonitor(),
            nameof(LargestFrames) => new LargestFrames(),
            _ => new EarlyDrop(),
        };
        var circuit = HardwareCompiler.Compile(service, new HardwareOptions(), Layout.Pipeline).Circuit;
        Assert.Equal(2, IntervalOf(host => host));
        Assert.InRange(IntervalOf(_ => 7), 2, sameEntry);

        double IntervalOf(Func<int, int> hostOf)
        {
            using var bench = new Bench(new ManagedSimulator(circuit.Design));
            for (var i = 0; i < 80; i++)
            {
                bench.Send(
                    (byte[])Packet.Ethernet(PeerMac, Mac).IPv4(new IPv4Address((uint)hostOf(i)), IP).Udp(1, 2)
                        .PaddedTo(60),
                    new PortId(0), (ulong)i);
            }
            bench.RunUntilIdle(100_000);
            return bench.IntervalsIn().Skip(10).Take(60).Average();
        }
    }

    private static FrameSequence FromHosts(int hosts, int count)
    {
        var random = new Random(17);
        byte[][] samples = [.. Enumerable.Range(0, 80).Select(_ => (byte[])Packet.Ethernet(PeerMac, Mac)
            .IPv4(new IPv4Address(0x0A00_0000 + (uint)random.Next(hosts)), IP).Udp(1000, 2000)
            .Payload(new byte[random.Next(300)]))];
        return FrameSequence.Like(samples, count);
    }
}
