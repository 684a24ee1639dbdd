namespace Emu.Hosting;

/// <summary>
/// Records a run as one pcapng file: an interface for each port, every event in its order with its time, and every frame that left, marked
/// as outbound. Read as ports (<c>pcap:FILE#0</c>, <c>pcap:FILE#1</c>, …) it replays the run exactly.
/// </summary>
public sealed class RunRecording : IDisposable
{
    private readonly CaptureWriter _writer;

    /// <summary>Creates the file.</summary>
    /// <param name="file">Its name, ending in <c>.pcapng</c>.</param>
    /// <param name="ports">The names of the run's ports.</param>
    public RunRecording(string file, IReadOnlyList<string> ports)
    {
        _writer = new CaptureWriter(file, ports);
    }

    internal void Received(PortId port, ReadOnlySpan<byte> bytes, ulong time) => _writer.Write(bytes, time, port.Index, CaptureDirection.Inbound);

    internal void Sent(PortId port, ReadOnlySpan<byte> bytes, ulong time) => _writer.Write(bytes, time, port.Index, CaptureDirection.Outbound);

    /// <inheritdoc/>
    public void Dispose() => _writer.Dispose();
}
