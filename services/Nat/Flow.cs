using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// The two ends of a packet: ports for UDP and TCP; for an ICMP query its identifier at the end that asks, which is inside, and 0 at the other.
/// </summary>
internal readonly struct Flow(Endpoint source, Endpoint destination)
{
    /// <summary>What is needed of a header: an ICMP error quotes as much (RFC 792).</summary>
    private const int MinLength = 8;

    private const int SourcePortOffset = 0;
    private const int DestinationPortOffset = 2;
    private const int UdpChecksumOffset = 6;
    private const int TcpChecksumOffset = 16;
    private const int IcmpTypeOffset = 0;
    private const int IcmpChecksumOffset = 2;
    private const int IcmpIdentifierOffset = 4;

    public Endpoint Source { get; } = source;

    public Endpoint Destination { get; } = destination;

    /// <summary>The way back.</summary>
    public Flow Reversed => new(Destination, Source);

    /// <summary>What is known of a fragment behind the first.</summary>
    public static Flow WithoutPorts(IPv4Address source, IPv4Address destination) =>
        new(new Endpoint(FlowProtocol.None, source, 0), new Endpoint(FlowProtocol.None, destination, 0));

    /// <summary>Reads the ends of a packet, of which the transport header may be cut off behind eight bytes.</summary>
    /// <param name="ip">The packet.</param>
    /// <param name="isFromInside">Which way it goes: ICMP queries are asked from the inside only.</param>
    /// <param name="flow">The ends.</param>
    /// <returns>Whether it is of a protocol that is translated.</returns>
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
            flow = Between(ip, FlowProtocol.Icmp, isFromInside ? identifier : (ushort)0, isFromInside ? (ushort)0 : identifier);
            return true;
        }
        if (ip.Protocol is not (IPProtocol.Udp or IPProtocol.Tcp)) return false;
        var protocol = ip.Protocol == IPProtocol.Udp ? FlowProtocol.Udp : FlowProtocol.Tcp;
        var source = BinaryPrimitives.ReadUInt16BigEndian(bytes[SourcePortOffset..]);
        flow = Between(ip, protocol, source, BinaryPrimitives.ReadUInt16BigEndian(bytes[DestinationPortOffset..]));
        return true;
    }

    /// <summary>Gives a packet these ends, and its checksums what follows from that (RFC 1624): a wrong one stays wrong.</summary>
    /// <param name="ip">The packet; its transport header may be cut off behind eight bytes.</param>
    /// <param name="before">The ends that it has.</param>
    /// <returns>By how much the sum of all its bytes changes.</returns>
    public ulong WriteTo(IPv4 ip, Flow before)
    {
        var ports = InternetChecksum.Change(before.Ports, Ports);
        var addresses = WriteAddressesTo(ip, before);
        var bytes = ip.Payload;
        if (Source.Protocol == FlowProtocol.Icmp)
        {
            BinaryPrimitives.WriteUInt16BigEndian(bytes[IcmpIdentifierOffset..], (ushort)(Source.Port | Destination.Port));
            Update(bytes, IcmpChecksumOffset, ports);
            return 0;
        }
        BinaryPrimitives.WriteUInt16BigEndian(bytes[SourcePortOffset..], Source.Port);
        BinaryPrimitives.WriteUInt16BigEndian(bytes[DestinationPortOffset..], Destination.Port);
        var hasChecksum = Source.Protocol == FlowProtocol.Udp ? TryUpdateUdp(bytes, addresses + ports) : TryUpdateTcp(bytes, addresses + ports);
        // A header and its checksum change by amounts that cancel out, and so do ports, their checksum, and the addresses, which it covers too.
        return hasChecksum ? AddressChange(this, before) : ports;
    }

    /// <summary>The same of a fragment behind the first: what it carries is data.</summary>
    /// <param name="ip">The fragment.</param>
    /// <param name="before">The ends that it has.</param>
    /// <returns>By how much the sum of its addresses changes.</returns>
    public ulong WriteAddressesTo(IPv4 ip, Flow before)
    {
        var addresses = AddressChange(before, this);
        ip.Source = Source.Address;
        ip.Destination = Destination.Address;
        ip.HeaderChecksum = InternetChecksum.Update(ip.HeaderChecksum, addresses);
        return addresses;
    }

    private uint Ports => (uint)Source.Port << 16 | Destination.Port;

    private static ulong AddressChange(Flow before, Flow after) =>
        InternetChecksum.Change(before.Source.Address.Bits, after.Source.Address.Bits)
        + InternetChecksum.Change(before.Destination.Address.Bits, after.Destination.Address.Bits);

    private static Flow Between(IPv4 ip, FlowProtocol protocol, ushort source, ushort destination) =>
        new(new Endpoint(protocol, ip.Source, source), new Endpoint(protocol, ip.Destination, destination));

    /// <summary>A checksum of 0 says that there is none; one that becomes 0 is sent as its other form (RFC 768).</summary>
    private static bool TryUpdateUdp(Span<byte> bytes, ulong change)
    {
        var checksum = BinaryPrimitives.ReadUInt16BigEndian(bytes[UdpChecksumOffset..]);
        if (checksum == 0) return false;
        checksum = InternetChecksum.Update(checksum, change);
        BinaryPrimitives.WriteUInt16BigEndian(bytes[UdpChecksumOffset..], checksum == 0 ? ushort.MaxValue : checksum);
        return true;
    }

    private static bool TryUpdateTcp(Span<byte> bytes, ulong change)
    {
        if (bytes.Length < TcpChecksumOffset + sizeof(ushort)) return false;
        Update(bytes, TcpChecksumOffset, change);
        return true;
    }

    private static void Update(Span<byte> bytes, int offset, ulong change) =>
        BinaryPrimitives.WriteUInt16BigEndian(bytes[offset..], InternetChecksum.Update(BinaryPrimitives.ReadUInt16BigEndian(bytes[offset..]), change));
}
