using Emu.Protocols;

namespace Emu.Services;

/// <content>What a router asks of a packet, and what a translator must know of it.</content>
public sealed partial class Nat
{
    /// <summary>
    /// Checks what a router asks of a packet (RFC 1812 §5.2.2, §5.3.1), then does a translator's work.
    /// </summary>
    private void Admit(ref Frame frame, Ethernet ethernet, bool isFromInside)
    {
        if (!IPv4.TryParse(ethernet.Payload, out var ip)) Malformed.Increment();
        else if (ip.HeaderLength != IPv4.MinHeaderLength) WithOptions.Increment();
        else if (!ip.HasValidHeaderChecksum) BadChecksum.Increment();
        else if (ethernet.Destination.IsGroup || ip.Destination.IsMulticast || ip.Destination.IsBroadcast)
            ToGroup.Increment();
        else if (!_isPassive && IsPing(ip, isFromInside)) AnswerPing(ref frame, ethernet, ip);
        else if (isFromInside ? ip.Destination == _inside : ip.Destination != _outside) NotForUs.Increment();
        else if (!ip.Source.CanBeSource || ip.Source == _outside || ip.Source == _inside) Malformed.Increment();
        else if (_fragments is null && ip.IsFragment) Fragments.Increment();
        else if (ip.Ttl <= 1) Expire(ref frame, ip, isFromInside);
        else if (_fragments is not null && ip.FragmentOffset != 0) FollowFirst(ref frame, ethernet, ip, isFromInside);
        else if (!IsWhole(ip, out var flags)) Malformed.Increment();
        else if (!TryReadFlow(ip, isFromInside, out var isError, out var flow)) NotTranslated.Increment();
        else
            Translate(
                ref frame, ethernet, ip, new Arrival(flow, flags, isError, isFromInside, ip.Destination == _outside));
    }

    private void Expire(ref Frame frame, IPv4 ip, bool isFromInside)
    {
        if (!_isPassive && _expiry.TryReport(ref frame, ip, OwnAddress(isFromInside))) TimesExceeded.Increment();
        else TtlExpired.Increment();
    }

    /// <summary>
    /// True if it is a ping to this host, from someone who can be answered.
    /// An echo request from outside is never anybody else's.
    /// </summary>
    private bool IsPing(IPv4 ip, bool isFromInside)
    {
        if (ip.Destination != _outside && !(isFromInside && ip.Destination == _inside)) return false;
        if (!ip.Source.CanBeSource || ip.Source == _outside || ip.Source == _inside) return false;
        return ip.Protocol == IPProtocol.Icmp && !ip.IsFragment
            && Icmp.TryParse(ip.Payload, out var icmp) && icmp.Type == IcmpType.EchoRequest;
    }

    /// <summary>Answers a ping (RFC 1812 §4.3.3.6). A wrong checksum stays wrong.</summary>
    private void AnswerPing(ref Frame frame, Ethernet ethernet, IPv4 ip)
    {
        if (!Icmp.TryParse(ip.Payload, out var icmp)) return;
        _echo.MakeReply(ethernet, ip, icmp, ip.Destination);
        EchoReplies.Increment();
        frame.Reply();
    }

    /// <summary>True if the header behind that of IP is whole, if it is one of those that are translated.</summary>
    private bool IsWhole(IPv4 ip, out TcpFlags flags)
    {
        flags = TcpFlags.None;
        // A datagram's length is that of all its fragments.
        if (_fragments is not null && ip.MoreFragments && ip.Protocol == IPProtocol.Udp)
            return ip.Payload.Length >= Udp.HeaderLength;
        if (ip.Protocol == IPProtocol.Udp) return Udp.TryParse(ip.Payload, out _);
        if (ip.Protocol == IPProtocol.Icmp) return Icmp.TryParse(ip.Payload, out _);
        if (ip.Protocol != IPProtocol.Tcp) return true;
        if (!Tcp.TryParse(ip.Payload, out var tcp)) return false;
        flags = tcp.Flags;
        return true;
    }

    /// <summary>
    /// The ends of a packet; of an ICMP error those of the packet that it quotes, seen the way that the error goes.
    /// </summary>
    private static bool TryReadFlow(IPv4 ip, bool isFromInside, out bool isError, out Flow flow)
    {
        isError = IsError(ip);
        if (!isError) return Flow.TryParse(ip, isFromInside, out flow);
        flow = default;
        // It goes to whom it quotes (RFC 1122 §3.2.2); of a damaged header nothing can be said (RFC 5508 REQ-3 a).
        if (!TryParseQuoted(ip, out var quoted)) return false;
        if (quoted.Source != ip.Destination || quoted.FragmentOffset != 0 || !quoted.HasValidHeaderChecksum)
            return false;
        if (!Flow.TryParse(quoted, !isFromInside, out var back)) return false;
        flow = back.Reversed;
        return true;
    }

    private static bool IsError(IPv4 ip)
    {
        if (ip.Protocol != IPProtocol.Icmp) return false;
        if (!Icmp.TryParse(ip.Payload, out var icmp)) return false;
        return icmp.Type is IcmpType.DestinationUnreachable or IcmpType.TimeExceeded or IcmpType.ParameterProblem;
    }

    /// <summary>The packet that an error is about. It had no options when it passed here.</summary>
    private static bool TryParseQuoted(IPv4 ip, out IPv4 quoted)
    {
        quoted = default;
        if (!Icmp.TryParse(ip.Payload, out var icmp)) return false;
        if (!IPv4.TryParseQuoted(icmp.Data, out quoted)) return false;
        if (quoted.HeaderLength != IPv4.MinHeaderLength) return false;
        return true;
    }
}
