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
public sealed class ServiceRunner : IFrameOutput, IArrivals, IDisposable
{
    private const int BatchSize = 64;

    private readonly IReadOnlyList<Port> _ports;
    private readonly RunRecording? _recording;
    private readonly ReceivedFrame[] _batch = new ReceivedFrame[BatchSize];
    private readonly ConcurrentQueue<Action> _calls = new();
    private readonly Poller _poller;
    private readonly ulong _spinning;
    private MergedCaptures? _captures;
    private CancellationToken _stop;
    private PortSet _unflushed;
    private ulong _latest;
    private int _port, _next, _count;
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
        Sequence = new EventSequence(service, ports.Count, this, mtu, arrivals: this);
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
        _stop = stop;
        try
        {
            if (_ports[0].IsLive) RunLive();
            else RunCaptures();
        }
        catch (RunOverException)
        {
            // What waits, and the frames that wait for its end, are left as they are, as in hardware.
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
    /// Runs <paramref name="call"/> between two events, while one waits for a frame, or at once when the run is over,
    /// and returns what it returns; for other threads.
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

    /// <inheritdoc/>
    /// <remarks>An event waits: frames of the batch that it is in come first, then those that the ports have.</remarks>
    bool IArrivals.TryTake(out PortId ingress, out ReceivedFrame frame)
    {
        if (_captures is not null) return TryTakeCaptured(out ingress, out frame);
        (ingress, frame) = (PortId.None, default);
        while (_next == _count)
        {
            if (_stop.IsCancellationRequested) return false;
            Flush();
            for (var i = 0; i < _ports.Count && _next == _count; i++) Fill((_port + 1) % _ports.Count);
            MakeCalls();
            if (_next < _count) break;
            _recording?.Flush();
            _poller.Wait(NextArrival());
        }
        (ingress, frame) = (new PortId(_port), NextOfBatch());
        Note(_port, frame);
        return true;
    }

    /// <summary>The next frame of the batch, at a time that no frame had before.</summary>
    private ReceivedFrame NextOfBatch()
    {
        var frame = _batch[_next++];
        _latest = Math.Max(frame.Time, Math.Max(Sequence.Now, _latest) + 1);
        return frame.At(_latest);
    }

    private bool TryTakeCaptured(out PortId ingress, out ReceivedFrame frame)
    {
        (ingress, frame) = (PortId.None, default);
        _captures!.MoveNext();
        if (_captures.HasEnded || _stop.IsCancellationRequested) return false;
        (ingress, frame) = (new PortId(_captures.Port), _captures.Frame);
        Note(_captures.Port, frame);
        return true;
    }

    private void RunLive()
    {
        Sequence.Start(HostClock.Now);
        var spinsUntil = 0UL;
        while (!_stop.IsCancellationRequested)
        {
            var isIdle = true;
            for (var i = 0; i < _ports.Count; i++)
            {
                if (!Fill(i)) continue;
                isIdle = false;
                while (_next < _count) Receive(_port, NextOfBatch());
                Flush();
                var now = HostClock.Now;
                for (var n = 0; n < _count; n++) Latency.Add(now - Math.Min(now, _batch[n].Time));
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

    /// <summary>Takes a batch from a port, in the place of one that has been handled.</summary>
    private bool Fill(int port)
    {
        (_port, _next, _count) = (port, 0, _ports[port].Receive(_batch));
        return _count > 0;
    }

    private void RunCaptures()
    {
        _captures = new MergedCaptures(_ports);
        if (!_captures.HasEnded) Sequence.Start(_captures.Frame.Time);
        while (!_captures.HasEnded && !_stop.IsCancellationRequested)
        {
            Receive(_captures.Port, _captures.Frame);
            _captures.MoveNext();
            MakeCalls();
        }
    }

    private void Receive(int index, ReceivedFrame frame)
    {
        Note(index, frame);
        Sequence.Receive(new PortId(index), frame.Memory, frame.Length, frame.Time);
    }

    private void Note(int index, ReceivedFrame frame)
    {
        Traffic[index].FramesIn.Increment();
        Traffic[index].BytesIn.Add((ulong)frame.Length);
        _recording?.Received(new PortId(index), frame.Bytes, frame.Time);
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

    private ulong NextDue() => Math.Min(Sequence.NextTick, NextArrival());

    /// <summary>The time at which a port gives a frame that it holds back; the maximum for none.</summary>
    private ulong NextArrival()
    {
        var due = ulong.MaxValue;
        for (var i = 0; i < _ports.Count; i++) due = Math.Min(due, _ports[i].NextDue);
        return due;
    }
}
