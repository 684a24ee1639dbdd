using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Simulation;

/// <summary>Frames of one kind, to measure with: one of them as it is, and longer ones like it.</summary>
/// <param name="name">Says what they are, for the report.</param>
/// <param name="frame">One frame of the kind, from the destination address to the last byte before the FCS.</param>
/// <param name="frames">The number of such frames where it was found.</param>
/// <param name="ingress">The port that they come by: the first unless another is named.</param>
public sealed class FrameKind(string name, ReadOnlyMemory<byte> frame, int frames = 1, PortId ingress = default)
{
    private const int TagLength = 4;
    private const int IPv6HeaderLength = 40;
    private const int UdpHeaderLength = 8;

    /// <summary>Says what they are, for the report.</summary>
    public string Name { get; } = name;

    /// <summary>One frame of the kind.</summary>
    public ReadOnlyMemory<byte> Frame { get; } = frame;

    /// <summary>The number of such frames where it was found.</summary>
    public int Frames { get; } = frames;

    /// <summary>The port that they come by.</summary>
    public PortId Ingress { get; } = ingress;

    /// <summary>The bytes of <see cref="Frame"/>, without FCS.</summary>
    public int Bytes => Frame.Length;

    /// <summary>
    /// The frame itself, or one made longer by zeros at its end, with the lengths and checksums that this asks for.
    /// </summary>
    /// <param name="length">The length in bytes without FCS; not less than <see cref="Bytes"/>.</param>
    /// <exception cref="ArgumentOutOfRangeException">The length is less.</exception>
    public byte[] OfLength(int length)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(length, Bytes);
        var longer = new byte[length];
        Frame.CopyTo(longer);
        if (length > Bytes && Ethernet.TryParse(longer, out var ethernet))
            Mend(ethernet.EtherType, longer.AsSpan(FrameLength.Header));
        return longer;
    }

    private static void Mend(EtherType type, Span<byte> packet)
    {
        for (; type is EtherType.CTag or EtherType.STag && packet.Length >= TagLength; packet = packet[TagLength..])
            type = (EtherType)BinaryPrimitives.ReadUInt16BigEndian(packet[2..]);
        if (type == EtherType.IPv4) MendIPv4(packet);
        else if (type == EtherType.IPv6) MendIPv6(packet);
    }

    private static void MendIPv4(Span<byte> packet)
    {
        if (!IPv4.TryParse(packet, out _)) return;
        BinaryPrimitives.WriteUInt16BigEndian(packet[2..], (ushort)packet.Length);
        if (!IPv4.TryParse(packet, out var ip)) return;
        ip.WriteHeaderChecksum();
        if (ip.IsFragment) return;
        if (ip.Protocol == IPProtocol.Icmp && Icmp.TryParse(ip.Payload, out var icmp)) icmp.WriteChecksum();
        if (ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp)) tcp.WriteChecksum(ip);
        if (ip.Protocol == IPProtocol.Udp && StatesLength(ip.Payload) && Udp.TryParse(ip.Payload, out var udp))
            udp.WriteChecksum(ip);
    }

    private static void MendIPv6(Span<byte> packet)
    {
        if (!IPv6.TryParse(packet, out _)) return;
        BinaryPrimitives.WriteUInt16BigEndian(packet[4..], (ushort)(packet.Length - IPv6HeaderLength));
        if (!IPv6.TryParse(packet, out var ip)) return;
        if (ip.NextHeader == IPProtocol.Icmpv6 && Icmpv6.TryParse(ip.Payload, out var icmp)) icmp.WriteChecksum(ip);
        if (ip.NextHeader == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp)) tcp.WriteChecksum(ip);
        if (ip.NextHeader == IPProtocol.Udp && StatesLength(ip.Payload) && Udp.TryParse(ip.Payload, out var udp))
            udp.WriteChecksum(ip);
    }

    /// <summary>A UDP header has a length of its own.</summary>
    private static bool StatesLength(Span<byte> datagram)
    {
        if (datagram.Length < UdpHeaderLength) return false;
        BinaryPrimitives.WriteUInt16BigEndian(datagram[4..], (ushort)datagram.Length);
        return true;
    }
}
