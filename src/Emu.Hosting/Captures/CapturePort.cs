namespace Emu.Hosting;

/// <summary>
/// A port whose frames come from one capture file and go to another: <c>pcap:IN,OUT</c>, <c>pcap:IN</c> alone (what is
/// sent is let go), or <c>pcap:,OUT</c> (nothing arrives).
/// </summary>
/// <remarks>
/// Arrival times are those of the file, a time below the one before it being raised to it. Packets that the capture
/// marks as outbound are passed over, so that a recording of a run can be fed to the next; frames that were cut off are
/// passed over and counted.
/// </remarks>
public sealed class CapturePort : Port
{
    private readonly CaptureReader? _reader;
    private readonly CaptureWriter? _writer;
    private readonly FrameArena _arena;
    private readonly int? _captureInterface;
    private CommandException? _failure;
    private ulong _time;

    /// <summary>Opens the files.</summary>
    /// <param name="input">The capture that frames come from; null for none.</param>
    /// <param name="output">The capture that sent frames go to, created or emptied; null for none.</param>
    /// <param name="captureInterface">
    /// Takes only packets of this interface of the input, numbered from 0; null for all.
    /// </param>
    /// <param name="mtu">The MTU that frames may grow to: 14 bytes of header and a VLAN tag come on top.</param>
    /// <exception cref="CommandException">
    /// A file cannot be opened, is no capture, or is both input and output.
    /// </exception>
    public CapturePort(string? input, string? output, int? captureInterface = null, int mtu = FrameLength.DefaultMtu)
    {
        if (input is not null && output is not null && CanonicalPath.Of(input) == CanonicalPath.Of(output))
            throw CommandException.Usage(
                $"pcap:{input},{output}: the output would overwrite the input; name another file");

        var only = captureInterface is null ? "" : $"#{captureInterface}";
        Name = output is null ? $"pcap:{input}{only}" : $"pcap:{input}{only},{output}";
        _arena = new FrameArena(mtu);
        _captureInterface = captureInterface;
        // The input first: while it cannot be read, no output is emptied.
        _reader = input is null ? null : CaptureReader.Open(input);
        try
        {
            _writer = output is null ? null : CaptureWriter.Create(output);
            _writer?.AddInterface(Name);
        }
        catch
        {
            _reader?.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public override string Name { get; }

    /// <inheritdoc/>
    public override bool IsLive => false;

    /// <summary>
    /// The end of the recorded run, in nanoseconds since 1970; null when the capture does not say, or not yet.
    /// </summary>
    public ulong? EndTime => _reader?.EndTime;

    /// <inheritdoc/>
    /// <exception cref="CommandException">
    /// The capture is broken, all whole packets before being given; or it has ended and does not describe the interface
    /// whose packets are asked for.
    /// </exception>
    public override int Receive(Span<ReceivedFrame> batch)
    {
        if (_failure is not null) throw _failure;
        _arena.Reset();
        var count = 0;
        try
        {
            while (count < batch.Length && _arena.HasRoom && TryNext(out var packet))
                batch[count++] = _arena.Keep(packet.Bytes, _time);
        }
        catch (CommandException failure) when (count > 0)
        {
            _failure = failure;
        }
        return count;
    }

    /// <inheritdoc/>
    /// <exception cref="CommandException">The output cannot be written.</exception>
    public override void Send(ReadOnlySpan<byte> frame, ulong time) => _writer?.Write(0, frame, time);

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _reader?.Dispose();
        _writer?.Dispose();
        base.Dispose(disposing);
    }

    private bool TryNext(out CapturedPacket packet)
    {
        packet = default;
        while (_reader is not null && _reader.TryRead(out packet))
        {
            if (packet.Direction == PacketDirection.Outbound) continue;
            if (_captureInterface is { } only && packet.Interface != only) continue;
            if (packet.IsCutOff)
            {
                ReceiveDrops.Increment();
                continue;
            }
            _time = Math.Max(_time, packet.Time);
            return true;
        }
        // Interfaces may be described anywhere before their packets, so only the end tells that one is not there.
        if (_reader is not null && _captureInterface >= _reader.InterfaceCount)
            throw CommandException.Failure(
                $"{Name}: there is no interface {_captureInterface} in the capture; "
                + Interfaces(_reader.InterfaceCount));
        return false;
    }

    private static string Interfaces(int count) => count switch
    {
        0 => "it describes none",
        1 => "it has interface 0 only",
        _ => $"it has interfaces 0 to {count - 1}",
    };
}
