using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Emu.Testing;

namespace Emu.Hosting.Tests;

/// <summary>Tap and raw ports in namespaces of their own.</summary>
[Slow("namespaces")]
public sealed partial class InterfaceTests
{
    private const ulong Patience = 3_000_000_000;

    private static readonly CancellationToken s_cancel = TestContext.Current.CancellationToken;

    private static TestNetwork Network(params string[] programs)
    {
        if (TestNetwork.WhyNotWith(programs) is { } reason) Assert.Skip(reason);
        return new TestNetwork();
    }

    private static string Run(TestHost host, string program, params string[] arguments) =>
        host.Run(program, arguments, cancellationToken: s_cancel).EnsureSuccess().Output;

    private static RawPort OpenRaw(TestHost host, string name) => host.Inside(() => new RawPort(name));

    private static TapPort OpenTap(TestHost host, string name) => host.Inside(() => new TapPort(name));

    /// <summary>Waits for a number of frames that pass a filter.</summary>
    private static List<byte[]> Take(Port port, int count, Predicate<byte[]>? filter = null)
    {
        using var poller = new Poller([port]);
        var (frames, batch, until) = (new List<byte[]>(), new ReceivedFrame[16], HostClock.Now + Patience);
        while (frames.Count < count && HostClock.Now < until)
        {
            var received = port.Receive(batch);
            foreach (var frame in batch.AsSpan(0, received))
            {
                var bytes = frame.Bytes.ToArray();
                if (filter is null || filter(bytes)) frames.Add(bytes);
            }
            if (received == 0) poller.Wait(HostClock.Now + 50_000_000);
        }
        Assert.Equal(count, frames.Count);
        return frames;
    }

    private static bool IsSample(byte[] frame) => BinaryPrimitives.ReadUInt16BigEndian(frame.AsSpan(12)) == 0x88B5;

    [Fact]
    public void Frames_of_every_length_pass_between_tap_and_raw_as_they_are()
    {
        using var network = Network();
        using var tap = OpenTap(network.Device, "emu0");
        using var raw = OpenRaw(network.Device, "emu0");
        for (var length = 18; length <= 1514; length++)
        {
            var frame = Samples.Frame(length, length);
            raw.Send(frame, 0);
            raw.Flush();
            Assert.Equal(frame, Assert.Single(Take(tap, 1, IsSample)));
            tap.Send(frame, 0);
            Assert.Equal(frame, Assert.Single(Take(raw, 1, IsSample)));
        }
        raw.Send(new byte[1519], 0);
        Assert.Equal(
            (1UL, 0UL, 0UL, 0UL),
            (raw.SendDrops.Value, raw.ReceiveDrops.Value, tap.SendDrops.Value, tap.ReceiveDrops.Value));
    }

    [Fact]
    public void Arrivals_are_stamped_with_the_hosts_clock_and_have_room_to_grow()
    {
        using var network = Network();
        using var tap = OpenTap(network.Device, "emu0");
        using var raw = OpenRaw(network.Device, "emu0");
        var (before, batch) = (HostClock.Now, new ReceivedFrame[4]);
        raw.Send(Samples.Frame(0), 0);
        raw.Flush();
        while (tap.Receive(batch) == 0) Assert.True(HostClock.Now < before + Patience);
        Assert.InRange(batch[0].Time, before, HostClock.Now);
        Assert.True(batch[0].Memory.Length >= 1518);
        tap.Send(Samples.Frame(0), 0);
        while (raw.Receive(batch) == 0) Assert.True(HostClock.Now < before + Patience);
        Assert.InRange(batch[0].Time, before, HostClock.Now);
        Assert.True(batch[0].Memory.Length >= 1518);
    }

