using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Guards the OSPF routers of a network (RFC 2328): OSPF from ports where no router belongs is dropped, and so are
/// packets that could not form an adjacency, since their area, intervals or mask are others, and hellos that claim the
/// router ID of another router.
/// </summary>
/// <param name="area">The area of this network.</param>
/// <param name="mask">Its network mask.</param>
/// <param name="helloInterval">Seconds between hellos.</param>
/// <param name="routerPorts">The ports where routers are.</param>
public sealed class OspfGuard(
    IPv4Address area, IPv4Address mask, ushort helloInterval = 10, PortSet routerPorts = default) : Service
{
    private const IPProtocol Ospf = (IPProtocol)89;
    private const int HeaderLength = 24, HelloLength = 44, DeadFactor = 4;
    private const byte Version = 2, Hello = 1, LinkStateAcknowledgment = 5;
    private const ushort CryptographicAuthentication = 2;

    private static readonly IPv4Address s_allSpfRouters = IPv4Address.Parse("224.0.0.5");
    private static readonly IPv4Address s_allDesignatedRouters = IPv4Address.Parse("224.0.0.6");

    private readonly PortSet _routerPorts = routerPorts.IsEmpty ? PortSet.First(2) : routerPorts;

    /// <summary>The addresses of routers by their IDs.</summary>
    private readonly AgeingTable<IPv4Address, IPv4Address> _routers =
        new(capacity: 64, lifetime: helloInterval * DeadFactor, hashSeed: 1);

    public Counter Hellos { get; } = new();

    public Counter Others { get; } = new();

    public Counter Untrusted { get; } = new();

    public Counter Malformed { get; } = new();

    public Counter Mismatched { get; } = new();

    public Counter DuplicateRouterId { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.Protocol != Ospf)
        {
            frame.Flood();
            return;
        }
        if (!_routerPorts.Contains(frame.Ingress))
        {
            Untrusted.Increment();
            return;
        }
        var packet = ip.Payload;
        if (!IsWellFormed(packet, ip.Destination, ip.Ttl))
        {
            Malformed.Increment();
            return;
        }
        if (AddressAt(packet, 8) != area)
        {
            Mismatched.Increment();
            return;
        }

        var type = packet[1];
        if (type != Hello)
        {
            Others.Increment();
            frame.ForwardTo(_routerPorts);
            return;
        }

        var routerId = AddressAt(packet, 4);
        if (!IsHelloOfThisNetwork(packet)) Mismatched.Increment();
        else if (_routers.TryGet(routerId, frame.Seconds, out var known) && known != ip.Source)
            DuplicateRouterId.Increment();
        else
        {
            _routers.Set(routerId, ip.Source, frame.Seconds);
            Hellos.Increment();
            frame.ForwardTo(_routerPorts);
        }
    }

    private static bool IsWellFormed(ReadOnlySpan<byte> packet, IPv4Address destination, byte ttl)
    {
        if (packet.Length < HeaderLength || packet[0] != Version || packet[1] is < Hello or > LinkStateAcknowledgment)
            return false;
        var isGroup = destination == s_allSpfRouters || destination == s_allDesignatedRouters;
        if (isGroup && ttl != 1) return false;

        var length = BinaryPrimitives.ReadUInt16BigEndian(packet[2..]);
        if (length < HeaderLength || length > packet.Length) return false;
        if (BinaryPrimitives.ReadUInt16BigEndian(packet[14..]) == CryptographicAuthentication) return true;
        // The 64 bits of authentication are not part of the sum (RFC 2328 §D.4).
        return InternetChecksum.IsValid(
            InternetChecksum.Sum(packet[..16]) + InternetChecksum.Sum(packet[HeaderLength..length]));
    }

    private bool IsHelloOfThisNetwork(ReadOnlySpan<byte> packet) =>
        packet.Length >= HelloLength
        && AddressAt(packet, 24) == mask
        && BinaryPrimitives.ReadUInt16BigEndian(packet[28..]) == helloInterval
        && BinaryPrimitives.ReadUInt32BigEndian(packet[32..]) == (uint)(helloInterval * DeadFactor);

    private static IPv4Address AddressAt(ReadOnlySpan<byte> packet, int offset) =>
        new(BinaryPrimitives.ReadUInt32BigEndian(packet[offset..]));
}
