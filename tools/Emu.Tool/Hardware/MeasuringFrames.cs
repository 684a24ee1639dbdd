using Emu.Compiler.Layouts;
using Emu.Hosting;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Tool;

/// <summary>
/// Frames that a compiled service is measured with: a capture's, or kinds of frames that it may answer.
/// </summary>
internal static class MeasuringFrames
{
    /// <summary>Frames of a capture that are measured: a longer one is cut off there.</summary>
    private const int MostFrames = 4096;

    private static readonly MacAddress s_peerMac = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly MacAddress s_strangerMac = MacAddress.Parse("02:00:00:00:00:fe");
    private static readonly IPv4Address s_stranger = IPv4Address.Parse("192.0.2.254"); // RFC 5737
    private static readonly IPv6Address s_stranger6 = IPv6Address.Parse("2001:db8::fe"); // RFC 3849

    /// <summary>The destination of frames that are for nobody, six bytes.</summary>
    public static ReadOnlySpan<byte> NobodysAddress => [0x02, 0, 0, 0, 0, 0xFE];

    /// <summary>The frames.</summary>
    /// <param name="arguments">The service's: an address among them is taken to be its own.</param>
    /// <param name="capture">A capture whose frames are taken; null for none.</param>
    /// <param name="before">A capture of frames that go in before any is measured; null for none.</param>
    /// <param name="ports">The ports that there are.</param>
    /// <exception cref="CommandException">
    /// A capture cannot be read, or holds no frame that was received whole, or one of an interface that is no port.
    /// </exception>
    public static TestTraffic For(
        IReadOnlyList<string> arguments, string? capture, string? before = null, int ports = HardwareOptions.MaxPorts)
    {
        var traffic = capture is null
            ? Guessed(arguments)
            : TestTraffic.Given(Path.GetFileName(capture), Whole(capture, ports));
        return before is null
            ? traffic
            : traffic.Behind(TestTraffic.Given(Path.GetFileName(before), Whole(before, ports)).Frames);
    }

    /// <summary>
    /// The frames that a run will read, as far as they can be read; the run itself reports an error in their capture
    /// when it comes there.
    /// </summary>
    /// <param name="arguments">The service's: an address among them is taken to be its own.</param>
    /// <param name="capture">The capture that the run reads; null where that is not one capture.</param>
    /// <exception cref="CommandException">The capture cannot be opened.</exception>
    public static TestTraffic ForRun(IReadOnlyList<string> arguments, string? capture)
    {
        var frames = capture is null ? [] : Read(capture).Frames;
        return frames.Count > 0
            ? TestTraffic.Given(Path.GetFileName(capture)!, frames.Select(frame => frame.Bytes))
            : Guessed(arguments);
    }

    /// <summary>The frames of a capture, of which there is one at least, and all come by ports.</summary>
    private static List<(ReadOnlyMemory<byte> Bytes, PortId Ingress)> Whole(string capture, int ports)
    {
        var (frames, error) = Read(capture);
        if (error is not null) throw error;
        if (frames.Count == 0)
            throw CommandException.Failure($"{capture}: it holds no frame that was received whole, to measure with");
        var last = frames.Max(frame => frame.Interface);
        return last < ports
            ? [.. frames.Select(frame => (frame.Bytes, new PortId(frame.Interface)))]
            : throw CommandException.Failure(
                $"{capture}: it has frames of interface {last}, which is no port: interface 0 is port 0, and the "
                + $"last port is {ports - 1}; 'editcap {capture} one.pcap' makes one interface of all");
    }

    private static TestTraffic Guessed(IReadOnlyList<string> arguments)
    {
        List<TestFrame> frames = [];
        if (First<IPv4Address>(arguments) is { } address)
            frames.AddRange(ToHost(address, First<MacAddress>(arguments) ?? MacAddress.Of(address)));
        else if (First<MacAddress>(arguments) is { } router) frames.Add(ByRouter(router));
        frames.AddRange(ToStranger());
        return TestTraffic.Guessed("frames of its own making", frames);
    }

    private static IEnumerable<TestFrame> ToHost(IPv4Address address, MacAddress mac)
    {
        var peer = new IPv4Address(address.Bits ^ 1);
        var toHost = Packet.Ethernet(s_peerMac, mac).IPv4(peer, address);
        yield return Shortest($"ICMP echo requests to {address}", toHost.IcmpEchoRequest(1, 1));
        yield return Shortest($"TCP SYNs to port 80 of {address}", toHost.Tcp(1024, 80, 1, flags: Packet.Syn));
        yield return Shortest($"UDP datagrams to {address}", toHost.Udp(1024, 7));
        yield return Shortest(
            $"UDP datagrams to {s_stranger} by way of {address}",
            Packet.Ethernet(s_peerMac, mac).IPv4(peer, s_stranger).Udp(1024, 7));
        yield return Shortest(
            $"ARP requests for {address}",
            Packet.Ethernet(s_peerMac, MacAddress.Broadcast).ArpRequest(s_peerMac, peer, address));
    }

    private static TestFrame ByRouter(MacAddress router) => Shortest(
        $"UDP datagrams to {s_stranger} by way of {router}",
        Packet.Ethernet(s_peerMac, router).IPv4(IPv4Address.Parse("192.0.2.1"), s_stranger).Udp(1024, 7));

    private static IEnumerable<TestFrame> ToStranger()
    {
        var source = IPv4Address.Parse("192.0.2.1");
        var toStranger = Packet.Ethernet(s_peerMac, s_strangerMac);
        const string Where = "at a MAC address that nobody has";
        yield return Shortest(
            $"UDP datagrams to {s_stranger}, {Where}", toStranger.IPv4(source, s_stranger).Udp(1024, 7));
        yield return Shortest(
            $"TCP SYNs to port 80 of {s_stranger}, {Where}",
            toStranger.IPv4(source, s_stranger).Tcp(1024, 80, 1, flags: Packet.Syn));
        yield return Shortest(
            $"UDP datagrams to {s_stranger6}, {Where}",
            toStranger.IPv6(IPv6Address.Parse("2001:db8::1"), s_stranger6).Udp(1024, 7));
    }

    /// <summary>A frame filled up with zeros to the least that Ethernet has, behind what its headers say.</summary>
    private static TestFrame Shortest(string kind, Packet packet)
    {
        var frame = packet.Payload([]).ToArray();
        return new TestFrame(
            kind,
            frame.Length >= Measurement.Lengths[0]
                ? frame
                : new FrameKind(kind, frame).OfLength(Measurement.Lengths[0]));
    }

    /// <summary>The frames up to where the capture is broken, and how it is.</summary>
    private static (List<(ReadOnlyMemory<byte> Bytes, int Interface)> Frames, CommandException? Error) Read(
        string capture)
    {
        using var reader = CaptureReader.Open(capture);
        var frames = new List<(ReadOnlyMemory<byte> Bytes, int Interface)>();
        try
        {
            while (frames.Count < MostFrames && reader.TryRead(out var packet))
            {
                if (!packet.IsCutOff && packet.Direction != PacketDirection.Outbound)
                    frames.Add((packet.Bytes.ToArray(), packet.Interface));
            }
            return (frames, null);
        }
        catch (CommandException error)
        {
            return (frames, error);
        }
    }

    private static T? First<T>(IEnumerable<string> arguments)
        where T : struct, IParsable<T>
    {
        foreach (var argument in arguments) if (T.TryParse(argument, null, out var value)) return value;
        return null;
    }
}
