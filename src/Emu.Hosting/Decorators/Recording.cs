namespace Emu.Hosting;

/// <summary>
/// A pcapng file that a run's ports are recorded in, one interface each: what was received and what was sent, so that the run can be looked at
/// and, by a <see cref="CapturePort"/> for each interface, replayed.
/// </summary>
/// <remarks>
/// A replay merges the ports by time, then by port. So that it meets the frames in the order of the live run, each frame's arrival is
/// raised to that of the frame before it, and by one nanosecond more where the tie would fall the other way. That raised time is the one that the run
/// sees: the recording holds what happened.
/// </remarks>
public sealed class Recording : IDisposable
{
    private readonly CaptureWriter _writer;
    private int _lastPort;
    private ulong _lastTime;

    /// <summary>Creates the file, or empties one that is there.</summary>
    /// <param name="path">Ends in <c>.pcapng</c>; pcap has no place for direction and several ports.</param>
    /// <exception cref="CommandException">The name has another ending, or the file cannot be written.</exception>
    public Recording(string path)
    {
        if (!path.EndsWith(".pcapng", StringComparison.OrdinalIgnoreCase))
            throw CommandException.Usage($"{path}: a recording is a pcapng file; name it something.pcapng");
        _writer = CaptureWriter.Create(path);
    }

    /// <summary>Records a port from now on; ports are to be added in the order of their numbers.</summary>
    /// <returns>The port to use in its place.</returns>
    public RecordingPort Add(Port inner) => new(inner, this, _writer.AddInterface(inner.Name));

    /// <summary>
    /// States that the run has come to a time without a frame, as a tick does, in nanoseconds since 1970: no frame that arrives later is given an
    /// earlier time, or a replay would meet it before the tick.
    /// </summary>
    public void Advance(ulong time) => _lastTime = Math.Max(_lastTime, time);

    /// <summary>States when the run ended, in nanoseconds since 1970, if that is later than the last frame.</summary>
    public void End(ulong time) => _writer.SetEndTime(time);

    /// <summary>Writes the statistics and closes the file; the ports are to be disposed first.</summary>
    public void Dispose() => _writer.Dispose();

    /// <summary>Records a frame that arrived.</summary>
    /// <returns>The time that the run is to see.</returns>
    internal ulong Arrived(int port, ReadOnlySpan<byte> frame, ulong time)
    {
        var earliest = port < _lastPort ? _lastTime + 1 : _lastTime;
        (_lastPort, _lastTime) = (port, Math.Max(time, earliest));
        _writer.Write(port, frame, _lastTime, PacketDirection.Inbound);
        return _lastTime;
    }

    internal void Sent(int port, ReadOnlySpan<byte> frame, ulong time) => _writer.Write(port, frame, time, PacketDirection.Outbound);

    internal void SetStatistics(int port, ulong received, ulong dropped) => _writer.SetStatistics(port, received, dropped);

    internal void Flush() => _writer.Flush();
}
