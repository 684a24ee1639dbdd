using Emu.Protocols;

namespace Emu.Services;

/// <content>The bytes that a packet is given with its other ends.</content>
public sealed partial class Nat
{
    /// <summary>
    /// By how much the sum of a header changes when one is taken from the TTL: ~m + m', whatever m is.
    /// </summary>
    private const ulong HopChange = 0xFFFF - (1 << 8);

    /// <summary>
    /// Gives a packet its new ends, and its checksums what follows from that (RFC 1624): a wrong one stays wrong. An
    /// error is from this host if it leaves the inside (RFC 5508 REQ-5), and for whom its quoted packet was from.
    /// </summary>
    private void Rewrite(IPv4 ip, Arrival packet, Flow after)
    {
        // The known part of the change, for a packet to the inside, comes first.
        var taken = packet.IsToInside ? InternetChecksum.Sum(~_outside.Bits) : 0;
        var given = packet.IsToInside ? InternetChecksum.Sum(after.Destination.Address.Bits) : 0;
        var addresses = SourceChange(packet, packet.Flow.Source.Address) + taken + given;
        var ports = Flow.PortChange(packet.Flow, after);
        var checksum = (packet.IsError
                ? ChecksumOfQuoted(ip, after.Source.Protocol)
                : TransportChecksum.Of(ip, after.Source.Protocol))
            .After(addresses, ports);

        ip.HeaderChecksum = InternetChecksum.Update(
            ip.HeaderChecksum, SourceChange(packet, ip.Source) + taken + HopChange + given);
        ip.Ttl--;
        if (packet.IsError)
        {
            RewriteQuoted(ip, after.Reversed, checksum, addresses, ports);
            if (packet.IsFromInside) ip.Source = _outside;
            ip.Destination = after.Destination.Address;
        }
        else
        {
            after.WriteTo(ip);
            checksum.WriteTo(ip);
        }
    }

    private ulong SourceChange(Arrival packet, IPv4Address before) =>
        packet.IsFromInside ? InternetChecksum.Change(before.Bits, _outside.Bits) : 0;

    private static TransportChecksum ChecksumOfQuoted(IPv4 ip, FlowProtocol protocol) =>
        TryParseQuoted(ip, out var quoted) ? TransportChecksum.Of(quoted, protocol) : default;

    /// <summary>Gives the packet that an error quotes its ends, and the error its checksum.</summary>
    private static void RewriteQuoted(IPv4 ip, Flow ends, TransportChecksum checksum, ulong addresses, ulong ports)
    {
        if (!TryParseQuoted(ip, out var quoted)) return;
        ends.WriteTo(quoted);
        checksum.WriteTo(quoted);
        quoted.HeaderChecksum = InternetChecksum.Update(quoted.HeaderChecksum, addresses);
        // Data and the checksum over them change by amounts that cancel out. So in the bytes of the error the change of
        // the quoted IP header cancels, and that of the transport header but for the addresses, which are not in it.
        var change = checksum.CoversAddresses ? InternetChecksum.Back(addresses) : checksum.IsThere ? 0 : ports;
        if (Icmp.TryParse(ip.Payload, out var icmp)) icmp.Checksum = InternetChecksum.Update(icmp.Checksum, change);
    }
}
