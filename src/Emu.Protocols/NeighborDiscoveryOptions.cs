namespace Emu.Protocols;

/// <summary>
/// A cursor over neighbour discovery options (RFC 4861 §4.6): type, length in units of 8 bytes, data.
/// Every step takes 8 bytes at least.
/// </summary>
/// <example><code>
/// var options = solicitation.Options;
/// while (options.MoveNext())
///     if (options.Type == NeighborDiscoveryOptionType.SourceLinkLayerAddress
///         &amp;&amp; options.TryReadLinkLayerAddress(out var mac)) …
/// </code></example>
public ref struct NeighborDiscoveryOptions
{
    /// <summary>The bytes of a link-layer address option on Ethernet: 8 (RFC 2464 §6).</summary>
    public const int LinkLayerAddressLength = 8;

    private const int TypeOffset = 0;
    private const int LengthOffset = 1;
    private const int DataOffset = 2;
    private const int Unit = 8;

    private Span<byte> _rest;

    internal NeighborDiscoveryOptions(Span<byte> options) => _rest = options;

    /// <summary>
    /// The type of the option at the cursor; <see cref="NeighborDiscoveryOptionType.None"/> before the first
    /// and behind the last.
    /// </summary>
    public NeighborDiscoveryOptionType Type { get; private set; }

    /// <summary>
    /// The length of the option at the cursor as it stands there, in units of 8 bytes; 0 where there is none.
    /// </summary>
    public readonly int Length => Data.Length == 0 ? 0 : (DataOffset + Data.Length) / Unit;

    /// <summary>The bytes behind the length byte of the option at the cursor; empty where there is none.</summary>
    public Span<byte> Data { get; private set; }

    /// <summary>
    /// True if the walk has ended at an option of length 0 or beyond the message;
    /// the packet must be discarded (RFC 4861 §4.6).
    /// </summary>
    public bool IsMalformed { get; private set; }

    /// <summary>Writes a link-layer address option into the first 8 of <paramref name="bytes"/>.</summary>
    /// <returns>True if there are 8 bytes at least; if not, nothing is written.</returns>
    public static bool TryWriteLinkLayerAddress(Span<byte> bytes, NeighborDiscoveryOptionType type, MacAddress address)
    {
        if (bytes.Length < LinkLayerAddressLength) return false;
        bytes[TypeOffset] = (byte)type;
        bytes[LengthOffset] = LinkLayerAddressLength / Unit;
        bytes.SetMacAddress(DataOffset, address);
        return true;
    }

    /// <summary>Goes on to the next option.</summary>
    /// <returns>True if there is one; false at the end of the message or at a malformed option.</returns>
    public bool MoveNext()
    {
        Type = NeighborDiscoveryOptionType.None;
        Data = default;
        if (_rest.Length == 0) return false;

        var length = _rest.Length < Unit ? 0 : _rest[LengthOffset] * Unit;
        if (length == 0 || length > _rest.Length)
        {
            IsMalformed = true;
            _rest = default;
            return false;
        }

        Type = (NeighborDiscoveryOptionType)_rest[TypeOffset];
        Data = _rest[DataOffset..length];
        _rest = _rest[length..];
        return true;
    }

    /// <summary>The address in the option at the cursor.</summary>
    /// <returns>True if it is a source or target link-layer address option of Ethernet's size (RFC 2464 §6).</returns>
    public readonly bool TryReadLinkLayerAddress(out MacAddress address)
    {
        address = default;
        if (Type is not (NeighborDiscoveryOptionType.SourceLinkLayerAddress
            or NeighborDiscoveryOptionType.TargetLinkLayerAddress))
            return false;
        if (Data.Length != MacAddress.Length) return false;
        address = Data.GetMacAddress(0);
        return true;
    }
}
