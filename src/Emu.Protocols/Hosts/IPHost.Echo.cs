namespace Emu.Protocols;

/// <content>Echo, over both families.</content>
public sealed partial class IPHost
{
    /// <summary>
    /// The TTL of a reply: the default that RFC 1122 §3.2.1.7 asks for, as recommended since RFC 1700.
    /// </summary>
    private const byte FreshTtl = 64;

    /// <summary>RFC 1122 §3.2.2.6.</summary>
    private void MakeReply(Ethernet ethernet, IPv4 ip, Icmp icmp)
    {
        var hasOptions = ip.HeaderLength != IPv4.MinHeaderLength;
        icmp.Type = IcmpType.EchoReply;
        icmp.Checksum = InternetChecksum.Update(
            icmp.Checksum, (ushort)IcmpType.EchoRequest << 8, (ushort)IcmpType.EchoReply << 8);
        // The sum does not change when the addresses change places.
        if (!hasOptions)
            ip.HeaderChecksum = InternetChecksum.Update(ip.HeaderChecksum, TtlWord(ip.Ttl), TtlWord(FreshTtl));
        ip.Ttl = FreshTtl;
        ip.Destination = ip.Source;
        ip.Source = Address;
        if (hasOptions) ip.WriteHeaderChecksum();
        ethernet.Destination = ethernet.Source;
        ethernet.Source = _mac;
    }

    /// <summary>RFC 4443 §4.2.</summary>
    private bool ReceiveEcho6(ref Frame frame, Ethernet ethernet, IPv6 ip, Icmpv6 icmp)
    {
        if (ethernet.Destination.IsGroup || ip.Destination.IsMulticast) return Refuse(Counters.ToGroup);
        if (!_neighbors!.IsOwn(ip.Destination)) return Refuse(Counters.NotForUs);
        if (ip.Source.IsUnspecified) return Refuse(Counters.Malformed);

        icmp.Type = Icmpv6Type.EchoReply;
        icmp.Checksum = InternetChecksum.Update(
            icmp.Checksum, (ushort)Icmpv6Type.EchoRequest << 8, (ushort)Icmpv6Type.EchoReply << 8);
        ip.HopLimit = FreshTtl;
        (ip.Source, ip.Destination) = (ip.Destination, ip.Source);
        ethernet.Destination = ethernet.Source;
        ethernet.Source = _mac;
        _echo!.Send(ref frame, isIPv6: true);
        return true;
    }

    /// <summary>The 16-bit word of the header that TTL and protocol share.</summary>
    private static ushort TtlWord(byte ttl) => (ushort)(ttl << 8 | (byte)IPProtocol.Icmp);
}
