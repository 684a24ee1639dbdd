namespace Emu.Protocols;

/// <summary>
/// A cursor over the extension headers of an IPv6 packet (RFC 8200 §4). Every step takes 8 bytes at least, so that the
/// walk ends on any bytes; whoever wants a smaller bound counts.
/// </summary>
/// <example><code>
/// var extensions = ip.Extensions;
/// while (extensions.MoveNext()) { }
/// if (extensions.NextHeader == IPProtocol.Tcp &amp;&amp; !extensions.IsFragment
///     &amp;&amp; Tcp.TryParse(extensions.Payload, out var tcp)) …
/// </code></example>
public ref struct IPv6Extensions
{
    private const int NextHeaderOffset = 0;
    private const int LengthOffset = 1;
    private const int FragmentOffsetOffset = 2;
    private const int OptionsOffset = 2;

    private const int Unit = 8;
    private const int AuthenticationUnit = 4;
    private const int FragmentOffsetShift = 3;
    private const int MoreFragmentsMask = 1;

    internal IPv6Extensions(IPProtocol nextHeader, Span<byte> payload)
    {
        Header = IPProtocol.NoNextHeader;
        NextHeader = nextHeader;
        Payload = payload;
    }

    /// <summary>
    /// The extension header at the cursor; <see cref="IPProtocol.NoNextHeader"/> before the first and behind the last.
    /// </summary>
    public IPProtocol Header { get; private set; }

    /// <summary>The extension header at the cursor, whole; empty where there is none.</summary>
    public Span<byte> Bytes { get; private set; }

    /// <summary>
    /// A cursor before the first option of the extension header at the cursor; only hop-by-hop and destination options
    /// headers have some.
    /// </summary>
    public readonly IPv6Options Options =>
        new(Header is IPProtocol.HopByHopOptions or IPProtocol.DestinationOptions ? Bytes[OptionsOffset..] : default);

    /// <summary>
    /// The header that <see cref="Payload"/> starts with; behind the last extension header, the upper layer.
    /// </summary>
    public IPProtocol NextHeader { get; private set; }

    /// <summary>The bytes behind the extension header at the cursor.</summary>
    public Span<byte> Payload { get; private set; }

    /// <summary>
    /// The offset of the fragment in the datagram, in units of 8 bytes (RFC 8200 §4.5);
    /// 0 before a fragment header is passed.
    /// </summary>
    public ushort FragmentOffset { get; private set; }

    /// <summary>True if a fragment header passed says that more fragments follow (RFC 8200 §4.5).</summary>
    public bool MoreFragments { get; private set; }

    /// <summary>
    /// True if the packet is a part of a datagram only; behind a fragment header it may be the whole of one (RFC 6946).
    /// </summary>
    public readonly bool IsFragment => MoreFragments || FragmentOffset != 0;

    /// <summary>True if the walk has ended at an extension header that does not fit into the packet.</summary>
    public bool IsMalformed { get; private set; }

    /// <summary>Goes on to the next extension header.</summary>
    /// <returns>
    /// True if there is one; false before an upper layer, ESP, an unknown or a malformed header,
    /// and behind the header of a fragment that is not the first.
    /// </returns>
    public bool MoveNext()
    {
        Header = IPProtocol.NoNextHeader;
        Bytes = default;
        if (FragmentOffset != 0 || IsMalformed || !IsExtension(NextHeader)) return false;

        // At least 8 bytes, so the length byte is read only where there is one.
        var length = Payload.Length < Unit ? Unit : HeaderLength(NextHeader, Payload[LengthOffset]);
        if (length > Payload.Length)
        {
            IsMalformed = true;
            return false;
        }

        Header = NextHeader;
        Bytes = Payload[..length];
        NextHeader = (IPProtocol)Bytes[NextHeaderOffset];
        Payload = Payload[length..];
        if (Header == IPProtocol.Fragment) PassFragmentHeader();
        return true;
    }

    private static bool IsExtension(IPProtocol header) =>
        header is IPProtocol.HopByHopOptions or IPProtocol.Routing or IPProtocol.Fragment
            or IPProtocol.AuthenticationHeader or IPProtocol.DestinationOptions
            or IPProtocol.Mobility or IPProtocol.HostIdentity or IPProtocol.Shim6;

    /// <summary>
    /// The bytes of a header: 8 for fragments; the others count what is behind the first 8,
    /// AH in words of 4 (RFC 4302 §2.2).
    /// </summary>
    private static int HeaderLength(IPProtocol header, byte length) => header switch
    {
        IPProtocol.Fragment => Unit,
        IPProtocol.AuthenticationHeader => Unit + length * AuthenticationUnit,
        _ => Unit + length * Unit,
    };

    private void PassFragmentHeader()
    {
        var field = Bytes.GetUInt16(FragmentOffsetOffset);
        FragmentOffset = (ushort)(field >> FragmentOffsetShift);
        MoreFragments |= (field & MoreFragmentsMask) != 0;
    }
}