    [Fact]
    public void A_tap_that_moves_to_another_namespace_keeps_working()
    {
        using var network = Network("ping");
        var host = network.AddHost("h1", "10.0.0.1/24");
        using var tap = OpenTap(network.Device, "emu0");
        network.AdoptTap(host, "emu0", cancellationToken: s_cancel);
        Run(host, "ip", "neighbour", "add", "10.0.0.2", "lladdr", "02:00:00:00:00:02", "dev", "emu0");
        using var ping = host.Start("ping", ["-c", "1", "-W", "60", "10.0.0.2"]);
        var request = Assert.Single(Take(tap, 1));
        Assert.Equal((98, 8), (request.Length, request[34]));
        Swap(request, 0, 6, 6);
        Swap(request, 26, 30, 4);
        request[34] = 0;
        BinaryPrimitives.WriteUInt16BigEndian(
            request.AsSpan(36),
            InternetChecksum.Update(BinaryPrimitives.ReadUInt16BigEndian(request.AsSpan(36)), 0x0800, 0));
        tap.Send(request, 0);
        ping.WaitForExit(Tool.Limit, s_cancel).EnsureSuccess();
    }

    [Fact]
    public void A_taken_tap_an_interface_that_is_no_tap_and_one_that_was_deleted_are_told_apart()
    {
        using var network = Network();
        using var tap = OpenTap(network.Device, "emu0");
        Assert.Contains(
            "tap:emu0: already in use", Assert.Throws<CommandException>(() => OpenTap(network.Device, "emu0")).Message);
        Assert.Contains("is no tap", Assert.Throws<CommandException>(() => OpenTap(network.Device, "lo")).Message);
        Run(network.Device, "ip", "link", "delete", "emu0");
        Assert.Contains(
            "was deleted", Assert.Throws<CommandException>(() => tap.Receive(new ReceivedFrame[1])).Message);
    }

    [Fact]
    public void A_tap_with_several_queues_can_be_attached_to()
    {
        using var network = Network();
        Run(network.Device, "ip", "tuntap", "add", "emu0", "mode", "tap", "multi_queue");
        using var tap = OpenTap(network.Device, "emu0");
        using var raw = OpenRaw(network.Device, "emu0");
        raw.Send(Samples.Frame(1), 0);
        raw.Flush();
        Assert.Single(Take(tap, 1));
    }

    [Fact]
    public void Without_privileges_it_is_said_what_they_are()
    {
        using var network = Network();
        var (tap, raw) = network.Device.Inside(() =>
        {
            Assert.Equal(
                0,
                SetUser(RuntimeInformation.ProcessArchitecture == Architecture.Arm64 ? 147 : 117, 65534, 65534, 65534));
            return (
                Assert.Throws<CommandException>(() => new TapPort("emu0")),
                Assert.Throws<CommandException>(() => new RawPort("lo")));
        });
        Assert.Contains("CAP_NET_ADMIN", tap.Message);
        Assert.Contains("CAP_NET_RAW", raw.Message);
        Assert.Equal(1, raw.ExitCode);
    }

    [Fact]
    public void An_interface_that_goes_away_is_an_error()
    {
        using var network = Network();
        var host = network.AddHost("h1");
        using var port = OpenRaw(network.Device, network.Connect(host));
        Assert.Equal(0, port.Receive(new ReceivedFrame[1]));
        Run(host, "ip", "link", "delete", "eth0");
        Assert.Contains("set down or removed", Assert.Throws<CommandException>(() => Look(port, times: 64)).Message);
    }

    private static void Look(RawPort port, int times)
    {
        for (var i = 0; i < times; i++) port.Receive(new ReceivedFrame[1]);
    }

    [Theory]
    [InlineData(0x8100)]
    [InlineData(0x88A8)]
    public void A_VLAN_tag_stays_in_the_frame(int type)
    {
        using var network = Network();
        var host = network.AddHost("h1");
        using var port = OpenRaw(network.Device, network.Connect(host));
        using var peer = OpenRaw(host, "eth0");
        var frame = Samples.Frame(0, 1518);
        BinaryPrimitives.WriteUInt32BigEndian(frame.AsSpan(12), (uint)type << 16 | 0x6005);
        peer.Send(frame, 0);
        peer.Flush();
        Assert.Equal(Convert.ToHexString(frame), Convert.ToHexString(Assert.Single(Take(port, 1))));
        Assert.Equal(0UL, peer.SendDrops.Value);
    }

