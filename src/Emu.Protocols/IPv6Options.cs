namespace Emu.Protocols;

/// <summary>
/// A cursor over the options of a hop-by-hop or destination options header (RFC 8200 §4.2). A byte of 0 is padding
/// (Pad1); any other type is followed by the length of its data. Every step takes a byte at least.
/// </summary>
/// <example><code>
/// var options = extensions.Options;
/// while (options.MoveNext())
///     if (options.ActionIfUnknown != IPv6OptionAction.Skip) frame.Drop();
/// </code></example>
public ref struct IPv6Options
{
    private const byte Pad1 = 0;
    private const int LengthOffset = 1;
    private const int DataOffset = 2;
    private const int ActionShift = 6;

    private Span<byte> _rest;

    internal IPv6Options(Span<byte> options) => _rest = options;

    /// <summary>The type of the option at the cursor; 0, which is Pad1, before the first and behind the last.</summary>
    public byte Type { get; private set; }

    /// <summary>The action of a node that does not know the option at the cursor.</summary>
    public readonly IPv6OptionAction ActionIfUnknown => (IPv6OptionAction)(Type >> ActionShift);

    /// <summary>The bytes behind the length byte of the option at the cursor; empty where there is none.</summary>
    public Span<byte> Data { get; private set; }

    /// <summary>True if the walk has ended at an option whose length byte is missing or beyond the header.</summary>
    public bool IsMalformed { get; private set; }

    /// <summary>Goes on to the next option, Pad1 included.</summary>
    /// <returns>True if there is one; false at the end of the header or at a malformed option.</returns>
    public bool MoveNext()
    {
        Type = Pad1;
        Data = default;
        if (_rest.Length == 0) return false;
        if (_rest[0] == Pad1)
        {
            _rest = _rest[1..];
            return true;
        }

        var length = _rest.Length < DataOffset ? DataOffset : DataOffset + _rest[LengthOffset];
        if (length > _rest.Length)
        {
            IsMalformed = true;
            _rest = default;
            return false;
        }

        Type = _rest[0];
        Data = _rest[DataOffset..length];
        _rest = _rest[length..];
        return true;
    }
}
