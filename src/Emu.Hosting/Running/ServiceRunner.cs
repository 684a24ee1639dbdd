using System.Collections.Concurrent;

namespace Emu.Hosting;

/// <summary>
/// Runs a service on ports until it is told to stop or, on captures, until all have ended: from <c>Main</c> to the
/// wire, this is the middle.
/// </summary>
/// <remarks>
/// Live ports are asked in turn; each event gets the host's time, strictly increasing, so that a recording has one
/// order. Ports that are not live are merged by time, then by port number. One thread does everything; others reach in
/// by <see cref="Between{T}"/>.
/// </remarks>
public sealed class ServiceRunner : IFrameOutput, IDisposable
{
    private const int BatchSize = 64;

    private readonly IReadOnlyList<Port> _ports;
    private readonly RunRecording? _recording;
    private readonly ReceivedFrame[] _batch = new ReceivedFrame[BatchSize];
    private readonly ConcurrentQueue<Action> _calls = new();
    private readonly Poller _poller;
    private readonly ulong _spinning;
    private PortSet _unflushed;
    private bool _hasEnded;

    /// <summary>Connects a service to ports.</summary>
    /// <param name="service">Constructed, and not run before.</param>
    /// <param name="ports">1 to 64 open ports, all live or none; they stay the caller's.</param>
    /// <param name="mtu">See <see cref="EventSequence"/>.</param>
    /// <param name="recording">The recording of all events and frames, or null; it stays the caller's.</param>
    /// <param name="spinning">The nanoseconds after a frame in
    /// which live ports are looked at again before the thread sleeps.</param>
    /// <exception cref="CommandException">The ports cannot be combined.</exception>
    public ServiceRunner(
        Service service, IReadOnlyList<Port> ports, int mtu = FrameLength.DefaultMtu, RunRecording? recording = null,
        ulong spinning = 0)
    {
        ArgumentNullException.ThrowIfNull(ports);
        if (ports.Count is 0 or > PortSet.MaxPorts)
            throw CommandException.Usage($"a run has 1 to {PortSet.MaxPorts} ports, not {ports.Count}");
        Port.CheckCombination(ports);

        _ports = ports;
        _recording = recording;
        _spinning = spinning;
        Sequence = new EventSequence(service, ports.Count, this, mtu);
        Traffic = [.. ports.Select(_ => new PortTraffic())];
        _poller = new Poller(ports);
    }

    /// <summary>The events so far.</summary>
    public EventSequence Sequence { get; }

    /// <summary>The traffic of each port.</summary>
    public IReadOnlyList<PortTraffic> Traffic { get; }

    /// <summary>For live ports: from a frame's arrival until what it caused was sent, in nanoseconds.</summary>
    public LatencyHistogram Latency { get; } = new();

    /// <summary>Runs; returns when <paramref name="stop"/> is asked for or every capture has ended.</summary>
    /// <exception cref="CommandException">A port has failed; what was handled before is sent.</exception>
    public void Run(CancellationToken stop)
    {
        using var wake = stop.Register(_poller.Wake);
        try
        {
            if (_ports[0].IsLive) RunLive(stop);
            else RunCaptures(stop);
        }
        finally
        {
            _hasEnded = true;
            MakeCalls();
            Flush();
            _recording?.End(Sequence.Now, _ports, Traffic);
        }
    }

    /// <summary>
    /// Runs <paramref name="call"/> between two events, or at once when the run is over, and returns what it
    /// returns; for other threads.
    /// </summary>
    public T Between<T>(Func<T> call)
    {
        var answer = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        _calls.Enqueue(() =>
        {
            try
            {
                answer.SetResult(call());
            }
            catch (Exception exception)
            {
                answer.SetException(exception);
            }
        });
        if (_hasEnded) MakeCalls();
        else _poller.Wake();
        return answer.Task.GetAwaiter().GetResult();
    }

    /// <inheritdoc/>
    public void Send(ReadOnlySpan<byte> bytes, PortSet ports, ulong time)
    {
        _unflushed |= ports;
        for (var i = 0; i < _ports.Count; i++)
        {
            var port = new PortId(i);
            if (!ports.Contains(port)) continue;
            _ports[i].Send(bytes, time);
            Traffic[i].FramesOut.Increment();
            Traffic[i].BytesOut.Add((ulong)bytes.Length);
            _recording?.Sent(port, bytes, time);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _poller.Dispose();

    private void RunLive(CancellationToken stop)
    {
        Sequence.Start(HostClock.Now);
        var spinsUntil = 0UL;
        while (!stop.IsCancellationRequested)
        {
            var isIdle = true;
            for (var i = 0; i < _ports.Count; i++)
            {
                var count = _ports[i].Receive(_batch);
                if (count == 0) continue;
                isIdle = false;
                for (var n = 0; n < count; n++) Receive(i, _batch[n], Math.Max(_batch[n].Time, Sequence.Now + 1));
                Flush();
                var now = HostClock.Now;
                for (var n = 0; n < count; n++) Latency.Add(now - Math.Min(now, _batch[n].Time));
            }
            var time = HostClock.Now;
            Sequence.AdvanceTo(time);
            Flush();
            MakeCalls();
            if (!isIdle)
            {
                spinsUntil = time + _spinning;
            }
            else if (time >= spinsUntil)
            {
                _recording?.Flush();
                _poller.Wait(NextDue());
            }
        }
    }

    private void RunCaptures(CancellationToken stop)
    {
        var frames = new MergedCaptures(_ports);
        if (!frames.HasEnded) Sequence.Start(frames.Frame.Time);
        while (!frames.HasEnded && !stop.IsCancellationRequested)
        {
            Receive(frames.Port, frames.Frame, frames.Frame.Time);
            frames.MoveNext();
            MakeCalls();
        }
    }

    private void Receive(int index, ReceivedFrame frame, ulong time)
    {
        Traffic[index].FramesIn.Increment();
        Traffic[index].BytesIn.Add((ulong)frame.Length);
        _recording?.Received(new PortId(index), frame.Bytes, time);
        Sequence.Receive(new PortId(index), frame.Memory, frame.Length, time);
    }

    private void Flush()
    {
        for (var i = 0; i < _ports.Count; i++)
        {
            if (_unflushed.Contains(new PortId(i))) _ports[i].Flush();
        }
        _unflushed = PortSet.None;
    }

    private void MakeCalls()
    {
        while (_calls.TryDequeue(out var call)) call();
    }

    private ulong NextDue()
    {
        var due = Sequence.NextTick;
        for (var i = 0; i < _ports.Count; i++) due = Math.Min(due, _ports[i].NextDue);
        return due;
    }
}
