using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// The reset that a rejected segment is answered by, as by a host where there is no connection (RFC 9293 §3.10.7.1).
/// </summary>
internal readonly struct TcpReset
{
    private readonly ushort _from, _to;
    private readonly uint _sequence, _acknowledgment;
    private readonly TcpFlags _flags;

    public TcpReset(Tcp segment)
    {
        (_from, _to) = (segment.DestinationPort, segment.SourcePort);
        if (segment.IsAck) (_sequence, _acknowledgment, _flags) = (segment.AcknowledgmentNumber, 0, TcpFlags.Rst);
        else
            (_sequence, _acknowledgment, _flags) =
                (0, segment.SequenceNumber + (uint)segment.SegmentLength, TcpFlags.Rst | TcpFlags.Ack);
    }

    /// <summary>
    /// Makes a frame the one that carries the reset, and replies with it; a reset, or what is no
    /// segment, is not answered.
    /// </summary>
    public static void Reply(ref Frame frame, Ethernet ethernet, IPv4 about)
    {
        if (!Tcp.TryParse(about.Payload, out var segment) || segment.IsRst || !segment.HasValidChecksum(about)) return;
        var reset = new TcpReset(segment);
        var (peer, own, peerMac, ownMac) = (about.Source, about.Destination, ethernet.Source, ethernet.Destination);
        frame.Resize(Ethernet.MinFrameLength);
        var packet = new Ethernet(frame) { Destination = peerMac, Source = ownMac }.Payload;
        packet.Clear();
        if (!IPv4.TryInitialize(packet[..(IPv4.MinHeaderLength + Tcp.MinHeaderLength)], out var ip)) return;
        (ip.DontFragment, ip.Ttl, ip.Protocol) = (true, IPv4.DefaultTtl, IPProtocol.Tcp);
        (ip.Source, ip.Destination) = (own, peer);
        ip.WriteHeaderChecksum();
        if (!Tcp.TryInitialize(ip.Payload, out var tcp)) return;
        reset.WriteTo(tcp);
        tcp.WriteChecksum(ip);
        frame.Reply();
    }

    /// <inheritdoc cref="Reply(ref Frame, Ethernet, IPv4)"/>
    public static void Reply(ref Frame frame, Ethernet ethernet, IPv6 about, UpperLayer upper)
    {
        if (!Tcp.TryParse(upper.Payload, out var segment) || segment.IsRst || !segment.HasValidChecksum(about)) return;
        var reset = new TcpReset(segment);
        var (peer, own, peerMac, ownMac) = (about.Source, about.Destination, ethernet.Source, ethernet.Destination);
        frame.Resize(Ethernet.HeaderLength + IPv6.HeaderLength + Tcp.MinHeaderLength);
        var packet = new Ethernet(frame) { Destination = peerMac, Source = ownMac }.Payload;
        if (!IPv6.TryInitialize(packet, out var ip)) return;
        (ip.HopLimit, ip.NextHeader, ip.Source, ip.Destination) = (IPv6.DefaultHopLimit, IPProtocol.Tcp, own, peer);
        if (!Tcp.TryInitialize(ip.Payload, out var tcp)) return;
        reset.WriteTo(tcp);
        tcp.WriteChecksum(ip);
        frame.Reply();
    }

    private void WriteTo(Tcp tcp) =>
        (tcp.SourcePort, tcp.DestinationPort, tcp.SequenceNumber, tcp.AcknowledgmentNumber, tcp.Flags) =
            (_from, _to, _sequence, _acknowledgment, _flags);
}
