using Emu.Services;
using Emu.Testing;
using static Emu.Compiler.Tests.LadderFrames;

namespace Emu.Compiler.Tests;

/// <summary><see cref="LearningSwitch"/> does the same on every rung of the ladder.</summary>
public sealed class LearningSwitchLadderTests
{
    [Fact]
    public void On_frames_between_few_stations_that_move_and_age()
    {
        var random = new Random(1);
        byte[][] samples = [.. Enumerable.Range(0, 300).Select(_ =>
            Packet.Ethernet(Station(random), Station(random)).Payload([.. new byte[random.Next(50)]]).ToArray())];
        // Few sets, so that entries are replaced, and a short ageing time, so that they expire.
        var result = Check(
            () => new LearningSwitch(
                capacity: 16, ageingSeconds: 10, @static: [new StaticEntry(new MacAddress(3), PortSet.Parse("1,2"))]),
            FrameSequence.Like(samples, 3000), Options with { OutsideFrames = 200 });
        Assert.InRange(result.Sent, 1500, 3000);
        Assert.DoesNotContain(result.Skipped, s => s.StartsWith("the pipeline", StringComparison.Ordinal));
    }

    /// <summary>Four MAC ports and the host's queues, whose bits are between theirs.</summary>
    [Theory]
    [InlineData(5)]
    [InlineData(8)]
    public void With_the_host_as_a_port(int ports)
    {
        var random = new Random(ports);
        byte[][] samples = [.. Enumerable.Range(0, 300).Select(_ =>
            Packet.Ethernet(Station(random), Station(random)).Payload([.. new byte[random.Next(50)]]).ToArray())];
        var result = Check(
            () => new LearningSwitch(
                capacity: 64, ageingSeconds: 10, @static: [new StaticEntry(new MacAddress(3), PortSet.Parse("1,4"))]),
            FrameSequence.Like(samples, 2000, ports: ports), Options with { Ports = ports, OutsideFrames = 100 });
        Assert.InRange(result.Sent, 1000, 2000);
        Assert.DoesNotContain(result.Skipped, s => s.StartsWith("the pipeline", StringComparison.Ordinal));
    }

    [Fact]
    public void On_frames_of_every_kind() =>
        Check(
            () => new LearningSwitch(), FrameSequence.Random(1000),
            Options with { Outside = OutsideSimulators.None });

    /// <summary>A few stations, groups and reserved addresses.</summary>
    private static MacAddress Station(Random random) => random.Next(8) switch
    {
        0 => MacAddress.Broadcast,
        1 => new MacAddress(0x0180_C200_0000UL | (uint)random.Next(20)),
        _ => new MacAddress((ulong)random.Next(40)),
    };
}