    [Theory]
    [InlineData("10.0.0.2", ProtocolType.Udp, "on")]
    [InlineData("10.0.0.2", ProtocolType.Tcp, "on")]
    [InlineData("2001:db8::2", ProtocolType.Udp, "on")]
    [InlineData("2001:db8::2", ProtocolType.Tcp, "on")]
    [InlineData("10.0.0.2", ProtocolType.Tcp, "off")]
    public void Checksums_that_the_sender_left_to_its_device_are_completed(
        string destination, ProtocolType protocol, string offload)
    {
        using var network = Network("ethtool");
        var host = network.AddHost("h1", "10.0.0.1/24", "2001:db8::1/64");
        using var port = OpenRaw(network.Device, network.Connect(host));
        Run(host, "ethtool", "-K", "eth0", "tx", offload);
        Run(host, "ip", "neighbour", "add", destination, "lladdr", "02:00:00:00:00:02", "dev", "eth0");
        var target = new IPEndPoint(IPAddress.Parse(destination), 7);
        using var socket = host.Inside(() =>
        {
            var made = new Socket(
                target.AddressFamily, protocol == ProtocolType.Udp ? SocketType.Dgram : SocketType.Stream, protocol)
            {
                Blocking = false,
            };
            try
            {
                if (protocol == ProtocolType.Udp) made.SendTo(new byte[101], target);
                else made.Connect(target);
            }
            catch (SocketException e) when (e.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress)
            {
                // The connection request is on its way.
            }
            return made;
        });
        var frame = Assert.Single(Take(port, 1, f => ProtocolOf(f) == (int)protocol));
        Assert.True(InternetChecksum.IsValid(SumOf(frame)), Convert.ToHexString(frame));
    }

    [Fact]
    public void TCP_passes_between_two_raw_ports_and_joined_segments_are_counted_never_cut()
    {
        using var network = Network("ethtool", "python3");
        var (client, server) = (network.AddHost("h1", "10.0.0.1/24"), network.AddHost("h2", "10.0.0.2/24"));
        using var left = OpenRaw(network.Device, network.Connect(client));
        using var right = OpenRaw(network.Device, network.Connect(server));
        foreach (var host in network.Hosts) Run(host, "ethtool", "-K", "eth0", "tx", "on", "tso", "off", "gso", "off");
        using var stop = new CancellationTokenSource();
        var longest = 0;
        var forwarder = new Thread(() => longest = Forward(left, right, stop.Token));
        forwarder.Start();
        try
        {
            using var receiver = StartReceiver(server);
            using var sender = StartSender(client, 3_000_000);
            Assert.Equal("got 3000000", receiver.WaitForLine("got", cancellationToken: s_cancel));
            Assert.Equal((0UL, 0UL), (left.ReceiveDrops.Value, left.SendDrops.Value));
            Run(client, "ethtool", "-K", "eth0", "tso", "on", "gso", "on");
            using var joining = StartSender(client, 200_000);
            Assert.True(SpinWait.SpinUntil(() => left.ReceiveDrops.Value > 0, Tool.Limit));
        }
        finally
        {
            stop.Cancel();
            forwarder.Join();
        }
        Assert.InRange(longest, 1500, 1514);
    }

    [Fact]
    public void Joining_of_received_frames_is_off_while_the_port_is_open()
    {
        using var network = Network("ethtool");
        var name = network.Connect(network.AddHost("h1"));
        Run(network.Device, "ethtool", "-K", name, "gro", "on");
        string Features() => Run(network.Device, "ethtool", "-k", name);
        Assert.Contains("generic-receive-offload: on", Features());
        network.Device.Inside(() =>
        {
            using var port = new RawPort(name);
            Assert.Contains("generic-receive-offload: off", Features());
            return 0;
        });
        Assert.Contains("generic-receive-offload: on", Features());
    }

