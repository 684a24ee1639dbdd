using Emu.Compiler;
using Emu.Hosting;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Tool;

/// <summary>Frames that a compiled service is measured with, those first that it might answer.</summary>
internal static class MeasuringFrames
{
    /// <summary>Frames of a capture that are tried.</summary>
    private const int MaxTried = 256;

    private const int EthernetHeader = 14;
    private const int IPv4Header = 20;
    private const int IcmpOrUdpHeader = 8;
    private const int TcpHeader = 20;

    private static readonly MacAddress s_peerMac = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly MacAddress s_strangerMac = MacAddress.Parse("02:00:00:00:00:fe");
    private static readonly IPv4Address s_stranger = IPv4Address.Parse("192.0.2.254"); // RFC 5737

    /// <summary>The kinds, in the order in which they are tried.</summary>
    /// <param name="arguments">The service's: an IPv4 and a MAC address among them are taken to be its own.</param>
    /// <param name="capture">A capture that is tried before all else; null for none.</param>
    /// <exception cref="CommandException">The capture cannot be read.</exception>
    public static IReadOnlyList<FrameKind> For(IReadOnlyList<string> arguments, string? capture)
    {
        List<FrameKind> kinds = capture is null ? [] : OfCapture(capture);
        if (First<IPv4Address>(arguments) is { } address)
        {
            var mac = First<MacAddress>(arguments) ?? MacAddress.Of(address);
            var peer = new IPv4Address(address.Bits ^ 1);
            var toService = Packet.Ethernet(s_peerMac, mac).IPv4(peer, address);
            kinds.Add(Kind($"ICMP echo requests to {address}", toService.IcmpEchoRequest(1, 1), IcmpOrUdpHeader));
            kinds.Add(Kind($"TCP SYNs to port 80 of {address}", toService.Tcp(1024, 80, 1, flags: Packet.Syn), TcpHeader));
            kinds.Add(Kind($"UDP datagrams to {address}", toService.Udp(1024, 7), IcmpOrUdpHeader));
            kinds.Add(Kind($"UDP datagrams to {s_stranger} by way of {address}", Packet.Ethernet(s_peerMac, mac).IPv4(peer, s_stranger).Udp(1024, 7),
                IcmpOrUdpHeader));
        }
        var stranger = Packet.Ethernet(s_peerMac, s_strangerMac).IPv4(IPv4Address.Parse("192.0.2.1"), s_stranger);
        kinds.Add(Kind($"UDP datagrams to {s_stranger}, at a MAC address that nobody has", stranger.Udp(1024, 7), IcmpOrUdpHeader));
        return kinds;
    }

    /// <summary>How it was measured, for the report.</summary>
    public static MeasurementNote Note(Measurement measured) => new(
        "managed",
        measured.Frames.Description,
        Measurement.LatencyBytes,
        measured.FirstLatency,
        measured.Answered,
        "latency: first beat in to first beat out of a frame alone, not the first of its second; interval: first beat to first beat "
            + "of frames of equal length on port 0, one behind the other, the sink always ready, rounded up");

    private static FrameKind Kind(string description, Packet headers, int lastHeader) =>
        new(description, length => headers.Payload(new byte[length - EthernetHeader - IPv4Header - lastHeader]));

    private static List<FrameKind> OfCapture(string capture)
    {
        using var reader = CaptureReader.Open(capture);
        var kinds = new List<FrameKind>();
        while (kinds.Count < MaxTried && reader.TryRead(out var packet))
        {
            if (packet.IsCutOff || packet.Direction == PacketDirection.Outbound) continue;
            kinds.Add(FrameKind.Like($"frames like the first of {Path.GetFileName(capture)} that is answered", packet.Bytes.ToArray()));
        }
        return kinds;
    }

    private static T? First<T>(IEnumerable<string> arguments)
        where T : struct, IParsable<T>
    {
        foreach (var argument in arguments) if (T.TryParse(argument, null, out var value)) return value;
        return null;
    }
}
