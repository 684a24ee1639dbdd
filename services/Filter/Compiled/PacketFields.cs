using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Services;

/// <summary>The fields of a packet that rules compare, read once.</summary>
internal readonly struct PacketFields
{
    private const int TcpFlagsOffset = 13;

    private readonly ulong _source, _sourceHigh, _destination, _destinationHigh, _mac, _ingress, _egress;
    private readonly ushort _sourcePort, _destinationPort, _length;
    private readonly byte _protocol, _ttl, _tcpFlags;
    private readonly bool _isLaterFragment, _isIPv6;

    /// <summary>Of an IPv4 packet.</summary>
    public PacketFields(in Frame frame, Ethernet ethernet, IPv4 ip)
        : this(frame, ethernet, ip.Payload, ip.Protocol, ip.FragmentOffset)
    {
        (_source, _destination, _length, _ttl) = (ip.Source.Bits, ip.Destination.Bits, ip.TotalLength, ip.Ttl);
    }

    /// <summary>Of an IPv6 packet.</summary>
    public PacketFields(in Frame frame, Ethernet ethernet, IPv6 ip, UpperLayer upper)
        : this(frame, ethernet, upper.Payload, upper.Protocol, upper.FragmentOffset)
    {
        (_source, _sourceHigh) = ((ulong)ip.Source.Bits, (ulong)(ip.Source.Bits >> 64));
        (_destination, _destinationHigh) = ((ulong)ip.Destination.Bits, (ulong)(ip.Destination.Bits >> 64));
        (_length, _ttl, _isIPv6) = ((ushort)(ip.PayloadLength + IPv6.HeaderLength), ip.HopLimit, true);
    }

    private PacketFields(
        in Frame frame, Ethernet ethernet, Span<byte> payload, IPProtocol protocol, ushort fragmentOffset)
    {
        Time = frame.Time;
        _mac = ethernet.Source.Bits;
        _ingress = PortSet.Of(frame.Ingress).Bits;
        _egress = PortSet.Of(Filter.Opposite(frame.Ingress)).Bits;
        _protocol = (byte)protocol;
        _isLaterFragment = fragmentOffset != 0;
        IsMalformed = _isLaterFragment
            ? protocol == IPProtocol.Tcp && fragmentOffset == 1
            : payload.Length < LeastLength(protocol);
        if (payload.Length >= sizeof(uint))
        {
            _sourcePort = BinaryPrimitives.ReadUInt16BigEndian(payload);
            _destinationPort = BinaryPrimitives.ReadUInt16BigEndian(payload[sizeof(ushort)..]);
        }
        if (payload.Length > TcpFlagsOffset) _tcpFlags = payload[TcpFlagsOffset];
    }

    /// <summary>
    /// True if the header of the upper layer is not whole, so that its fields cannot be compared;
    /// or a fragment would lie over its flags (RFC 1858 §4.2).
    /// </summary>
    public bool IsMalformed { get; }

    /// <summary>The time at which the packet arrived, in nanoseconds.</summary>
    public ulong Time { get; }

    public TcpFlags TcpFlags => (TcpFlags)_tcpFlags;

    /// <summary>The state of its connection, where a rule asks for that.</summary>
    public ConnectionState ConnectionState { get; init; }

    /// <summary>The connection that it would begin.</summary>
    /// <param name="identifier">The identifier of an ICMP query,
    /// which stands behind the fields that rules compare.</param>
    public ConnectionTuple Tuple(ushort identifier)
    {
        var protocol = (IPProtocol)_protocol;
        var (source, destination) = (new UInt128(_sourceHigh, _source), new UInt128(_destinationHigh, _destination));
        return ConnectionTuple.IsIcmp(protocol)
            ? new ConnectionTuple(source, destination, identifier, _sourcePort, _protocol, _isIPv6)
            : ConnectionTuple.HasPorts(protocol)
                ? new ConnectionTuple(source, destination, _sourcePort, _destinationPort, _protocol, _isIPv6)
                : new ConnectionTuple(source, destination, 0, 0, _protocol, _isIPv6);
    }

    /// <summary>A field as a number.</summary>
    public ulong this[Field field] => field switch
    {
        Field.Protocol => _protocol,
        Field.Source => _source,
        Field.SourceHigh => _sourceHigh,
        Field.Destination => _destination,
        Field.DestinationHigh => _destinationHigh,
        Field.SourcePort or Field.IcmpTypeAndCode => _sourcePort,
        Field.DestinationPort => _destinationPort,
        Field.TcpFlags => _tcpFlags,
        Field.LaterFragment => _isLaterFragment ? 1UL : 0,
        Field.Length => _length,
        Field.Ttl => _ttl,
        Field.SourceMac => _mac,
        Field.Ingress => _ingress,
        Field.ConnectionState => (ulong)ConnectionState,
        _ => _egress,
    };

    /// <summary>The bytes that a header has at least (RFC 9293, 768, 792, 4443, 9260, 4340, 3828).</summary>
    private static int LeastLength(IPProtocol protocol) => (byte)protocol switch
    {
        (byte)IPProtocol.Tcp => Tcp.MinHeaderLength,
        (byte)IPProtocol.Udp or (byte)IPProtocol.Icmp or (byte)IPProtocol.Icmpv6 or Protocols.UdpLite => 8,
        Protocols.Sctp or Protocols.Dccp => 12,
        _ => 0,
    };
}
