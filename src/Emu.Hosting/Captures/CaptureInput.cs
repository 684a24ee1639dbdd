namespace Emu.Hosting;

/// <summary>
/// A capture file's bytes, front to back, through one buffer that grows no further than what has really been read.
/// </summary>
internal sealed class CaptureInput(Stream stream, string name) : IDisposable
{
    private const int InitialBuffer = 1 << 16;

    private byte[] _buffer = new byte[InitialBuffer];
    private int _start;
    private int _end;

    /// <summary>The file, as messages name it.</summary>
    public string Name { get; } = name;

    /// <summary>The offset in the file of the next byte to be taken.</summary>
    public long Offset { get; private set; }

    /// <summary>
    /// Makes the next bytes ready for <see cref="Peek"/>; spans handed out before are no longer valid.
    /// </summary>
    /// <param name="count">The number of bytes; the caller has bounded it.</param>
    /// <returns>The number of bytes that there are: fewer only at the end of the file.</returns>
    public int Fill(int count)
    {
        while (_end - _start < count)
        {
            if (_start > 0) Compact();
            if (_end == _buffer.Length) Array.Resize(ref _buffer, 2 * _buffer.Length);
            var read = Read(_buffer.AsSpan(_end));
            if (read == 0) return _end - _start;
            _end += read;
        }
        return count;
    }

    /// <summary>The next bytes, which <see cref="Fill"/> has made ready.</summary>
    public ReadOnlySpan<byte> Peek(int count) => _buffer.AsSpan(_start, count);

    /// <summary>The next bytes, which <see cref="Fill"/> has made ready, and goes on behind them.</summary>
    public ReadOnlySpan<byte> Take(int count)
    {
        var taken = Peek(count);
        _start += count;
        Offset += count;
        return taken;
    }

    /// <summary>Goes on behind the next bytes without keeping them.</summary>
    /// <returns>True if there were so many.</returns>
    public bool Skip(long count)
    {
        while (count > 0)
        {
            var step = Fill((int)Math.Min(count, InitialBuffer));
            if (step == 0) return false;
            Take(step);
            count -= step;
        }
        return true;
    }

    public void Dispose() => stream.Dispose();

    private void Compact()
    {
        _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
        _end -= _start;
        _start = 0;
    }

    private int Read(Span<byte> destination)
    {
        try
        {
            return stream.Read(destination);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw CommandException.Failure($"{Name}: it cannot be read: {e.Message}");
        }
    }
}
