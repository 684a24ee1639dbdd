namespace Emu.Protocols;

/// <summary>
/// Walks the option format that IPv4 (RFC 791 §3.1) and TCP (RFC 9293 §3.1) share: a byte of 0 ends the list, a byte of
/// 1 stands alone, any other is followed by a length that counts both. Every step takes a byte at least,
/// so that the walk ends on any bytes.
/// </summary>
/// <param name="options">40 bytes at most, as either header has.</param>
internal ref struct OptionCursor(Span<byte> options)
{
    private const byte EndOfList = 0;
    private const byte NoOperation = 1;
    private const int LengthOffset = 1;
    private const int DataOffset = 2;

    private readonly Span<byte> _options = options;
    private byte _next;

    /// <summary>The whole option at the cursor; empty before the first and behind the last.</summary>
    public Span<byte> Option { get; private set; }

    public readonly byte Type => Option.IsEmpty ? EndOfList : Option[0];

    public readonly int Length => Option.Length;

    public readonly Span<byte> Data => Option.Length < DataOffset ? default : Option[DataOffset..];

    public bool IsMalformed { get; private set; }

    public bool MoveNext()
    {
        if (_next >= _options.Length || _options[_next] == EndOfList) return End();
        byte length = 1;
        if (_options[_next] != NoOperation)
        {
            length = _next + LengthOffset < _options.Length ? _options[_next + LengthOffset] : (byte)0;
            IsMalformed = length < DataOffset || _next + length > _options.Length;
            if (IsMalformed) return End();
        }
        Option = _options.Slice(_next, length);
        _next += length;
        return true;
    }

    private bool End()
    {
        Option = default;
        _next = (byte)_options.Length;
        return false;
    }
}
