namespace Emu.Services;

/// <summary>The seconds that a mapping lives after the last packet from the inside.</summary>
/// <param name="Udp">RFC 4787 REQ-5: 120 at least, 300 recommended.</param>
/// <param name="Established">RFC 5382 REQ-5: 7440 at least.</param>
/// <param name="Transitory">RFC 5382 REQ-5: 240 at least.</param>
/// <param name="Icmp">RFC 5508 REQ-2: 60 at least.</param>
/// <param name="Quarantine">The seconds after that for which its port is no one else's:
/// RFC 6888 REQ-8 says 120.</param>
internal readonly record struct Timeouts(int Udp, int Established, int Transitory, int Icmp, int Quarantine);
