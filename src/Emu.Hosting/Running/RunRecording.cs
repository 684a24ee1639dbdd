namespace Emu.Hosting;

/// <summary>
/// Records a run as one pcapng file: an interface for each port, every event in its order with its time, and every
/// frame that left, marked as outbound. Read as ports (<c>pcap:FILE#0</c>, <c>pcap:FILE#1</c>, …)
/// it replays the run exactly.
/// </summary>
public sealed class RunRecording : IDisposable
{
    private readonly CaptureWriter _writer;

    /// <summary>Creates the file, or empties one that is there.</summary>
    /// <param name="path">Ends in <c>.pcapng</c>: pcap has no place for several ports, nor for directions.</param>
    /// <param name="ports">The names of the run's ports, in order.</param>
    /// <exception cref="CommandException">The name has another ending, or the file cannot be written.</exception>
    public RunRecording(string path, IEnumerable<string> ports)
    {
        if (!path.EndsWith(".pcapng", StringComparison.OrdinalIgnoreCase))
            throw CommandException.Usage($"{path}: a recording is a pcapng file; name it something.pcapng");
        _writer = CaptureWriter.Create(path);
        foreach (var port in ports) _writer.AddInterface(port);
    }

    /// <summary>Writes what is left and closes the file.</summary>
    public void Dispose() => _writer.Dispose();

    internal void Received(PortId port, ReadOnlySpan<byte> bytes, ulong time) =>
        _writer.Write(port.Index, bytes, time, PacketDirection.Inbound);

    internal void Sent(PortId port, ReadOnlySpan<byte> bytes, ulong time) =>
        _writer.Write(port.Index, bytes, time, PacketDirection.Outbound);

    internal void End(ulong time, IReadOnlyList<Port> ports, IReadOnlyList<PortTraffic> traffic)
    {
        _writer.SetEndTime(time);
        for (var i = 0; i < ports.Count; i++)
            _writer.SetStatistics(i, traffic[i].FramesIn.Value, ports[i].ReceiveDrops.Value);
    }

    internal void Flush() => _writer.Flush();
}
