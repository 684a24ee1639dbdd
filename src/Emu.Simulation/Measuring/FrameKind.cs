using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Simulation;

/// <summary>Frames of one kind in any length, to measure with.</summary>
/// <param name="description">What they are, for the report.</param>
/// <param name="ofLength">Makes one; the argument is its bytes without FCS, 60 or more.</param>
public sealed class FrameKind(string description, Func<int, byte[]> ofLength)
{
    private const int IPv6HeaderLength = 40;
    private const int UdpHeaderLength = 8;

    /// <summary>What they are, for the report.</summary>
    public string Description { get; } = description;

    /// <summary>One of them.</summary>
    /// <param name="length">Its bytes without FCS, 60 or more.</param>
    public byte[] OfLength(int length) => ofLength(length);

    /// <summary>A frame that was seen, made longer by zeros or cut off at its end, with the lengths and checksums that this asks for.</summary>
    /// <param name="description">Where it was seen.</param>
    /// <param name="frame">The frame, without FCS.</param>
    public static FrameKind Like(string description, byte[] frame) => new(description, length =>
    {
        var resized = new byte[length];
        frame.AsSpan(0, Math.Min(length, frame.Length)).CopyTo(resized);
        if (length != frame.Length) Mend(resized);
        return resized;
    });

    private static void Mend(byte[] frame)
    {
        if (!Ethernet.TryParse(frame, out var ethernet)) return;
        var packet = ethernet.Payload;
        if (ethernet.EtherType == EtherType.IPv4)
        {
            BinaryPrimitives.WriteUInt16BigEndian(packet[2..], (ushort)packet.Length);
            if (!IPv4.TryParse(packet, out var ip)) return;
            ip.WriteHeaderChecksum();
            if (ip.IsFragment) return;
            if (ip.Protocol == IPProtocol.Icmp && Icmp.TryParse(ip.Payload, out var icmp)) icmp.WriteChecksum();
            if (ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp)) tcp.WriteChecksum(ip);
            if (ip.Protocol == IPProtocol.Udp && StatesLength(ip.Payload) && Udp.TryParse(ip.Payload, out var udp)) udp.WriteChecksum(ip);
        }
        else if (ethernet.EtherType == EtherType.IPv6)
        {
            BinaryPrimitives.WriteUInt16BigEndian(packet[4..], (ushort)(packet.Length - IPv6HeaderLength));
            if (!IPv6.TryParse(packet, out var ip)) return;
            if (ip.NextHeader == IPProtocol.Icmpv6 && Icmpv6.TryParse(ip.Payload, out var icmp)) icmp.WriteChecksum(ip);
            if (ip.NextHeader == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp)) tcp.WriteChecksum(ip);
            if (ip.NextHeader == IPProtocol.Udp && StatesLength(ip.Payload) && Udp.TryParse(ip.Payload, out var udp)) udp.WriteChecksum(ip);
        }
    }

    /// <summary>A UDP header has a length of its own.</summary>
    private static bool StatesLength(Span<byte> datagram)
    {
        if (datagram.Length < UdpHeaderLength) return false;
        BinaryPrimitives.WriteUInt16BigEndian(datagram[4..], (ushort)datagram.Length);
        return true;
    }
}
