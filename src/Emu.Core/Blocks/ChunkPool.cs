namespace Emu;

/// <summary>
/// Byte strings of any length in memory of a fixed size: each is a chain of chunks of the same length, taken from a
/// list of free ones (as in a slab allocator; Bonwick 1994).
/// </summary>
/// <remarks>
/// A string is known by the number of its first chunk, which no other string has meanwhile. Making and freeing one
/// costs a read and a write for each chunk.
/// </remarks>
public sealed class ChunkPool
{
    private const int None = -1;

    private readonly byte[] _bytes;
    private readonly int[] _next;
    private readonly int _chunkLength;
    private int _firstFree;

    /// <summary>Makes a pool whose chunks are all free.</summary>
    /// <param name="count">The number of chunks, at least 1.</param>
    /// <param name="chunkLength">The bytes of a chunk, at least 1.</param>
    /// <exception cref="ArgumentOutOfRangeException">
    /// A number is below 1, or the pool is larger than 2³⁰ bytes.
    /// </exception>
    public ChunkPool(int count, int chunkLength)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(count, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(chunkLength, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan((long)count * chunkLength, 1 << 30, nameof(count));
        _bytes = new byte[count * chunkLength];
        _next = new int[count];
        _chunkLength = chunkLength;
        for (var i = 0; i < count; i++) _next[i] = i + 1 < count ? i + 1 : None;
        Free = count;
    }

    /// <summary>The bytes of a chunk.</summary>
    public int ChunkLength => _chunkLength;

    /// <summary>The number of free chunks.</summary>
    public int Free { get; private set; }

    /// <summary>The chunks that a string of some bytes needs: at least one.</summary>
    public int ChunksOf(int length) => length <= _chunkLength ? 1 : (length + _chunkLength - 1) / _chunkLength;

    /// <summary>Makes a string of bytes that are not defined.</summary>
    /// <param name="chunks">Its chunks, 1 to <see cref="Free"/>.</param>
    /// <returns>The number of its first chunk.</returns>
    public int Make(int chunks)
    {
        var first = _firstFree;
        var last = first;
        for (var i = 1; i < chunks; i++) last = _next[last];
        _firstFree = _next[last];
        _next[last] = None;
        Free -= chunks;
        return first;
    }

    /// <summary>Frees the chunks of a string.</summary>
    /// <param name="first">The string.</param>
    public void Release(int first)
    {
        var (last, count) = (first, 1);
        for (; _next[last] != None; last = _next[last]) count++;
        _next[last] = _firstFree;
        _firstFree = first;
        Free += count;
    }

    /// <summary>Writes bytes of a string.</summary>
    /// <param name="first">The string.</param>
    /// <param name="offset">The offset of the first byte written.</param>
    /// <param name="source">The bytes; the string has as many from there on.</param>
    public void Write(int first, int offset, ReadOnlySpan<byte> source)
    {
        var chunk = first;
        for (; offset >= _chunkLength; offset -= _chunkLength) chunk = _next[chunk];
        for (; !source.IsEmpty; chunk = _next[chunk])
        {
            var length = Math.Min(source.Length, _chunkLength - offset);
            source[..length].CopyTo(_bytes.AsSpan(chunk * _chunkLength + offset));
            source = source[length..];
            offset = 0;
        }
    }

    /// <summary>Reads bytes of a string.</summary>
    /// <param name="first">The string.</param>
    /// <param name="offset">The offset of the first byte read.</param>
    /// <param name="destination">Where they go; the string has as many from there on.</param>
    public void Read(int first, int offset, Span<byte> destination)
    {
        var chunk = first;
        for (; offset >= _chunkLength; offset -= _chunkLength) chunk = _next[chunk];
        for (; !destination.IsEmpty; chunk = _next[chunk])
        {
            var length = Math.Min(destination.Length, _chunkLength - offset);
            _bytes.AsSpan(chunk * _chunkLength + offset, length).CopyTo(destination);
            destination = destination[length..];
            offset = 0;
        }
    }

    /// <summary>The first bytes of a string.</summary>
    /// <param name="first">The string.</param>
    /// <param name="length">The number of bytes: at most those of a chunk.</param>
    public ReadOnlySpan<byte> FirstOf(int first, int length) => _bytes.AsSpan(first * _chunkLength, length);

    /// <summary>True if a string, which is at least as long, begins with some bytes.</summary>
    public bool StartsWith(int first, ReadOnlySpan<byte> bytes)
    {
        for (var chunk = first; !bytes.IsEmpty; chunk = _next[chunk])
        {
            var length = Math.Min(bytes.Length, _chunkLength);
            if (!_bytes.AsSpan(chunk * _chunkLength, length).SequenceEqual(bytes[..length])) return false;
            bytes = bytes[length..];
        }
        return true;
    }
}
