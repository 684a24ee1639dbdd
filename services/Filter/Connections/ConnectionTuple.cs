using Emu.Protocols;

namespace Emu.Services;

/// <summary>The key of a connection, as the packets of one side have it.</summary>
/// <param name="Source">IPv4 or IPv6.</param>
/// <param name="Destination">Likewise.</param>
/// <param name="SourcePort">ICMP: the identifier. Of protocols that are not known: 0.</param>
/// <param name="DestinationPort">ICMP: type and code.</param>
/// <param name="Protocol">Of the upper layer.</param>
/// <param name="IsIPv6">True if the addresses are of IPv6.</param>
internal readonly record struct ConnectionTuple(
    UInt128 Source, UInt128 Destination, ushort SourcePort, ushort DestinationPort, byte Protocol, bool IsIPv6)
{
    private const int TypeShift = 8;

    /// <summary>The tuple of the answers: to an ICMP query, the type of its reply.</summary>
    public ConnectionTuple Reverse => IsIcmp((IPProtocol)Protocol)
        ? this with
        {
            Source = Destination,
            Destination = Source,
            DestinationPort = (ushort)(Counterpart(Type) << TypeShift | (byte)DestinationPort),
        }
        : new ConnectionTuple(Destination, Source, DestinationPort, SourcePort, Protocol, IsIPv6);

    /// <summary>
    /// True if such a packet can begin a connection: of ICMP only a query (RFC 792, RFC 950, RFC 4443, RFC 4620).
    /// </summary>
    public bool CanBegin =>
        !IsIcmp((IPProtocol)Protocol) || (IsIPv6 ? Type is 128 or 139 : Type is 8 or 13 or 15 or 17);

    private byte Type => (byte)(DestinationPort >> TypeShift);

    public static bool IsIcmp(IPProtocol protocol) => protocol is IPProtocol.Icmp or IPProtocol.Icmpv6;

    /// <summary>Protocols whose connections are told apart by ports.</summary>
    public static bool HasPorts(IPProtocol protocol) =>
        protocol is IPProtocol.Tcp or IPProtocol.Udp or (IPProtocol)Protocols.UdpLite;

    /// <inheritdoc/>
    public override string ToString() =>
        $"{Protocols.Name(Protocol)} {Text(Source)} {SourcePort} > {Text(Destination)} {DestinationPort}";

    /// <summary>
    /// The type that answers a query, or of the query that is answered: they are neighbours, in IPv4 echo apart.
    /// </summary>
    private byte Counterpart(byte type)
    {
        if (IsIPv6) return type is 128 or 139 ? (byte)(type + 1) : (byte)(type - 1);
        return type switch { 8 => 0, 0 => 8, 13 or 15 or 17 => (byte)(type + 1), _ => (byte)(type - 1) };
    }

    private string Text(UInt128 address) => AddressPrefix.Text(IsIPv6 ? IPFamily.IPv6 : IPFamily.IPv4, address);
}
