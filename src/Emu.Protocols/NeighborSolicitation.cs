namespace Emu.Protocols;

/// <summary>A neighbour solicitation, by which a node asks for a link-layer address (RFC 4861 §4.3).</summary>
/// <remarks>
/// A receiver must check as well that the hop limit is 255 and the checksum right (§7.1.1);
/// those are the views' that it came from.
/// </remarks>
/// <example><code>
/// if (Icmpv6.TryParse(ip.Payload, out var icmp)
///     &amp;&amp; NeighborSolicitation.TryParse(icmp, out var solicitation)) …
/// </code></example>
public readonly ref struct NeighborSolicitation
{
    /// <summary>The bytes of the ICMPv6 message before the options: 24.</summary>
    public const int HeaderLength = 24;

    private const int TargetOffset = 8;
    private const int OptionsOffset = HeaderLength;

    private readonly Span<byte> _bytes;

    private NeighborSolicitation(Span<byte> bytes) => _bytes = bytes;

    /// <summary>The address that is asked for; a multicast one is an error of the sender.</summary>
    public IPv6Address Target
    {
        get => _bytes.GetIPv6Address(TargetOffset);
        set => _bytes.SetIPv6Address(TargetOffset, value);
    }

    /// <summary>The options, to the end of the message.</summary>
    public Span<byte> OptionBytes => _bytes[OptionsOffset..];

    /// <summary>A cursor before the first option.</summary>
    public NeighborDiscoveryOptions Options => new(OptionBytes);

    /// <summary>Views <paramref name="icmp"/> as a neighbour solicitation.</summary>
    /// <returns>
    /// True if type is 135, code is 0 and there are 24 bytes at least (RFC 4861 §7.1.1); if not,
    /// <paramref name="solicitation"/> must not be used.
    /// </returns>
    public static bool TryParse(scoped in Icmpv6 icmp, out NeighborSolicitation solicitation)
    {
        solicitation = default;
        if (icmp.Type != Icmpv6Type.NeighborSolicitation || icmp.Code != 0 || icmp.Message.Length < HeaderLength)
            return false;
        solicitation = new NeighborSolicitation(icmp.Message);
        return true;
    }
}
