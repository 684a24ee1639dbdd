namespace Emu.Hosting;

/// <summary>
/// Writes a capture file of Ethernet frames with nanosecond times: pcapng when the file's name ends in <c>.pcapng</c>,
/// else pcap. No frame allocates.
/// </summary>
/// <remarks>
/// Records gather in memory and go to the file whole: when the buffer is full, at a write more than a second after the
/// last, at <see cref="Flush"/> and on closing. So the file of a process that is killed reads well up to there; if it
/// was killed within a write, its last record may be cut off, and all before it is whole.
/// </remarks>
public abstract class CaptureWriter : IDisposable
{
    private const int BufferLength = 1 << 16;
    private const int MillisecondsBetweenFlushes = 1000;

    private readonly FileStream _file;
    private byte[] _buffer = new byte[BufferLength];
    private int _used;
    private long _flushed = Environment.TickCount64;

    private protected CaptureWriter(FileStream file, string path) => (_file, Path) = (file, path);

    /// <summary>The file, as it was named.</summary>
    public string Path { get; }

    /// <summary>Creates a capture file, or empties one that is there.</summary>
    /// <param name="path">The file; its ending says the format.</param>
    /// <exception cref="CommandException">It cannot be written.</exception>
    public static CaptureWriter Create(string path)
    {
        try
        {
            var file = new FileStream(
                path, FileMode.Create, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
            return path.EndsWith(".pcapng", StringComparison.OrdinalIgnoreCase)
                ? new PcapngWriter(file, path)
                : new PcapWriter(file, path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw CommandException.Failure($"{path}: it cannot be written: {e.Message}");
        }
    }

    /// <summary>Adds an interface that frames are written for.</summary>
    /// <param name="name">The name that readers of the file show; pcap has no place for it.</param>
    /// <returns>The number of the interface, from 0 up.</returns>
    /// <exception cref="CommandException">A second one in pcap, which has only one.</exception>
    public abstract int AddInterface(string name);

    /// <summary>Writes a frame.</summary>
    /// <param name="captureInterface">The number that <see cref="AddInterface"/> returned.</param>
    /// <param name="frame">The bytes without FCS, at most <see cref="CaptureReader.MaxPacketLength"/>.</param>
    /// <param name="time">Nanoseconds since 1970.</param>
    /// <param name="direction">The direction of the frame; pcap has no place for it.</param>
    /// <exception cref="CommandException">The file cannot be written: the disk is full, for instance.</exception>
    public void Write(
        int captureInterface, ReadOnlySpan<byte> frame, ulong time, PacketDirection direction = PacketDirection.Unknown)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(frame.Length, CaptureReader.MaxPacketLength);
        WriteRecord(captureInterface, frame, time, direction);
        if (Environment.TickCount64 - _flushed >= MillisecondsBetweenFlushes) Flush();
    }

    /// <summary>
    /// States how many frames an interface received and lost, to be written at the end; pcap has no place for it.
    /// </summary>
    public abstract void SetStatistics(int captureInterface, ulong received, ulong dropped);

    /// <summary>
    /// States when the recording ended, in nanoseconds since 1970, if that was later than the last frame;
    /// pcap has no place for it.
    /// </summary>
    public abstract void SetEndTime(ulong time);

    /// <summary>Hands to the file what was written so far.</summary>
    /// <exception cref="CommandException">The file cannot be written.</exception>
    public void Flush()
    {
        _flushed = Environment.TickCount64;
        if (_used == 0) return;
        var whole = _buffer.AsSpan(0, _used);
        _used = 0;
        try
        {
            _file.Write(whole);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw CommandException.Failure($"{Path}: it cannot be written: {e.Message}");
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        GC.SuppressFinalize(this);
        if (_file.SafeFileHandle.IsClosed) return;
        try
        {
            WriteEnd();
            Flush();
        }
        finally
        {
            _file.Dispose();
        }
    }

    private protected abstract void WriteRecord(
        int captureInterface, ReadOnlySpan<byte> frame, ulong time, PacketDirection direction);

    /// <summary>Writes what stands at the end of the file.</summary>
    private protected virtual void WriteEnd()
    {
    }

    /// <summary>Room for one whole record, to be filled before the next call.</summary>
    private protected Span<byte> Append(int length)
    {
        if (_used + length > _buffer.Length) Flush();
        if (length > _buffer.Length) _buffer = new byte[length];
        var record = _buffer.AsSpan(_used, length);
        _used += length;
        return record;
    }
}
