using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// Turns packets whose TTL has run out into the error that says so,
/// a limited number a second (RFC 1812 §4.3.2.8, §5.3.1).
/// </summary>
internal sealed class ExpiryReporter
{
    private const int ErrorsPerSecond = 64;
    private const byte FreshTtl = 64;

    /// <summary>Internetwork control (RFC 1812 §4.3.2.5).</summary>
    private const byte Dscp = 48;

    /// <summary>The header and 8 bytes: what RFC 792 asks for, and always the same length.</summary>
    private const int QuotedLength = IPv4.MinHeaderLength + 8;
    private const int HeadersLength = IPv4.MinHeaderLength + Icmp.HeaderLength;

    private readonly MacAddress _mac;
    private readonly ulong _headerSum;
    private readonly ulong _messageSum;
    private ulong _second;
    private int _count;

    /// <param name="mac">The MAC address that it sends from.</param>
    public ExpiryReporter(MacAddress mac)
    {
        _mac = mac;
        Span<byte> packet = stackalloc byte[HeadersLength + QuotedLength];
        if (!TryBegin(packet, out _, out _))
            throw new InvalidOperationException("an error does not fit into its own length");
        _headerSum = InternetChecksum.Sum(packet[..IPv4.MinHeaderLength]);
        _messageSum = InternetChecksum.Sum(packet[IPv4.MinHeaderLength..]);
    }

    /// <summary>
    /// Turns a packet without options into the error about it, if there may be one, and replies with it.
    /// </summary>
    /// <param name="frame">The packet.</param>
    /// <param name="ip">The same.</param>
    /// <param name="from">The address that the error comes from.</param>
    /// <returns>
    /// False when it may have none, or there have been too many in this second; the frame is as it was.
    /// </returns>
    public bool TryReport(ref Frame frame, IPv4 ip, IPv4Address from)
    {
        if (!MayHaveError(ip) || !TryCount(frame.Seconds)) return false;
        var (sender, station) = (ip.Source, new Ethernet(frame).Source);
        var quoted = InternetChecksum.Sum(new Ethernet(frame).Payload[..QuotedLength]);
        frame.Resize(Ethernet.HeaderLength + HeadersLength + QuotedLength);
        var ethernet = new Ethernet(frame) { Destination = station, Source = _mac };
        ethernet.Payload[..QuotedLength].CopyTo(ethernet.Payload[HeadersLength..]);
        if (!TryBegin(ethernet.Payload, out var error, out var icmp)) return false;
        (error.Source, error.Destination) = (from, sender);
        error.HeaderChecksum = InternetChecksum.Finish(
            _headerSum + InternetChecksum.Sum(from.Bits) + InternetChecksum.Sum(sender.Bits));
        icmp.Checksum = InternetChecksum.Finish(_messageSum + quoted);
        frame.Reply();
        return true;
    }

    /// <summary>The headers, with what is the same in all.</summary>
    private static bool TryBegin(Span<byte> packet, out IPv4 ip, out Icmp icmp)
    {
        icmp = default;
        if (!IPv4.TryInitialize(packet, out ip)) return false;
        ip.Dscp = Dscp;
        ip.DontFragment = true;
        ip.Ttl = FreshTtl;
        ip.Protocol = IPProtocol.Icmp;
        if (!Icmp.TryParse(ip.Payload, out icmp)) return false;
        (icmp.Type, icmp.Code, icmp.Checksum, icmp.RestOfHeader) = (IcmpType.TimeExceeded, 0, 0, 0);
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
