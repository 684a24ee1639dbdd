using System.ComponentModel.DataAnnotations;

namespace Emu.Services;

/// <summary>The times that a mapping lives after the last packet from inside.</summary>
public sealed class NatTimeouts
{
    /// <summary>
    /// Seconds without a packet from inside after which a UDP mapping ends (RFC 4787 REQ-5).
    /// </summary>
    [Range(120, int.MaxValue)]
    public int UdpSeconds { get; init; } = 300;

    /// <summary>The same for an established TCP connection (RFC 5382 REQ-5).</summary>
    [Range(7440, int.MaxValue)]
    public int TcpSeconds { get; init; } = 7440;

    /// <summary>The same for one that opens or has been closed (RFC 5382 REQ-5).</summary>
    [Range(240, int.MaxValue)]
    public int TcpTransitorySeconds { get; init; } = 240;

    /// <summary>The same for an ICMP query (RFC 5508 REQ-2).</summary>
    [Range(60, int.MaxValue)]
    public int IcmpSeconds { get; init; } = 60;

    /// <summary>
    /// Seconds for which the port of a mapping that has ended is given to no one else (RFC 6888 REQ-8).
    /// </summary>
    [Range(0, int.MaxValue)]
    public int QuarantineSeconds { get; init; } = 120;
}