    [Fact]
    public void Jumbo_frames_pass_where_the_interfaces_take_them()
    {
        using var network = Network();
        var host = network.AddHost("h1");
        var name = network.Connect(host);
        Run(network.Device, "ip", "link", "set", name, "mtu", "9000");
        Run(host, "ip", "link", "set", "eth0", "mtu", "9000");
        using var port = OpenRaw(network.Device, name);
        using var peer = OpenRaw(host, "eth0");
        var frame = Samples.Frame(1, 9014);
        peer.Send(frame, 0);
        peer.Flush();
        Assert.Equal(frame, Assert.Single(Take(port, 1)));
    }

    [Fact]
    public void Frames_are_sent_when_the_MTU_has_been_raised_and_counted_until_then()
    {
        using var network = Network();
        var host = network.AddHost("h1");
        var name = network.Connect(host);
        using var port = network.Device.Inside(() => new RawPort(name, mtu: 9000));
        using var peer = host.Inside(() => new RawPort("eth0", mtu: 9000));
        var frames = Enumerable.Range(1, 3).Select(number => Samples.Frame(number, 9014)).ToList();
        port.Send(frames[0], 0);
        port.Flush();
        Assert.Equal(1UL, port.SendDrops.Value);
        Run(network.Device, "ip", "link", "set", name, "mtu", "9000");
        Run(host, "ip", "link", "set", "eth0", "mtu", "9000");
        foreach (var batch in new[] { 1, 3 })
        {
            for (var i = 0; i < batch; i++) port.Send(frames[i], 0);
            port.Flush();
            Assert.Equal(frames[..batch], Take(peer, batch));
        }
        Assert.Equal((1UL, 0UL), (port.SendDrops.Value, peer.ReceiveDrops.Value));
    }

    [Fact]
    public void A_frame_longer_than_an_MTU_that_has_been_lowered_is_counted()
    {
        using var network = Network();
        var name = network.Connect(network.AddHost("h1"));
        Run(network.Device, "ip", "link", "set", name, "mtu", "9000");
        using var port = OpenRaw(network.Device, name);
        Run(network.Device, "ip", "link", "set", name, "mtu", "1500");
        for (var sent = 1UL; sent < 3; sent++)
        {
            port.Send(Samples.Frame(1, 9014), 0);
            port.Flush();
            Assert.Equal(sent, port.SendDrops.Value);
        }
    }

    [Fact]
    public void Frames_that_are_sent_alone_and_in_batches_keep_their_order()
    {
        using var network = Network();
        var host = network.AddHost("h1");
        using var port = OpenRaw(network.Device, network.Connect(host));
        using var peer = OpenRaw(host, "eth0");
        var (sent, random) = (0, new Random(1));
        // More than twice around the transmit ring.
        while (sent < 5000)
        {
            var first = sent;
            for (var size = random.Next(2) == 0 ? 1 : random.Next(2, 64); size > 0; size--)
                port.Send(Samples.Frame(sent++), 0);
            port.Flush();
            Assert.Equal(
                Enumerable.Range(first, sent - first), Take(peer, sent - first).Select(f => Samples.Number(f)));
        }
        Assert.Equal(0UL, port.SendDrops.Value);
    }

    [Fact]
    public void Frames_that_find_the_ring_full_are_counted()
    {
        using var network = Network();
        var host = network.AddHost("h1");
        using var port = OpenRaw(network.Device, network.Connect(host));
        using var peer = OpenRaw(host, "eth0");
        const int Ring = 2048;
        void Send(int count)
        {
            for (var i = 0; i < count; i++)
            {
                peer.Send(Samples.Frame(i), 0);
                if (i % 64 == 0) peer.Flush();
            }
            peer.Flush();
        }
        Send(Ring + 500);
        Assert.Equal(0UL, peer.SendDrops.Value);
        Assert.Equal(Enumerable.Range(0, Ring), Take(port, Ring).Select(f => Samples.Number(f)));
        Send(1);
        Take(port, 1);
        Assert.Equal(500UL, port.ReceiveDrops.Value);
    }

