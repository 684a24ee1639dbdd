using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Emu.Hosting;
using Emu.Services;
using Emu.Testing;

namespace Emu.SharpPcap.Tests;

/// <summary>Devices of libpcap in namespaces of their own.</summary>
[Slow("namespaces")]
public sealed class DevicePortTests
{
    private const ulong Patience = 3_000_000_000;

    private static readonly CancellationToken s_cancel = TestContext.Current.CancellationToken;

    [Fact]
    public void Frames_of_every_length_pass_through_a_veth_as_they_are_and_none_that_was_sent_comes_back()
    {
        using var network = Network();
        var host = network.AddHost("h1");
        using var port = Open(network.Device, network.Connect(host));
        using var peer = host.Inside(() => new RawPort("eth0"));
        for (var length = 18; length <= 1514; length++)
        {
            var frame = Sample(length);
            peer.Send(frame, 0);
            peer.Flush();
            Assert.Equal(frame, TakeOne(port));
            port.Send(frame, 0);
            Assert.Equal(frame, TakeOne(peer));
        }
        Assert.Equal(0, port.Receive(new ReceivedFrame[4]));
        Assert.Equal((0UL, 0UL), (port.SendDrops.Value, port.ReceiveDrops.Value));
        port.Send(new byte[70_000], 0);
        Assert.Equal(1UL, port.SendDrops.Value);
    }

    [Fact]
    public void Arrivals_are_stamped_with_the_hosts_clock_and_have_room_to_grow()
    {
        using var network = Network();
        var host = network.AddHost("h1");
        using var port = Open(network.Device, network.Connect(host));
        using var peer = host.Inside(() => new RawPort("eth0"));
        var (before, batch) = (HostClock.Now, new ReceivedFrame[4]);
        peer.Send(Sample(60), 0);
        peer.Flush();
        while (port.Receive(batch) == 0) Assert.True(HostClock.Now < before + Patience);
        Assert.InRange(batch[0].Time, before - 1_000_000, HostClock.Now);
        Assert.True(batch[0].Memory.Length >= 1518);
    }

    [Fact]
    public void A_switch_on_devices_lets_two_hosts_ping_each_other()
    {
        using var network = Network("ping", "ethtool");
        var (left, right) = (network.AddHost("h1", "10.0.0.1/24"), network.AddHost("h2", "10.0.0.2/24"));
        List<Port> ports = [.. network.Hosts.Select(host => Open(network.Device, network.Connect(host)))];
        foreach (var host in network.Hosts) Run(host, "ethtool", "-K", "eth0", "tx", "off");
        using var run = new RunningService(new LearningSwitch(), ports);
        Run(left, "ping", "-c", "3", "-i", "0.2", "-W", "5", "10.0.0.2");
        Run(right, "ping", "-c", "3", "-i", "0.2", "-W", "5", "10.0.0.1");
        Assert.True(run.Look().FramesIn >= 12);
    }

    [Fact]
    public void A_device_that_does_not_exist_is_said_beside_those_that_do()
    {
        using var network = Network();
        network.Connect(network.AddHost("h1"));
        var exception = Assert.Throws<CommandException>(() => Open(network.Device, "nothing0"));
        Assert.Equal(1, exception.ExitCode);
        Assert.StartsWith("device:nothing0: there is no such device", exception.Message);
        Assert.Contains("lo", exception.Message);
    }

    [Fact]
    public void A_device_that_goes_away_is_an_error()
    {
        using var network = Network();
        var host = network.AddHost("h1");
        using var port = Open(network.Device, network.Connect(host));
        Assert.Equal(0, port.Receive(new ReceivedFrame[1]));
        Run(host, "ip", "link", "delete", "eth0");
        Assert.StartsWith(
            $"{port.Name}: receiving failed", Assert.Throws<CommandException>(() => Look(port, times: 1000)).Message);
    }

    private static void Look(Port port, int times)
    {
        for (var i = 0; i < times; i++)
        {
            port.Receive(new ReceivedFrame[1]);
            Thread.Sleep(1);
        }
    }

    private static TestNetwork Network(params string[] programs)
    {
        if (TestNetwork.WhyNotWith(programs) is { } reason) Assert.Skip(reason);
        if (!NativeLibrary.TryLoad("libpcap.so.0.8", out _)) Assert.Skip("libpcap is missing: install libpcap0.8");
        return new TestNetwork();
    }

    private static void Run(TestHost host, string program, params string[] arguments) =>
        host.Run(program, arguments, cancellationToken: s_cancel).EnsureSuccess();

    private static Port Open(TestHost host, string device) =>
        host.Inside(() => PortSpecification.Open($"device:{device}"));

    private static byte[] Sample(int length)
    {
        var frame = new byte[length];
        new Random(length).NextBytes(frame);
        BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(12), 0x88B5);
        return frame;
    }

    private static byte[] TakeOne(Port port)
    {
        using var poller = new Poller([port]);
        var (batch, until) = (new ReceivedFrame[1], HostClock.Now + Patience);
        while (HostClock.Now < until)
        {
            if (port.Receive(batch) == 1) return batch[0].Bytes.ToArray();
            poller.Wait(Math.Min(port.NextDue, HostClock.Now + 50_000_000));
        }
        throw new TestFailedException($"{port.Name}: no frame came");
    }
}
