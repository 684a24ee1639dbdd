using Emu.Protocols;

namespace Emu.Services;

/// <summary>Turns packets whose TTL has run out into the error that says so, a limited number a second (RFC 1812 §4.3.2.8, §5.3.1).</summary>
/// <param name="mac">The MAC address that it sends from.</param>
internal sealed class ExpiryReporter(MacAddress mac)
{
    private const int ErrorsPerSecond = 64;
    private const byte FreshTtl = 64;

    /// <summary>Internetwork control (RFC 1812 §4.3.2.5).</summary>
    private const byte Dscp = 48;

    /// <summary>The header and 8 bytes: what RFC 792 asks for, and always the same length.</summary>
    private const int QuotedLength = IPv4.MinHeaderLength + 8;
    private const int HeadersLength = IPv4.MinHeaderLength + Icmp.HeaderLength;

    private ulong _second;
    private int _count;

    /// <summary>Turns a packet without options into the error about it, if there may be one, and replies with it.</summary>
    /// <param name="frame">The packet.</param>
    /// <param name="ip">The same.</param>
    /// <param name="from">The address that the error comes from.</param>
    /// <returns>False when it may have none, or there have been too many in this second; the frame is as it was.</returns>
    public bool TryReport(ref Frame frame, IPv4 ip, IPv4Address from)
    {
        if (!MayHaveError(ip) || !TryCount(frame.Seconds)) return false;
        var (sender, station) = (ip.Source, new Ethernet(frame).Source);
        frame.Resize(Ethernet.HeaderLength + HeadersLength + QuotedLength);
        var ethernet = new Ethernet(frame) { Destination = station, Source = mac };
        ethernet.Payload[..QuotedLength].CopyTo(ethernet.Payload[HeadersLength..]);
        if (!IPv4.TryInitialize(ethernet.Payload, out var error)) return false;
        error.Dscp = Dscp;
        error.DontFragment = true;
        error.Ttl = FreshTtl;
        error.Protocol = IPProtocol.Icmp;
        error.Source = from;
        error.Destination = sender;
        error.WriteHeaderChecksum();
        if (!Icmp.TryParse(error.Payload, out var icmp)) return false;
        (icmp.Type, icmp.Code, icmp.RestOfHeader) = (IcmpType.TimeExceeded, 0, 0);
        icmp.WriteChecksum();
        frame.Reply();
        return true;
    }

    /// <summary>No error is about an error, nor about a fragment that is not the first (RFC 1812 §4.3.2.7).</summary>
    private static bool MayHaveError(IPv4 ip)
    {
        if (ip.FragmentOffset != 0 || ip.Payload.Length < QuotedLength - IPv4.MinHeaderLength) return false;
        if (ip.Protocol != IPProtocol.Icmp || !Icmp.TryParse(ip.Payload, out var icmp)) return true;
        return icmp.Type is IcmpType.EchoRequest or IcmpType.EchoReply or IcmpType.Timestamp or IcmpType.TimestampReply;
    }

    private bool TryCount(ulong second)
    {
        if (second != _second) (_second, _count) = (second, 0);
        if (_count == ErrorsPerSecond) return false;
        _count++;
        return true;
    }
}
