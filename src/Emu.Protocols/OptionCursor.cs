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

    /// <summary>The whole option at the cursor; empty before the first and behind the last.</summary>
    public Span<byte> Option { get; private set; }

    public readonly byte Type => Option.IsEmpty ? EndOfList : Option[0];

    public readonly int Length => Option.Length;

    public readonly Span<byte> Data => Option.Length < DataOffset ? default : Option[DataOffset..];

    public bool IsMalformed { get; private set; }

    public bool MoveNext()
    {
        var length = 0;
        if (_rest.Length > 0 && _rest[0] == NoOperation) length = 1;
        else if (_rest.Length > 0 && _rest[0] != EndOfList)
        {
            length = _rest.Length < DataOffset ? 0 : _rest[LengthOffset];
            IsMalformed = length < DataOffset || length > _rest.Length;
            if (IsMalformed) length = 0;
        }
        Option = _rest[..length];
        _rest = length == 0 ? default : _rest[length..];
        return length != 0;
    }

    /// <summary>Overwrites the option at the cursor by no-operations.</summary>
    public readonly void Erase() => Option.Fill(NoOperation);
}
