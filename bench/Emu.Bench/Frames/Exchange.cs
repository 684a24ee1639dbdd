namespace Emu.Bench;

/// <summary>
/// A frame, and what comes of it. A form is the first bytes of a frame: hexadecimal digits,
/// two dots for a byte that may have any value.
/// </summary>
/// <param name="Request">The frame.</param>
/// <param name="Answer">The form of what comes back.</param>
/// <param name="Passed">
/// The form of what arrives at the far host, which turns it round; null where the device itself answers.
/// </param>
internal sealed record Exchange(byte[] Request, string Answer, string? Passed = null)
{
    /// <summary>
    /// The form of an Ethernet frame with IPv4 up to the ports; length, identification, TTL and checksum may be any.
    /// </summary>
    /// <param name="addresses">Of Ethernet, both: 24 characters.</param>
    /// <param name="protocol">Of IP.</param>
    /// <param name="from">The source.</param>
    /// <param name="to">The destination.</param>
    /// <param name="ports">Both, and what follows.</param>
    public static string Form(string addresses, byte protocol, string from, string to, string ports) =>
        $"{addresses}080045................{protocol:x2}....{IPv4Address.Parse(from).Bits:x8}"
        + $"{IPv4Address.Parse(to).Bits:x8}{ports}";
}
