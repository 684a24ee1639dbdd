using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// The ICMP error that a rejected packet is answered by: in the name of whom it was for, with as much of it as fits.
/// </summary>
internal static class IcmpError
{
    /// <summary>An error has 576 bytes at most (RFC 1812 §4.3.2.3).</summary>
    private const int MaxLength = 576;

    /// <summary>Over IPv6 1280 (RFC 4443 §2.4 (c)).</summary>
    private const int MaxLength6 = 1280;

    private const int Overhead = IPv4.MinHeaderLength + Icmp.HeaderLength;
    private const int Overhead6 = IPv6.HeaderLength + Icmpv6.HeaderLength;
    private const byte Ttl = 64;

    /// <summary>True if RFC 1122 §3.2.2 lets the packet be answered by an error.</summary>
    public static bool IsAllowed(Ethernet ethernet, IPv4 ip)
    {
        if (ethernet.Destination.IsGroup || ethernet.Source.IsGroup
            || ip.Destination.IsMulticast || ip.Destination.IsBroadcast)
            return false;
        if (!ip.Source.CanBeSource || ip.FragmentOffset != 0) return false;
        return ip.Protocol != IPProtocol.Icmp || Icmp.TryParse(ip.Payload, out var icmp) && IsQuery(icmp.Type);
    }

    /// <summary>True if RFC 4443 §2.4 (e) lets the packet be answered by an error.</summary>
    public static bool IsAllowed(Ethernet ethernet, IPv6 ip, UpperLayer upper)
    {
        if (ethernet.Destination.IsGroup || ethernet.Source.IsGroup
            || ip.Destination.IsMulticast || ip.Source.IsMulticast)
            return false;
        if (ip.Source.IsUnspecified || ip.Source.IsLoopback || upper.FragmentOffset != 0) return false;
        // Errors have a type below 128; a redirect must not be answered by one.
        return upper.Protocol != IPProtocol.Icmpv6
            || upper.Payload[0] >= 128 && upper.Payload[0] != (byte)Icmpv6Type.Redirect;
    }

    /// <summary>Makes a frame the one that carries the error about it, and replies with it.</summary>
    public static void Reply(ref Frame frame, Ethernet ethernet, IPv4 about, byte type, byte code)
    {
        var (peer, own, peerMac, ownMac) = (about.Source, about.Destination, ethernet.Source, ethernet.Destination);
        var quoted = Math.Min((int)about.TotalLength, MaxLength - Overhead);
        frame.Resize(Ethernet.HeaderLength + Overhead + quoted);
        var packet = new Ethernet(frame) { Destination = peerMac, Source = ownMac }.Payload;
        packet[..quoted].CopyTo(packet[Overhead..]);
        if (!IPv4.TryInitialize(packet, out var ip)) return;
        (ip.Ttl, ip.Protocol, ip.Source, ip.Destination) = (Ttl, IPProtocol.Icmp, own, peer);
        ip.WriteHeaderChecksum();
        if (!Icmp.TryParse(ip.Payload, out var icmp)) return;
        (icmp.Type, icmp.Code, icmp.RestOfHeader) = ((IcmpType)type, code, 0);
        icmp.WriteChecksum();
        frame.Reply();
    }

    /// <inheritdoc cref="Reply(ref Frame, Ethernet, IPv4, byte, byte)"/>
    public static void Reply(ref Frame frame, Ethernet ethernet, IPv6 about, byte type, byte code)
    {
        var (peer, own, peerMac, ownMac) = (about.Source, about.Destination, ethernet.Source, ethernet.Destination);
        var quoted = Math.Min(about.PayloadLength + IPv6.HeaderLength, MaxLength6 - Overhead6);
        frame.Resize(Ethernet.HeaderLength + Overhead6 + quoted);
        var packet = new Ethernet(frame) { Destination = peerMac, Source = ownMac }.Payload;
        packet[..quoted].CopyTo(packet[Overhead6..]);
        if (!IPv6.TryInitialize(packet, out var ip)) return;
        (ip.HopLimit, ip.NextHeader, ip.Source, ip.Destination) = (Ttl, IPProtocol.Icmpv6, own, peer);
        if (!Icmpv6.TryParse(ip.Payload, out var icmp)) return;
        (icmp.Type, icmp.Code, icmp.RestOfHeader) = ((Icmpv6Type)type, code, 0);
        icmp.WriteChecksum(ip);
        frame.Reply();
    }

    /// <summary>
    /// The types that are no errors (IANA "ICMP Parameters"): echo, routers, timestamp, information, address mask.
    /// </summary>
    private static bool IsQuery(IcmpType type) => (byte)type is 0 or 8 or 9 or 10 or (>= 13 and <= 18);
}
