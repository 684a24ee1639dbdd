using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// Initial sequence numbers (RFC 6528 §3): a clock, and a pseudorandom function of addresses and ports, so that each
/// connection has a space of its own, in which numbers go up, and none can be guessed from those of others.
/// </summary>
/// <remarks>
/// The function is the CBC-MAC, with <see cref="Prince"/>, of own address, remote address and ports, cut to 32 bits.
/// Inputs of one family have one length, and an IPv4 address is not the upper half of an IPv6 address, so no input
/// begins another (Bellare, Kilian and Rogaway 2000).
/// </remarks>
internal sealed class InitialSequenceNumbers
{
    /// <summary>The clock's step is 2¹² ns: the "roughly every 4 microseconds" of RFC 9293 §3.4.1.</summary>
    private const int ClockShift = 12;

    /// <summary>
    /// In steps of the clock: SYN+ACK and ACK are on their way for an MSL of 2 minutes each, at most (RFC 9293 §3.4.2).
    /// </summary>
    private const uint LongestHandshake = (uint)(2 * 120_000_000_000UL >> ClockShift);

    private readonly Prince _cipher;
    private readonly IPv6Address _own6;
    private readonly ulong _afterOwn;
    private readonly ulong _afterOwn6;
    private readonly ulong _afterLinkLocal;

    /// <param name="key">The function's secret.</param>
    /// <param name="host">Whose addresses are the own ones.</param>
    public InitialSequenceNumbers(UInt128 key, IPHost host)
    {
        _cipher = new Prince(key);
        _own6 = host.Address6;
        _afterOwn = _cipher.Encrypt(host.Address.Bits);
        _afterOwn6 = Continue(0, host.Address6.Bits);
        _afterLinkLocal = Continue(0, host.LinkLocal.Bits);
    }

    /// <param name="segment">A segment of the connection, from the other side.</param>
    /// <param name="time">Now, in nanoseconds.</param>
    public uint Of(TcpSegment segment, ulong time)
    {
        var ports = (uint)segment.Header.SourcePort << 16 | segment.Header.DestinationPort;
        if (!segment.IsIPv6)
            return Clock(time) + (uint)_cipher.Encrypt(_afterOwn ^ ((ulong)segment.SourceBits << 32 | ports));
        var afterOwn = segment.DestinationBits == _own6.Bits ? _afterOwn6 : _afterLinkLocal;
        return Clock(time) + (uint)_cipher.Encrypt(Continue(afterOwn, segment.SourceBits) ^ ports);
    }

    /// <summary>
    /// True if a segment can be the ACK that completes the handshake of a connection (RFC 9293 §3.5): nothing but an
    /// acknowledgment of a SYN that was sent with one of its numbers, not too long ago.
    /// </summary>
    /// <param name="segment">The segment.</param>
    /// <param name="current">The number that its connection would begin with now.</param>
    public static bool IsCompletedBy(Tcp segment, uint current) =>
        segment is { IsAck: true, SegmentLength: 0, IsRst: false }
        && current + 1 - segment.AcknowledgmentNumber <= LongestHandshake;

    private ulong Continue(ulong state, UInt128 address) =>
        _cipher.Encrypt(_cipher.Encrypt(state ^ (ulong)(address >> 64)) ^ (ulong)address);

    private static uint Clock(ulong time) => (uint)(time >> ClockShift);
}
