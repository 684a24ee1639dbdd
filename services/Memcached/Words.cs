namespace Emu.Services;

/// <summary>The words of a line of the text protocol: what spaces separate.</summary>
internal sealed class Words
{
    private readonly ushort[] _starts = new ushort[MemcachedServer.MaxRequestLength / 2];
    private readonly ushort[] _lengths = new ushort[MemcachedServer.MaxRequestLength / 2];

    /// <summary>The number of words.</summary>
    public int Count { get; private set; }

    /// <summary>The offset of what is behind the line.</summary>
    public int End { get; private set; }

    /// <summary>The offset of a word's first byte.</summary>
    public int StartOf(int word) => _starts[word];

    /// <summary>The bytes of a word, 1 or more.</summary>
    public int LengthOf(int word) => _lengths[word];

    /// <summary>Takes a line apart. It ends with \n, in front of which \r may be.</summary>
    /// <param name="request">The request.</param>
    /// <param name="from">The offset of the line's first byte.</param>
    /// <returns>False if the line does not end.</returns>
    public bool TrySplit(ReadOnlySpan<byte> request, int from)
    {
        Count = 0;
        var start = from;
        for (var at = from; at < request.Length; at++)
        {
            var isEnd = request[at] == '\n';
            if (!isEnd && request[at] != ' ') continue;
            var length = at - start;
            // A line of \r alone has it as its word.
            if (isEnd && length > 0 && at > from + 1 && request[at - 1] == '\r') length--;
            if (length > 0)
            {
                _starts[Count] = (ushort)start;
                _lengths[Count] = (ushort)length;
                Count++;
            }
            start = at + 1;
            if (!isEnd) continue;
            End = start;
            return true;
        }
        return false;
    }
}
