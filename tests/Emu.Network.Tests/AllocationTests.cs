using Emu.Services;
using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>Design §6, on live ports: zero bytes allocated per frame.</summary>
public sealed class AllocationTests
{
    private const ulong WarmUp = 10_000;
    private const ulong Measured = 100_000;
    private const ulong Window = 256;

    [Theory]
    [InlineData(PortKind.Tap)]
    [InlineData(PortKind.Raw)]
    public void Nothing_is_allocated_for_a_frame(PortKind kind)
    {
        Needs.Network();
        var metered = new Metered(new LearningSwitch());
        using var network = new ServiceNetwork(kind, metered, 2, areSilent: true);
        var station = network.StationAt(network.Hosts[0]);
        byte[] frame = Packet.Ethernet(network.Hosts[0].Mac, network.Hosts[1].Mac).Payload("hello").PaddedTo(60);

        for (var sent = 0UL; sent < WarmUp + Measured; sent += Window)
        {
            for (var i = 0UL; i < Window; i++) station.Send(frame);
            Until.Holds(() => metered.Frames >= sent + Window, "the frames have arrived");
        }

        Assert.Equal(0, metered.AllocatedAtEnd - metered.AllocatedAtStart);
    }

    /// <summary>
    /// A service inside this one, which notes what the run's thread had allocated at two of its frames.
    /// </summary>
    private sealed class Metered(Service inner) : Service
    {
        private ulong _frames;

        public ulong Frames => Volatile.Read(ref _frames);

        public long AllocatedAtStart { get; private set; }

        public long AllocatedAtEnd { get; private set; }

        public override void Process(ref Frame frame)
        {
            inner.Process(ref frame);
            if (_frames == WarmUp) AllocatedAtStart = GC.GetAllocatedBytesForCurrentThread();
            if (_frames == WarmUp + Measured - 1) AllocatedAtEnd = GC.GetAllocatedBytesForCurrentThread();
            Volatile.Write(ref _frames, _frames + 1);
        }
    }
}
