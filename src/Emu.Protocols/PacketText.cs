namespace Emu.Protocols;

/// <summary>
/// Frames as text, for traces and for the messages of tests. For .NET only: it makes strings.
/// It takes any bytes and never throws.
/// </summary>
public static class PacketText
{
    /// <summary>
    /// One line, as tcpdump has it, without an end of line:
    /// <c>02:00:00:00:00:01 > 02:00:00:00:00:02, IPv4 10.0.0.1 > 10.0.0.2 ICMP echo request id 1 seq 2, 98 bytes</c>.
    /// </summary>
    /// <param name="frame">The frame from the destination address to the last byte before the FCS.</param>
    public static string Describe(ReadOnlySpan<byte> frame) => new Dissection(frame).Line;

    /// <summary>Every header field, layer by layer, then the payload in hexadecimal.</summary>
    /// <param name="frame">The frame from the destination address to the last byte before the FCS.</param>
    /// <returns>
    /// Names and values as Wireshark's display filters have them (<c>ip.ttl</c>, <c>64</c>), in the order of the bytes;
    /// what they do not name is called in their manner (<c>ip.opt.data</c>). A name comes more than once where a header
    /// does. A header that does not fit is named by <c>_ws.malformed</c>; its bytes follow as <c>data.data</c>.
    /// </returns>
    public static IReadOnlyList<(string Name, string Value)> Fields(ReadOnlySpan<byte> frame) =>
        new Dissection(frame).Fields;
}
