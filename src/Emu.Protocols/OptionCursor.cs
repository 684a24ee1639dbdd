namespace Emu.Protocols;

/// <summary>
/// Walks the option format that IPv4 (RFC 791 §3.1) and TCP (RFC 9293 §3.1) share: a byte of 0 ends the list, a byte of 1 stands alone, any
/// other is followed by a length that counts both. Every step takes a byte at least, so that the walk ends on any bytes.
/// </summary>
internal ref struct OptionCursor(Span<byte> options)
{
    private const byte EndOfList = 0;
    private const byte NoOperation = 1;
    private const int LengthOffset = 1;
    private const int DataOffset = 2;

    private Span<byte> _rest = options;

    public byte Type { get; private set; }

    public readonly int Length => Type <= NoOperation ? Type : DataOffset + Data.Length;

    public Span<byte> Data { get; private set; }

    public bool IsMalformed { get; private set; }

    public bool MoveNext()
    {
        if (_rest.Length == 0 || _rest[0] == EndOfList) return Stop(false);
        Type = _rest[0];
        if (Type == NoOperation)
        {
            Data = default;
            _rest = _rest[1..];
            return true;
        }

        if (_rest.Length < DataOffset) return Stop(true);
        var length = _rest[LengthOffset];
        if (length < DataOffset || length > _rest.Length) return Stop(true);
        Data = _rest[DataOffset..length];
        _rest = _rest[length..];
        return true;
    }

    private bool Stop(bool malformed)
    {
        Type = EndOfList;
        Data = default;
        _rest = default;
        IsMalformed |= malformed;
        return false;
    }
}
