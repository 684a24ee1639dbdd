namespace Emu.Protocols;

/// <summary>
/// A datagram that may be answered: its place in the frame, and the way to answer it.
/// </summary>
/// <remarks>
/// Its packet has no IPv4 options and no IPv6 extension headers: an <see cref="IPHost"/> has taken them out, or there
/// never were any.
/// </remarks>
public readonly struct UdpDatagram
{
    private const int HeadersLength = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength;
    private const int HeadersLength6 = Ethernet.HeaderLength + IPv6.HeaderLength + Udp.HeaderLength;

    internal UdpDatagram(Udp udp, bool isIPv6)
    {
        (SourcePort, DestinationPort) = (udp.SourcePort, udp.DestinationPort);
        Length = udp.Payload.Length;
        IsIPv6 = isIPv6;
    }

    /// <summary>Finds the datagram of a frame, for a service that is no <see cref="IPHost"/>.</summary>
    /// <returns>
    /// True if there is a whole one, from a single host to a single host, in a packet without options or extension
    /// headers, with valid checksums.
    /// </returns>
    public static bool TryParse(Frame frame, out UdpDatagram datagram)
    {
        datagram = default;
        var ethernet = new Ethernet(frame);
        if (ethernet.Source.IsGroup || ethernet.Destination.IsGroup) return false;
        if (ethernet.EtherType == EtherType.IPv6) return TryParse6(ethernet, out datagram);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return false;
        if (ip.HeaderLength != IPv4.MinHeaderLength || ip.IsFragment || ip.Protocol != IPProtocol.Udp) return false;
        if (!ip.HasValidHeaderChecksum || !ip.Source.CanBeSource) return false;
        if (ip.Destination.IsMulticast || ip.Destination.IsBroadcast) return false;
        if (!Udp.TryParse(ip.Payload, out var udp) || !udp.HasValidChecksum(ip)) return false;
        datagram = new UdpDatagram(udp, isIPv6: false);
        return true;
    }

    private static bool TryParse6(Ethernet ethernet, out UdpDatagram datagram)
    {
        datagram = default;
        if (!IPv6.TryParse(ethernet.Payload, out var ip) || ip.NextHeader != IPProtocol.Udp) return false;
        if (ip.Source.IsUnspecified || ip.Source.IsMulticast || ip.Destination.IsMulticast) return false;
        if (!Udp.TryParse(ip.Payload, out var udp) || !udp.HasValidChecksum(ip)) return false;
        datagram = new UdpDatagram(udp, isIPv6: true);
        return true;
    }

    /// <summary>True if it came over IPv6.</summary>
    public bool IsIPv6 { get; }

    /// <summary>The offset of its payload in the frame: 42 bytes over IPv4, 62 over IPv6.</summary>
    public int Offset => IsIPv6 ? HeadersLength6 : HeadersLength;

    /// <summary>The bytes of its payload.</summary>
    public int Length { get; }

    /// <summary>The port that it came from.</summary>
    public ushort SourcePort { get; }

    /// <summary>The port that it came to.</summary>
    public ushort DestinationPort { get; }

    /// <summary>The address that it came from, as a number: a key for what is kept of sources.</summary>
    /// <param name="frame">The datagram's frame, before it is made an answer.</param>
    public UInt128 SourceBits(Frame frame) => AddressBits(frame, IPv4.SourceOffset, IPv6.SourceOffset);

    /// <summary>The address that it came to, as a number.</summary>
    /// <param name="frame">The datagram's frame, before it is made an answer.</param>
    public UInt128 DestinationBits(Frame frame) => AddressBits(frame, IPv4.DestinationOffset, IPv6.DestinationOffset);

    /// <summary>
    /// Makes the frame the answer to the datagram, and replies with it: addresses and ports change places, lengths and
    /// checksums are those of the new payload, a short frame is padded. Views made before must not be used after.
    /// </summary>
    /// <param name="frame">The datagram's frame, with the answer's payload from <see cref="Offset"/> on.</param>
    /// <param name="length">The bytes of the answer's payload; the frame has them, or grows by bytes of 0.</param>
    public void Reply(ref Frame frame, int length)
    {
        MakeReply(ref frame, length);
        frame.Reply();
    }

    /// <summary>
    /// Makes the frame the answer to the datagram, as <see cref="Reply(ref Frame, int)"/> does, where the sum of the
    /// answer's payload is known: it may be written behind this. Views made before must not be used after.
    /// </summary>
    /// <param name="frame">The datagram's frame.</param>
    /// <param name="length">The bytes of the answer's payload; the frame has them, or grows by bytes of 0.</param>
    /// <param name="sum">The <see cref="InternetChecksum.Sum(ReadOnlySpan{byte})"/> of the answer's payload.</param>
    public void Reply(ref Frame frame, int length, ulong sum)
    {
        MakeReply(ref frame, length, sum);
        frame.Reply();
    }

    /// <summary>
    /// Emits an answer to the datagram, as <see cref="Reply(ref Frame, int)"/> has it, of which there may be several;
    /// the frame is not sent otherwise. Views made before must not be used after.
    /// </summary>
    /// <param name="frame">The datagram's frame, with the answer's payload from <see cref="Offset"/> on.</param>
    /// <param name="length">The bytes of the answer's payload; the frame has them, or grows by bytes of 0.</param>
    public void Send(ref Frame frame, int length)
    {
        MakeReply(ref frame, length);
        frame.Send(PortSet.Of(frame.Ingress));
        RestoreAddresses(frame);
    }

    private UInt128 AddressBits(Frame frame, int offset, int offset6)
    {
        var packet = frame.Bytes[Ethernet.HeaderLength..];
        return IsIPv6 ? packet.GetIPv6Address(offset6).Bits : packet.GetIPv4Address(offset).Bits;
    }

    private void MakeReply(ref Frame frame, int length, ulong? sum = null)
    {
        var end = Offset + length;
        frame.Resize(end < Ethernet.MinFrameLength ? Ethernet.MinFrameLength : end);
        frame.Bytes[end..].Clear();
        var ethernet = new Ethernet(frame);
        (ethernet.Destination, ethernet.Source) = (ethernet.Source, ethernet.Destination);
        var packet = ethernet.Payload[..(end - Ethernet.HeaderLength)];
        if (IsIPv6) WriteHeaders6(packet, sum);
        else WriteHeaders(packet, sum);
    }

    /// <summary>Makes the addresses those of the request, so that another answer can be made.</summary>
    private void RestoreAddresses(Frame frame)
    {
        var ethernet = new Ethernet(frame);
        (ethernet.Destination, ethernet.Source) = (ethernet.Source, ethernet.Destination);
        var packet = ethernet.Payload;
        if (IsIPv6)
        {
            var source = packet.GetIPv6Address(IPv6.SourceOffset);
            packet.SetIPv6Address(IPv6.SourceOffset, packet.GetIPv6Address(IPv6.DestinationOffset));
            packet.SetIPv6Address(IPv6.DestinationOffset, source);
        }
        else
        {
            var source = packet.GetIPv4Address(IPv4.SourceOffset);
            packet.SetIPv4Address(IPv4.SourceOffset, packet.GetIPv4Address(IPv4.DestinationOffset));
            packet.SetIPv4Address(IPv4.DestinationOffset, source);
        }
    }

    /// <summary>Nobody may take the packet apart, so it needs no identification (RFC 6864 §4.1).</summary>
    private void WriteHeaders(Span<byte> packet, ulong? sum)
    {
        var (source, destination) = (
            packet.GetIPv4Address(IPv4.DestinationOffset), packet.GetIPv4Address(IPv4.SourceOffset));
        if (!IPv4.TryInitialize(packet, out var ip)) return;
        ip.DontFragment = true;
        ip.Ttl = IPv4.DefaultTtl;
        ip.Protocol = IPProtocol.Udp;
        ip.Source = source;
        ip.Destination = destination;
        ip.WriteHeaderChecksum();
        if (!TryBegin(ip.Payload, out var udp)) return;
        if (sum is { } known) udp.WriteChecksum(ip, known);
        else udp.WriteChecksum(ip);
    }

    private void WriteHeaders6(Span<byte> packet, ulong? sum)
    {
        var (source, destination) = (
            packet.GetIPv6Address(IPv6.DestinationOffset), packet.GetIPv6Address(IPv6.SourceOffset));
        if (!IPv6.TryInitialize(packet, out var ip)) return;
        ip.NextHeader = IPProtocol.Udp;
        ip.HopLimit = IPv6.DefaultHopLimit;
        ip.Source = source;
        ip.Destination = destination;
        if (!TryBegin(ip.Payload, out var udp)) return;
        if (sum is { } known) udp.WriteChecksum(ip, known);
        else udp.WriteChecksum(ip);
    }

    private bool TryBegin(Span<byte> datagram, out Udp udp)
    {
        if (!Udp.TryInitialize(datagram, out udp)) return false;
        udp.SourcePort = DestinationPort;
        udp.DestinationPort = SourcePort;
        return true;
    }
}
