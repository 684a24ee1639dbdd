using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// The two ends of a packet: ports for UDP and TCP; for an ICMP query its identifier at the end that asks, which is
/// inside, and 0 at the other.
/// </summary>
internal readonly struct Flow(Endpoint source, Endpoint destination)
{
    /// <summary>The bytes that are needed of a header: an ICMP error quotes as much (RFC 792).</summary>
    private const int MinLength = 8;

    private const int SourcePortOffset = 0;
    private const int DestinationPortOffset = 2;
    private const int IcmpTypeOffset = 0;
    private const int IcmpIdentifierOffset = 4;

    public Endpoint Source { get; } = source;

    public Endpoint Destination { get; } = destination;

    /// <summary>The way back.</summary>
    public Flow Reversed => new(Destination, Source);

    /// <summary>The flow of a fragment behind the first, of which only the addresses are known.</summary>
    public static Flow WithoutPorts(IPv4Address source, IPv4Address destination) =>
        new(new Endpoint(FlowProtocol.None, source, 0), new Endpoint(FlowProtocol.None, destination, 0));

    /// <summary>Reads the ends of a packet, of which the transport header may be cut off behind eight bytes.</summary>
    /// <param name="ip">The packet.</param>
    /// <param name="isFromInside">True if it comes from the inside: ICMP queries are asked from there only.</param>
    /// <param name="flow">The ends.</param>
    /// <returns>True if it is of a protocol that is translated.</returns>
    public static bool TryParse(IPv4 ip, bool isFromInside, out Flow flow)
    {
        flow = default;
        var bytes = ip.Payload;
        if (bytes.Length < MinLength) return false;
        if (ip.Protocol == IPProtocol.Icmp)
        {
            var type = (IcmpType)bytes[IcmpTypeOffset];
            var isQuery = type is IcmpType.EchoRequest or IcmpType.Timestamp;
            if (isFromInside ? !isQuery : type is not (IcmpType.EchoReply or IcmpType.TimestampReply)) return false;
            var identifier = BinaryPrimitives.ReadUInt16BigEndian(bytes[IcmpIdentifierOffset..]);
            flow = Between(
                ip, FlowProtocol.Icmp, isFromInside ? identifier : (ushort)0, isFromInside ? (ushort)0 : identifier);
            return true;
        }
        if (ip.Protocol is not (IPProtocol.Udp or IPProtocol.Tcp)) return false;
        var protocol = ip.Protocol == IPProtocol.Udp ? FlowProtocol.Udp : FlowProtocol.Tcp;
        var source = BinaryPrimitives.ReadUInt16BigEndian(bytes[SourcePortOffset..]);
        flow = Between(ip, protocol, source, BinaryPrimitives.ReadUInt16BigEndian(bytes[DestinationPortOffset..]));
        return true;
    }

    /// <summary>By how much the sum of the ports, or of the identifier, changes.</summary>
    /// <param name="before">The ends that a packet has.</param>
    /// <param name="after">Those that it gets.</param>
    public static ulong PortChange(Flow before, Flow after) =>
        InternetChecksum.Sum(~((uint)before.Source.Port << 16 | before.Destination.Port))
        + after.Destination.Port + after.Source.Port;

    /// <summary>
    /// Gives a packet these ends; a fragment behind the first has addresses only. Checksums are left as they are.
    /// </summary>
    /// <param name="ip">The packet; its transport header may be cut off behind eight bytes.</param>
    public void WriteTo(IPv4 ip)
    {
        ip.Source = Source.Address;
        ip.Destination = Destination.Address;
        var bytes = ip.Payload;
        if (Source.Protocol == FlowProtocol.None) return;
        if (Source.Protocol == FlowProtocol.Icmp)
        {
            BinaryPrimitives.WriteUInt16BigEndian(
                bytes[IcmpIdentifierOffset..], (ushort)(Source.Port | Destination.Port));
            return;
        }
        BinaryPrimitives.WriteUInt16BigEndian(bytes[SourcePortOffset..], Source.Port);
        BinaryPrimitives.WriteUInt16BigEndian(bytes[DestinationPortOffset..], Destination.Port);
    }

    private static Flow Between(IPv4 ip, FlowProtocol protocol, ushort source, ushort destination) =>
        new(new Endpoint(protocol, ip.Source, source), new Endpoint(protocol, ip.Destination, destination));
}
