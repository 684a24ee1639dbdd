namespace Emu.Protocols;

/// <summary>
/// The ICMP error about a packet, made in its frame (RFC 792, RFC 4443): routers and hosts send it from an address of
/// their own, a filter in the name of whom the packet was for.
/// </summary>
/// <remarks>
/// The packet is in an untagged frame. How many errors a second are sent is the caller's to limit (RFC 1812 §4.3.2.8;
/// RFC 4443 §2.4 (f)).
/// </remarks>
/// <example><code>
/// if (ip.Ttl &lt;= 1 &amp;&amp; IcmpError.IsAllowed(ethernet, ip))
///     IcmpError.Reply(ref frame, ip, IcmpType.TimeExceeded, 0, _address, _mac);
/// </code></example>
public static class IcmpError
{
    /// <summary>The bytes that a packet with an error has at most: 576 (RFC 1812 §4.3.2.3).</summary>
    public const int MaxLength = 576;

    /// <summary>The same over IPv6: 1,280 (RFC 4443 §2.4 (c)).</summary>
    public const int MaxLength6 = 1280;

    private const int Overhead = IPv4.MinHeaderLength + Icmp.HeaderLength;
    private const int Overhead6 = IPv6.HeaderLength + Icmpv6.HeaderLength;

    /// <summary>Internetwork control (RFC 1812 §4.3.2.5).</summary>
    private const byte Dscp = 48;

    /// <summary>
    /// True if RFC 1122 §3.2.2 lets the packet be answered by an error: it is from one host to one host, no part behind
    /// the first, and no error itself.
    /// </summary>
    public static bool IsAllowed(Ethernet ethernet, IPv4 ip)
    {
        if (ethernet.Destination.IsGroup || ethernet.Source.IsGroup
            || ip.Destination.IsMulticast || ip.Destination.IsBroadcast)
            return false;
        if (!ip.Source.CanBeSource || ip.FragmentOffset != 0) return false;
        return ip.Protocol != IPProtocol.Icmp || Icmp.TryParse(ip.Payload, out var icmp) && IsQuery(icmp.Type);
    }

    /// <summary>True if RFC 4443 §2.4 (e) lets the packet be answered by an error, likewise.</summary>
    public static bool IsAllowed(Ethernet ethernet, IPv6 ip)
    {
        if (ethernet.Destination.IsGroup || ethernet.Source.IsGroup
            || ip.Destination.IsMulticast || ip.Source.IsMulticast)
            return false;
        if (ip.Source.IsUnspecified || ip.Source.IsLoopback) return false;
        var extensions = ip.Extensions;
        while (extensions.MoveNext()) { }
        if (extensions.IsMalformed || extensions.FragmentOffset != 0) return false;
        return extensions.NextHeader != IPProtocol.Icmpv6
            || Icmpv6.TryParse(extensions.Payload, out var icmp) && IsInformational(icmp.Type);
    }

    /// <summary>Makes a frame the one that carries the error about its packet, and replies with it.</summary>
    /// <param name="frame">The packet's frame.</param>
    /// <param name="about">The packet, not to be used behind this.</param>
    /// <param name="type">The error.</param>
    /// <param name="code">Says it in more detail.</param>
    /// <param name="source">The address that the error comes from.</param>
    /// <param name="mac">The MAC address that it comes from.</param>
    /// <param name="maxLength">
    /// The bytes that the error's packet has at most, 56 or more: it quotes as much of the packet as fits.
    /// </param>
    public static void Reply(
        ref Frame frame, IPv4 about, IcmpType type, byte code, IPv4Address source, MacAddress mac,
        int maxLength = MaxLength)
    {
        var (destination, station) = (about.Source, new Ethernet(frame).Source);
        var quoted = Math.Min((int)about.TotalLength, maxLength - Overhead);
        frame.Resize(Ethernet.HeaderLength + Overhead + quoted);
        var packet = new Ethernet(frame) { Destination = station, Source = mac }.Payload;
        packet[..quoted].CopyTo(packet[Overhead..]);
        if (!IPv4.TryInitialize(packet, out var ip)) return;
        (ip.Dscp, ip.DontFragment, ip.Ttl, ip.Protocol) = (Dscp, true, IPv4.DefaultTtl, IPProtocol.Icmp);
        (ip.Source, ip.Destination) = (source, destination);
        ip.WriteHeaderChecksum();
        if (!Icmp.TryParse(ip.Payload, out var icmp)) return;
        (icmp.Type, icmp.Code, icmp.RestOfHeader) = (type, code, 0);
        icmp.WriteChecksum();
        frame.Reply();
    }

    /// <inheritdoc cref="Reply(ref Frame, IPv4, IcmpType, byte, IPv4Address, MacAddress, int)"/>
    public static void Reply(
        ref Frame frame, IPv6 about, Icmpv6Type type, byte code, IPv6Address source, MacAddress mac,
        int maxLength = MaxLength6)
    {
        var (destination, station) = (about.Source, new Ethernet(frame).Source);
        var quoted = Math.Min(about.PayloadLength + IPv6.HeaderLength, maxLength - Overhead6);
        frame.Resize(Ethernet.HeaderLength + Overhead6 + quoted);
        var packet = new Ethernet(frame) { Destination = station, Source = mac }.Payload;
        packet[..quoted].CopyTo(packet[Overhead6..]);
        if (!IPv6.TryInitialize(packet, out var ip)) return;
        (ip.HopLimit, ip.NextHeader) = (IPv6.DefaultHopLimit, IPProtocol.Icmpv6);
        (ip.Source, ip.Destination) = (source, destination);
        if (!Icmpv6.TryParse(ip.Payload, out var icmp)) return;
        (icmp.Type, icmp.Code, icmp.RestOfHeader) = (type, code, 0);
        icmp.WriteChecksum(ip);
        frame.Reply();
    }

    /// <summary>
    /// The types that are no errors (IANA "ICMP Parameters"): echo, routers, timestamp, information, address mask.
    /// </summary>
    private static bool IsQuery(IcmpType type) => (byte)type is 0 or 8 or 9 or 10 or (>= 13 and <= 18);

    /// <summary>Errors have a type below 128; a redirect must not be answered by one.</summary>
    private static bool IsInformational(Icmpv6Type type) => (byte)type >= 128 && type != Icmpv6Type.Redirect;
}
