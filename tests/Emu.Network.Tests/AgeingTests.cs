using System.Diagnostics;
using Emu.Services;
using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>In a class of its own, so that other tests run while it waits.</summary>
public sealed class AgeingTests
{
    private const int AgeingSeconds = 10;

    [Fact]
    public void A_silent_station_is_forgotten_and_frames_to_it_are_flooded_again()
    {
        Needs.Network();
        using var taps = new ServiceNetwork(
            PortKind.Tap, new LearningSwitch(ageingSeconds: AgeingSeconds), 3, areSilent: true);
        using var rings = new ServiceNetwork(
            PortKind.Raw, new LearningSwitch(ageingSeconds: AgeingSeconds), 3, areSilent: true);
        ServiceNetwork[] networks = [taps, rings];
        var stations = networks.Select(network => network.Hosts.Select(network.StationAt).ToArray()).ToArray();
        var (a, b) = (taps.Hosts[0].Mac, taps.Hosts[1].Mac);
        byte[] toA = Packet.Ethernet(b, a).Payload("to a").PaddedTo(60);

        var watch = Stopwatch.StartNew();
        foreach (var station in stations)
        {
            station[0].Send(Packet.Ethernet(a, b).Payload("here I am").PaddedTo(60));
            Until.Holds(() => station[2].Received.Count == 1, "the first frame is flooded");
            station[1].Send(toA);
            Until.Holds(() => station[0].Received.Count == 1, "the station has received a frame");
            Assert.Single(station[2].Received);
        }

        Thread.Sleep(TimeSpan.FromSeconds(AgeingSeconds + 0.5) - watch.Elapsed);
        Thread.Sleep(TimeSpan.FromSeconds(1)); // the table counts in whole seconds

        foreach (var station in stations)
        {
            station[1].Send(toA);
            Until.Holds(() => station[0].Received.Count == 2 && station[2].Received.Count == 2, "the frame is flooded");
        }
    }
}
