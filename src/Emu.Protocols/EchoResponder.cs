namespace Emu.Protocols;

/// <summary>
/// Turns echo requests into their replies (RFC 792; RFC 1122 §3.2.2.6; RFC 4443 §4.2), with all their data and options,
/// and a fresh TTL. Checksums follow the change (RFC 1624): a wrong one stays wrong.
/// </summary>
/// <param name="mac">The MAC address that it replies from.</param>
/// <example><code>
/// if (icmp.Type == IcmpType.EchoRequest)
/// {
///     _echo.MakeReply(ethernet, ip, icmp, _address);
///     frame.Reply();
/// }
/// </code></example>
public sealed class EchoResponder(MacAddress mac)
{
    /// <summary>Turns a request into its reply.</summary>
    /// <param name="ethernet">The request's frame.</param>
    /// <param name="ip">The packet in it.</param>
    /// <param name="icmp">The request in that.</param>
    /// <param name="own">The address that the request was for.</param>
    public void MakeReply(Ethernet ethernet, IPv4 ip, Icmp icmp, IPv4Address own)
    {
        var hasOptions = ip.HeaderLength != IPv4.MinHeaderLength;
        icmp.Type = IcmpType.EchoReply;
        icmp.Checksum = InternetChecksum.Update(
            icmp.Checksum, (ushort)IcmpType.EchoRequest << 8, (ushort)IcmpType.EchoReply << 8);
        // The sum does not change when the addresses change places.
        if (!hasOptions)
            ip.HeaderChecksum = InternetChecksum.Update(ip.HeaderChecksum, TtlWord(ip.Ttl), TtlWord(IPv4.DefaultTtl));
        ip.Ttl = IPv4.DefaultTtl;
        ip.Destination = ip.Source;
        ip.Source = own;
        // Options may have been written to.
        if (hasOptions) ip.WriteHeaderChecksum();
        ethernet.Destination = ethernet.Source;
        ethernet.Source = mac;
    }

    /// <inheritdoc cref="MakeReply(Ethernet, IPv4, Icmp, IPv4Address)"/>
    public void MakeReply(Ethernet ethernet, IPv6 ip, Icmpv6 icmp)
    {
        icmp.Type = Icmpv6Type.EchoReply;
        icmp.Checksum = InternetChecksum.Update(
            icmp.Checksum, (ushort)Icmpv6Type.EchoRequest << 8, (ushort)Icmpv6Type.EchoReply << 8);
        ip.HopLimit = IPv6.DefaultHopLimit;
        (ip.Source, ip.Destination) = (ip.Destination, ip.Source);
        ethernet.Destination = ethernet.Source;
        ethernet.Source = mac;
    }

    /// <summary>The 16-bit word of the header that TTL and protocol share.</summary>
    private static ushort TtlWord(byte ttl) => (ushort)(ttl << 8 | (byte)IPProtocol.Icmp);
}
