using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// Turns packets whose TTL has run out into the error that says so, a limited number a second (RFC 1812 §4.3.2.8,
/// §5.3.1).
/// </summary>
/// <param name="mac">The MAC address that it sends from.</param>
internal sealed class ExpiryReporter(MacAddress mac)
{
    private const int ErrorsPerSecond = 64;

    /// <summary>The bytes behind the header that are quoted (RFC 792).</summary>
    private const int QuotedPayload = 8;
    private const int ErrorLength = 2 * IPv4.MinHeaderLength + Icmp.HeaderLength + QuotedPayload;

    private ulong _second;
    private int _count;

    /// <summary>Turns a packet without options into the error about it, and replies with it.</summary>
    /// <param name="frame">The packet.</param>
    /// <param name="ip">The same.</param>
    /// <param name="from">The address that the error comes from.</param>
    /// <returns>
    /// False when it may have none, or there have been too many in this second; the frame is as it was.
    /// </returns>
    public bool TryReport(ref Frame frame, IPv4 ip, IPv4Address from)
    {
        if (ip.Payload.Length < QuotedPayload || !IcmpError.IsAllowed(new Ethernet(frame), ip)) return false;
        if (!TryCount(frame.Seconds)) return false;
        IcmpError.Reply(ref frame, ip, IcmpType.TimeExceeded, 0, from, mac, ErrorLength);
        return true;
    }

    private bool TryCount(ulong second)
    {
        if (second != _second) (_second, _count) = (second, 0);
        if (_count == ErrorsPerSecond) return false;
        _count++;
        return true;
    }
}
