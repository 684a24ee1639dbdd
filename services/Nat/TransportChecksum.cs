using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// The checksum of a UDP or TCP header or of an ICMP query. It may be cut off with the header's end,
/// and one of UDP need not be there.
/// </summary>
internal readonly struct TransportChecksum
{
    private const int UdpOffset = 6;
    private const int TcpOffset = 16;
    private const int IcmpOffset = 2;

    private readonly FlowProtocol _protocol;
    private readonly ushort _value;

    private TransportChecksum(FlowProtocol protocol, ushort value, bool isThere) =>
        (_protocol, _value, IsThere) = (protocol, value, isThere);

    /// <summary>True if there is a checksum.</summary>
    public bool IsThere { get; }

    /// <summary>True if it is a checksum of UDP or TCP, which covers the addresses.</summary>
    public bool CoversAddresses => IsThere && _protocol != FlowProtocol.Icmp;

    /// <summary>Reads it.</summary>
    /// <param name="ip">The packet; of its payload there are eight bytes or more, if it has ports.</param>
    /// <param name="protocol">None for a fragment behind the first, which has none.</param>
    public static TransportChecksum Of(IPv4 ip, FlowProtocol protocol)
    {
        var bytes = ip.Payload;
        ushort value = 0;
        var isThere = true;
        if (protocol == FlowProtocol.Icmp) value = Read(bytes, IcmpOffset);
        else if (protocol == FlowProtocol.Udp) isThere = (value = Read(bytes, UdpOffset)) != 0;
        else if (protocol == FlowProtocol.Tcp && bytes.Length >= TcpOffset + sizeof(ushort))
            value = Read(bytes, TcpOffset);
        else isThere = false;
        return new TransportChecksum(protocol, value, isThere);
    }

    /// <summary>The checksum after the change (RFC 1624 eqn. 3): a wrong one stays wrong.</summary>
    /// <param name="addresses">The change of the sum of the addresses.</param>
    /// <param name="ports">The change of the sum of the ports, or of the identifier.</param>
    public TransportChecksum After(ulong addresses, ulong ports)
    {
        var value = InternetChecksum.Update(_value, _protocol == FlowProtocol.Icmp ? ports : addresses + ports);
        // 0 says that there is none (RFC 768).
        if (_protocol == FlowProtocol.Udp && value == 0) value = ushort.MaxValue;
        return new TransportChecksum(_protocol, value, IsThere);
    }

    /// <summary>Writes it, if there is one.</summary>
    /// <param name="ip">The packet that it was read from.</param>
    public void WriteTo(IPv4 ip)
    {
        if (!IsThere) return;
        var bytes = ip.Payload;
        if (_protocol == FlowProtocol.Icmp) Write(bytes, IcmpOffset);
        else if (_protocol == FlowProtocol.Udp) Write(bytes, UdpOffset);
        else if (bytes.Length >= TcpOffset + sizeof(ushort)) Write(bytes, TcpOffset);
    }

    private static ushort Read(Span<byte> bytes, int offset) => BinaryPrimitives.ReadUInt16BigEndian(bytes[offset..]);

    private void Write(Span<byte> bytes, int offset) => BinaryPrimitives.WriteUInt16BigEndian(bytes[offset..], _value);
}