    [Fact]
    public void No_frame_allocates()
    {
        using var network = Network();
        using var tap = OpenTap(network.Device, "emu0");
        using var raw = OpenRaw(network.Device, "emu0");
        using var poller = new Poller([tap, raw]);
        var (frame, batch) = (Samples.Frame(0), new ReceivedFrame[16]);
        Assert.Equal(0, Allocation.Of(() =>
        {
            for (var round = 0; round < 200; round++)
            {
                raw.Send(frame, 0);
                raw.Flush();
                tap.Send(frame, 0);
                poller.Wait(HostClock.Now + 1000);
                Bounce(tap, batch);
                Bounce(raw, batch);
            }
        }));
    }

    private static void Bounce(Port port, ReceivedFrame[] batch)
    {
        foreach (var frame in batch.AsSpan(0, port.Receive(batch))) port.Send(frame.Bytes[..14], frame.Time);
        port.Flush();
    }

    private static int Forward(Port left, Port right, CancellationToken stop)
    {
        using var poller = new Poller([left, right]);
        var (batch, longest) = (new ReceivedFrame[32], 0);
        while (!stop.IsCancellationRequested)
        {
            if (Pass(left, right) + Pass(right, left) == 0) poller.Wait(HostClock.Now + 10_000_000);
        }
        return longest;

        int Pass(Port from, Port to)
        {
            var count = from.Receive(batch);
            foreach (var frame in batch.AsSpan(0, count))
            {
                longest = Math.Max(longest, frame.Length);
                to.Send(frame.Bytes, frame.Time);
            }
            to.Flush();
            return count;
        }
    }

    /// <summary>Starts a program that prints how many bytes each of two connections brought.</summary>
    private static RunningCommand StartReceiver(TestHost server)
    {
        var receiver = server.Start("/usr/bin/python3", ["-c", """
            import socket
            s = socket.create_server(('10.0.0.2', 9))
            print('ready', flush=True)
            for _ in range(2):
                c, n = s.accept()[0], 0
                while d := c.recv(65536): n += len(d)
                print('got', n, flush=True)
            """]);
        receiver.WaitForLine("ready", cancellationToken: s_cancel);
        return receiver;
    }

    private static RunningCommand StartSender(TestHost client, int length) => client.Start(
        "/usr/bin/python3",
        ["-c", $"import socket; s = socket.create_connection(('10.0.0.2', 9)); s.sendall(bytes({length}))"]);

    private static void Swap(byte[] bytes, int first, int second, int length)
    {
        for (var i = 0; i < length; i++) (bytes[first + i], bytes[second + i]) = (bytes[second + i], bytes[first + i]);
    }

    private static int ProtocolOf(byte[] frame) => BinaryPrimitives.ReadUInt16BigEndian(frame.AsSpan(12)) switch
    {
        0x0800 => frame[23],
        0x86DD => frame[20],
        _ => -1,
    };

    /// <summary>The sum over pseudo-header and transport of a packet without options and padding.</summary>
    private static ulong SumOf(byte[] frame)
    {
        var isIPv4 = frame[12] == 0x08;
        var transport = frame.AsSpan(isIPv4 ? 34 : 54);
        var addresses = isIPv4 ? frame.AsSpan(26, 8) : frame.AsSpan(22, 32);
        return InternetChecksum.Sum(addresses) + InternetChecksum.Sum(transport)
            + (ulong)transport.Length + (ulong)ProtocolOf(frame);
    }

    // Of this thread alone; the C library's own call would change all threads.
    [LibraryImport("libc", EntryPoint = "syscall")]
    private static partial nint SetUser(nint number, nint real, nint effective, nint saved);
}
