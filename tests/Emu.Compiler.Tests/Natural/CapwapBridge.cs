using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// The data side of a controller of wireless access points: frames of stations come in CAPWAP, as they were in the air
/// or as Ethernet, and leave as Ethernet; those for a station go to its access point (RFC 5415 §4.3 and §4.4,
/// RFC 5416 §2.2, IEEE 802.11-2020 §9.3.2, RFC 1042 for SNAP).
/// </summary>
/// <remarks>Port 0 is the wired network, port 1 that of the access points.</remarks>
/// <param name="mac">The MAC address of the controller.</param>
/// <param name="address">Its address.</param>
public sealed class CapwapBridge(MacAddress mac, IPv4Address address) : Service
{
    private const ushort Port = 5247;
    private const int Outer = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength, MinHeader = 8;
    private const uint NativeFlag = 0x100, FragmentFlag = 0x80, KeepAliveFlag = 0x08, Reserved = 0x07;
    private const int Data = 0x08, QosData = 0x88, DirectionMask = 0x03, ToSystem = 0x01, ProtectedFlag = 0x40;
    private const int AirHeader = 24, QosLength = 2, SnapLength = 6;
    private const uint Ethernet3 = 2u << 27 | 1u << 22 | 1u << 9; // 8 bytes, radio 1, IEEE 802.11

    private static readonly PortId s_wired = new(0), s_wireless = new(1);

    /// <summary>The access point that a station is at.</summary>
    private readonly record struct AccessPoint(MacAddress Mac, IPv4Address Address, ushort Port);

    private readonly AgeingTable<MacAddress, AccessPoint> _stations = new(256, 300, hashSeed: 0xCA9);

    /// <summary>Frames of stations that left to the wired network.</summary>
    public Counter Decapsulated { get; } = new();

    /// <summary>Of these, frames as they were in the air.</summary>
    public Counter Translated { get; } = new();

    /// <summary>Frames that went to a station.</summary>
    public Counter Encapsulated { get; } = new();

    /// <summary>Keep-alives that were answered.</summary>
    public Counter KeepAlives { get; } = new();

    /// <summary>Packets dropped: parts of a frame, or encrypted.</summary>
    public Counter Unsupported { get; } = new();

    /// <summary>Packets dropped: malformed.</summary>
    public Counter Malformed { get; } = new();

    /// <summary>Frames dropped: for no station that is known, or too long for the tunnel.</summary>
    public Counter Undeliverable { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_wireless) FromAccessPoint(ref frame);
        else if (frame.Ingress == s_wired) ToStation(ref frame);
    }

    private void FromAccessPoint(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.Destination != mac || ethernet.EtherType != EtherType.IPv4) return;
        if (!IPv4.TryParse(ethernet.Payload, out var ip) || ip.Destination != address) return;
        if (ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)) return;
        if (udp.DestinationPort != Port) return;
        var capwap = udp.Payload;
        if (ip.IsFragment || capwap.Length >= 4 && capwap[0] == 1)
        {
            Unsupported.Increment();
            return;
        }
        if (capwap.Length < MinHeader || capwap[0] != 0)
        {
            Malformed.Increment();
            return;
        }
        var flags = capwap.GetUInt32(0);
        var header = (int)(flags >> 19 & 31) * 4;
        if (header < MinHeader || header > capwap.Length || (flags & Reserved) != 0)
        {
            Malformed.Increment();
            return;
        }
        if ((flags & KeepAliveFlag) != 0)
        {
            KeepAlives.Increment();
            (ip.Source, ip.Destination) = (ip.Destination, ip.Source);
            (udp.SourcePort, udp.DestinationPort) = (udp.DestinationPort, udp.SourcePort);
            (ethernet.Source, ethernet.Destination) = (mac, ethernet.Source);
            frame.Reply();
            return;
        }
        if ((flags & FragmentFlag) != 0)
        {
            Unsupported.Increment();
            return;
        }

        var point = new AccessPoint(ethernet.Source, ip.Source, udp.SourcePort);
        var (start, length) = (Ethernet.HeaderLength + ip.HeaderLength + Udp.HeaderLength + header,
            capwap.Length - header);
        var inner = capwap[header..];
        if ((flags & NativeFlag) != 0)
        {
            if (!TryReadAir(inner, out var behind, out var source, out var destination)) return;
            // The type behind SNAP becomes that of Ethernet; the addresses go before it.
            start += behind - 2 * MacAddress.Length;
            length -= behind - 2 * MacAddress.Length;
            frame.Remove(0, start);
            frame.Resize(Math.Max(length, Ethernet.MinFrameLength));
            _ = new Ethernet(frame) { Destination = destination, Source = source };
            Translated.Increment();
        }
        else if (length < Ethernet.HeaderLength)
        {
            Malformed.Increment();
            return;
        }
        else
        {
            frame.Remove(0, start);
            frame.Resize(Math.Max(length, Ethernet.MinFrameLength));
        }
        var station = new Ethernet(frame).Source;
        if (station.IsIndividual) _stations.Set(station, point, frame.Seconds);
        Decapsulated.Increment();
        frame.ForwardTo(s_wired);
    }

    private bool TryReadAir(Span<byte> bytes, out int behind, out MacAddress source, out MacAddress destination)
    {
        (behind, source, destination) = (AirHeader + SnapLength, default, default);
        if (bytes.Length < AirHeader)
        {
            Malformed.Increment();
            return false;
        }
        var control = bytes.GetUInt16(0);
        var kind = control >> 8;
        if (kind == QosData) behind += QosLength;
        if (kind is not (Data or QosData) || (control & DirectionMask) != ToSystem || (control & ProtectedFlag) != 0)
        {
            Unsupported.Increment();
            return false;
        }
        if (bytes.Length < behind + 2 || bytes.GetUInt32(behind - SnapLength) != 0xAAAA0300)
        {
            Malformed.Increment();
            return false;
        }
        (source, destination) = (bytes.GetMacAddress(10), bytes.GetMacAddress(16));
        return true;
    }

    private void ToStation(ref Frame frame)
    {
        var length = frame.Length;
        if (!_stations.TryGet(new Ethernet(frame).Destination, frame.Seconds, out var point)
            || length + Outer + MinHeader > Ethernet.HeaderLength + 1500)
        {
            Undeliverable.Increment();
            return;
        }
        frame.Insert(0, Outer + MinHeader);
        var ethernet = new Ethernet(frame) { Destination = point.Mac, Source = mac, EtherType = EtherType.IPv4 };
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        (ip.Ttl, ip.Protocol, ip.Source, ip.Destination) = (64, IPProtocol.Udp, address, point.Address);
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        (udp.SourcePort, udp.DestinationPort) = (Port, point.Port);
        udp.Payload.SetUInt32(0, Ethernet3);
        Encapsulated.Increment();
        frame.ForwardTo(s_wireless);
    }
}
