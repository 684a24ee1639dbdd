using Emu.Services;
using Emu.Testing;
using static Emu.Compiler.Tests.LadderFrames;

namespace Emu.Compiler.Tests;

/// <summary><see cref="Nat"/> does the same on every rung of the ladder.</summary>
public sealed class NatLadderTests
{
    [Theory]
    [InlineData(Filtering.EndpointIndependent, true, 0, 4, 2)]
    [InlineData(Filtering.EndpointIndependent, true, 0, 4, 3, Traits = ["tier", "slow"])]
    [InlineData(Filtering.EndpointIndependent, true, 0, 16, 4, Traits = ["tier", "campaign"])]
    [InlineData(Filtering.EndpointIndependent, false, 4, 4, 3, Traits = ["tier", "slow"])]
    [InlineData(Filtering.AddressDependent, false, 4, 8, 3, Traits = ["tier", "campaign"])]
    public void On_flows_of_every_kind_changed_at_random(
        Filtering filtering, bool passive, int fragments, int ways, int interval)
    {
        // Few mappings, so that flows share slots and are refused.
        Nat Service() => new(
            Inside, IP, gateway: Peer,
            policy: new NatPolicy
            {
                Neighbor = [new StaticNeighbor(Peer, PeerMac)],
                Forward = [StaticForward.Parse("tcp:80=192.168.0.2:8080")],
                Filtering = filtering,
                Passive = passive,
            },
            capacity: new NatCapacity { Mappings = 16, Ways = ways, Neighbors = 16, Fragments = fragments });
        var result = Check(Service, FrameSequence.Like(Flows(), 700, ports: 2), Options with
        {
            Ports = 2,
            Interval = interval,
            Outside = interval != 3 ? OutsideSimulators.None : passive ? TierOptions.Small : TierOptions.Large,
            OutsideFrames = 40,
        });
        Assert.InRange(result.Sent, 100, 700);
        Assert.DoesNotContain(result.Skipped, s => s.StartsWith("the pipeline", StringComparison.Ordinal));
    }
}
