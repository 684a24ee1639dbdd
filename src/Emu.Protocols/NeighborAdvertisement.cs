namespace Emu.Protocols;

/// <summary>A neighbour advertisement, by which a node states its link-layer address (RFC 4861 §4.4).</summary>
/// <remarks>
/// A receiver must check as well that the hop limit is 255 and the checksum right (§7.1.2);
/// those are the views' that it came from.
/// </remarks>
/// <example><code>
/// icmp.Type = Icmpv6Type.NeighborAdvertisement;
/// if (NeighborAdvertisement.TryParse(icmp, out var advertisement)) advertisement.Solicited = true;
/// </code></example>
public readonly ref struct NeighborAdvertisement
{
    /// <summary>The bytes of the ICMPv6 message before the options: 24.</summary>
    public const int HeaderLength = 24;

    private const int FlagsOffset = 4;
    private const int TargetOffset = 8;
    private const int OptionsOffset = HeaderLength;

    private const int RouterMask = 0x80;
    private const int SolicitedMask = 0x40;
    private const int OverrideMask = 0x20;

    private readonly Span<byte> _bytes;

    private NeighborAdvertisement(Span<byte> bytes) => _bytes = bytes;

    /// <summary>The R flag: the sender is a router.</summary>
    public bool IsRouter
    {
        get => (_bytes[FlagsOffset] & RouterMask) != 0;
        set => _bytes[FlagsOffset] = (byte)(_bytes[FlagsOffset] & ~RouterMask | (value ? RouterMask : 0));
    }

    /// <summary>The S flag: it answers a solicitation.</summary>
    public bool Solicited
    {
        get => (_bytes[FlagsOffset] & SolicitedMask) != 0;
        set => _bytes[FlagsOffset] = (byte)(_bytes[FlagsOffset] & ~SolicitedMask | (value ? SolicitedMask : 0));
    }

    /// <summary>The O flag: it shall replace an address that a neighbour has stored.</summary>
    public bool Override
    {
        get => (_bytes[FlagsOffset] & OverrideMask) != 0;
        set => _bytes[FlagsOffset] = (byte)(_bytes[FlagsOffset] & ~OverrideMask | (value ? OverrideMask : 0));
    }

    /// <summary>The address whose link-layer address is stated.</summary>
    public IPv6Address Target
    {
        get => _bytes.GetIPv6Address(TargetOffset);
        set => _bytes.SetIPv6Address(TargetOffset, value);
    }

    /// <summary>The options, to the end of the message.</summary>
    public Span<byte> OptionBytes => _bytes[OptionsOffset..];

    /// <summary>A cursor before the first option.</summary>
    public NeighborDiscoveryOptions Options => new(OptionBytes);

    /// <summary>Views <paramref name="icmp"/> as a neighbour advertisement.</summary>
    /// <returns>
    /// True if type is 136, code is 0 and there are 24 bytes at least (RFC 4861 §7.1.2); if not,
    /// <paramref name="advertisement"/> must not be used.
    /// </returns>
    public static bool TryParse(scoped in Icmpv6 icmp, out NeighborAdvertisement advertisement)
    {
        advertisement = default;
        if (icmp.Type != Icmpv6Type.NeighborAdvertisement || icmp.Code != 0 || icmp.Message.Length < HeaderLength)
            return false;
        advertisement = new NeighborAdvertisement(icmp.Message);
        return true;
    }
}
