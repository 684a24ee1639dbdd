namespace Emu.Protocols;

/// <summary>
/// The logical link control header of a frame in length form (IEEE 802.2-1998 §3), such as those of the spanning tree.
/// </summary>
/// <example><code>
/// if (ethernet.IsLength &amp;&amp; Llc.TryParse(ethernet.Payload, ethernet.Length, out var llc)) …
/// </code></example>
public readonly ref struct Llc
{
    private const int DsapOffset = 0;
    private const int SsapOffset = 1;
    private const int ControlOffset = 2;

    private const int UnnumberedHeaderLength = 3;
    private const int NumberedHeaderLength = 4;

    /// <summary>
    /// Unnumbered (U) control fields end in these bits and have one byte;
    /// I and S fields have two (IEEE 802.2-1998 §5.2).
    /// </summary>
    private const int UnnumberedMask = 3;

    private readonly Span<byte> _bytes;

    private Llc(Span<byte> bytes, int headerLength)
    {
        _bytes = bytes;
        HeaderLength = headerLength;
    }

    /// <summary>The bytes of the header: 3, or 4 where the control field has two.</summary>
    public int HeaderLength { get; }

    /// <summary>The destination service access point, its I/G bit lowest.</summary>
    public byte Dsap
    {
        get => _bytes[DsapOffset];
        set => _bytes[DsapOffset] = value;
    }

    /// <summary>The source service access point, its C/R bit lowest.</summary>
    public byte Ssap
    {
        get => _bytes[SsapOffset];
        set => _bytes[SsapOffset] = value;
    }

    /// <summary>The first byte of the control field; 3 is unnumbered information (UI).</summary>
    public byte Control
    {
        get => _bytes[ControlOffset];
        set => _bytes[ControlOffset] = value;
    }

    /// <summary>The bytes behind the header, up to the length that the frame states.</summary>
    public Span<byte> Payload => _bytes[HeaderLength..];

    /// <summary>Views the header at the start of <paramref name="bytes"/>.</summary>
    /// <param name="bytes">The bytes behind the length field, padding included.</param>
    /// <param name="length">The number in the length field.</param>
    /// <param name="llc">The view; not to be used if the answer is false.</param>
    /// <returns>True if there are <paramref name="length"/> bytes and the header fits into them.</returns>
    public static bool TryParse(Span<byte> bytes, int length, out Llc llc)
    {
        llc = default;
        if (length < UnnumberedHeaderLength || length > bytes.Length) return false;

        var headerLength = (bytes[ControlOffset] & UnnumberedMask) == UnnumberedMask
            ? UnnumberedHeaderLength
            : NumberedHeaderLength;
        if (length < headerLength) return false;

        llc = new Llc(bytes[..length], headerLength);
        return true;
    }
}
