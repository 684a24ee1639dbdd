namespace Emu.Services;

/// <summary>The first line of a request or an answer of the text protocol, in words.</summary>
internal sealed class TextLine
{
    private const int MaxWords = 8;
    private const int MaxDigits = 10;

    private readonly ushort[] _starts = new ushort[MaxWords], _ends = new ushort[MaxWords];

    /// <summary>The number of words, of which the first 8 are known.</summary>
    public int Count { get; private set; }

    /// <summary>The offset of what is behind the line.</summary>
    public int End { get; private set; }

    /// <summary>
    /// True if the line is written as every client and server writes it: one space between words, and no control
    /// character in them.
    /// </summary>
    public bool IsPlain { get; private set; }

    /// <summary>The offset of a word.</summary>
    public int StartOf(int word) => _starts[word];

    /// <summary>The offset of what is behind a word.</summary>
    public int EndOf(int word) => _ends[word];

    /// <summary>The bytes of a word.</summary>
    public int LengthOf(int word) => _ends[word] - _starts[word];

    /// <summary>Takes the line apart. It ends with \r\n.</summary>
    /// <returns>False if it does not end.</returns>
    public bool TrySplit(ReadOnlySpan<byte> text)
    {
        (Count, IsPlain) = (0, true);
        var start = 0;
        for (var at = 0; at < text.Length; at++)
        {
            var character = text[at];
            if (character is not ((byte)' ' or (byte)'\r'))
            {
                IsPlain &= character > ' ';
                continue;
            }
            IsPlain &= at > start;
            if (Count < MaxWords) (_starts[Count], _ends[Count]) = ((ushort)start, (ushort)at);
            Count++;
            start = at + 1;
            if (character == ' ') continue;
            End = start + 1;
            return start < text.Length && text[start] == '\n';
        }
        return false;
    }

    /// <summary>Reads a word as a number without sign.</summary>
    /// <returns>False if it is none of up to 10 digits.</returns>
    public bool TryReadNumber(ReadOnlySpan<byte> text, int word, out long number)
    {
        number = 0;
        if (LengthOf(word) is 0 or > MaxDigits) return false;
        foreach (var digit in text[StartOf(word)..EndOf(word)])
        {
            if (digit is < (byte)'0' or > (byte)'9') return false;
            number = number * 10 + (digit - '0');
        }
        return true;
    }
}
