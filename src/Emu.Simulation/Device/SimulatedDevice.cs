using Emu.Compiler.Layouts;
using Emu.Hosting;

namespace Emu.Simulation;

/// <summary>
/// A simulated circuit on ports: what arrives there goes into it, in the order in which a run of the service would take
/// it, and what comes out leaves by the ports that it says. On captures the output is that of the run,
/// byte for byte and with its times.
/// </summary>
public sealed class SimulatedDevice
{
    /// <summary>Frames that wait for the bus: enough that it is never without.</summary>
    private const int Backlog = 2;

    private const int LiveBacklog = 64;

    /// <summary>Cycles from one look at the ports to the next.</summary>
    private const int CyclesBetweenLooks = 64;

    private const long StallLimit = 10_000_000;

    private readonly Bench _bench;
    private readonly IReadOnlyList<Port> _ports;
    private readonly IReadOnlyList<RegisterEntry> _registers;
    private readonly FramesInside _inside = new();
    private readonly ReceivedFrame[] _batch = new ReceivedFrame[LiveBacklog];
    private readonly ulong _tickInterval;
    private ulong _now;
    private ulong _nextTick = ulong.MaxValue;
    private long _sent;
    private long _received;

    /// <summary>Connects a circuit to ports.</summary>
    /// <param name="bench">Around a simulator of the circuit, without frames so far; it stays the caller's.</param>
    /// <param name="registers">The circuit's.</param>
    /// <param name="ports">As many as the circuit was compiled for, all live or none; they stay the caller's.</param>
    /// <param name="tickInterval">
    /// The service's: on live ports, the circuit is told the time when a tick is due and no frame comes.
    /// </param>
    /// <exception cref="CommandException">The ports cannot be combined, or are more than a board has.</exception>
    public SimulatedDevice(
        Bench bench, IReadOnlyList<RegisterEntry> registers, IReadOnlyList<Port> ports, ulong tickInterval = 0)
    {
        ArgumentNullException.ThrowIfNull(bench);
        ArgumentNullException.ThrowIfNull(ports);
        if (ports.Count is 0 or > StreamUser.MaxPorts)
            throw CommandException.Usage($"the hardware has 1 to {StreamUser.MaxPorts} ports, not {ports.Count}");
        Port.CheckCombination(ports);
        (_bench, _registers, _ports, _tickInterval) = (bench, registers, ports, tickInterval);
        // A circuit clears its tables before the first frame, and a loop over a frame may be long.
        _bench.StallLimit = StallLimit;
        Traffic = [.. ports.Select(_ => new PortTraffic())];
    }

    /// <summary>The traffic of each port.</summary>
    public IReadOnlyList<PortTraffic> Traffic { get; }

    /// <summary>
    /// Frames that the bus cannot state the length of, and so never went in: empty, or longer than 65,535 bytes.
    /// </summary>
    public Counter NotSent { get; } = new();

    /// <summary>The cycles from the first beat of a frame to the first beat of the next, as they went in.</summary>
    public CycleCounts Intervals => _inside.Intervals;

    /// <summary>
    /// The cycles from the first beat of a frame to that of the first frame that came out because of it.
    /// </summary>
    public CycleCounts Latencies => _inside.Latencies;

    /// <summary>The cycles so far, reset included.</summary>
    public long Cycles => _bench.Simulator.Cycle;

    /// <summary>
    /// Runs until every capture has ended, or, on live ports, until <paramref name="stop"/>;
    /// then until the circuit is empty.
    /// </summary>
    /// <param name="stop">Ends the run before the next frame.</param>
    /// <exception cref="CommandException">A port has failed; what arrived before went through.</exception>
    /// <exception cref="BusException">The circuit breaks a rule of a bus.</exception>
    /// <exception cref="SimulationException">
    /// The circuit has lost or invented a frame, or the simulator failed.
    /// </exception>
    /// <exception cref="TimeoutException">The circuit hangs.</exception>
    public void Run(CancellationToken stop)
    {
        try
        {
            if (_ports[0].IsLive) RunLive(stop);
            else RunCaptures(stop);
        }
        catch (CommandException)
        {
            Drain();
            throw;
        }
        Drain();
    }

    /// <summary>Reads a register through AXI4-Lite; not while it runs.</summary>
    /// <param name="name">The name in the circuit's list.</param>
    public uint Register(string name)
    {
        var address = _registers.First(r => r.Name == name).Address;
        var (response, data) = _bench.Registers.Read(address);
        return response == AxiResponse.Okay ? data : throw new SimulationException(
            $"the read of register {name} at {address:x3} was answered with {response}");
    }

    private void RunCaptures(CancellationToken stop)
    {
        var frames = new MergedCaptures(_ports);
        while (!frames.HasEnded && !stop.IsCancellationRequested)
        {
            while (_bench.Source.Waiting >= Backlog) _bench.Step();
            Emit();
            Arrive(frames.Port, frames.Frame, frames.Frame.Time);
            frames.MoveNext();
        }
    }

    private void RunLive(CancellationToken stop)
    {
        using var poller = new Poller(_ports);
        using var wake = stop.Register(poller.Wake);
        if (_tickInterval != 0) Start();
        while (!stop.IsCancellationRequested)
        {
            TakeArrivals();
            if (HostClock.Now >= _nextTick && _bench.Source.Waiting < LiveBacklog) PassTime();
            if (_bench.IsIdle)
            {
                poller.Wait(Math.Min(_nextTick, _ports.Min(p => p.NextDue)));
                continue;
            }
            for (var i = 0; i < CyclesBetweenLooks && !_bench.IsIdle; i++) _bench.Step();
            Emit();
        }
    }

    private void TakeArrivals()
    {
        for (var i = 0; i < _ports.Count && _bench.Source.Waiting < LiveBacklog; i++)
        {
            var count = _ports[i].Receive(_batch);
            for (var n = 0; n < count; n++) Arrive(i, _batch[n], Math.Max(_batch[n].Time, _now + 1));
            if (count > 0) SendTimeAlone();
        }
    }

    private void Arrive(int port, ReceivedFrame frame, ulong time)
    {
        _now = time;
        Traffic[port].FramesIn.Increment();
        Traffic[port].BytesIn.Add((ulong)frame.Length);
        if (frame.Length is 0 or > ushort.MaxValue)
        {
            NotSent.Increment();
            SendTimeAlone();
            return;
        }
        _bench.Send(frame.Bytes.ToArray(), new PortId(port), time);
        _sent++;
    }

    /// <summary>The first beat begins the run: ticks are due at multiples of their interval after it.</summary>
    private void Start()
    {
        _now = HostClock.Now;
        _nextTick = Later(_now);
        SendTimeAlone();
    }

    /// <summary>Lets the circuit know what time it is, and so run the ticks that are due.</summary>
    private void PassTime()
    {
        _now = Math.Max(_now, HostClock.Now);
        _nextTick = Later(_nextTick + (_now - _nextTick) / _tickInterval * _tickInterval);
        SendTimeAlone();
    }

    private ulong Later(ulong time) => time > ulong.MaxValue - _tickInterval ? ulong.MaxValue : time + _tickInterval;

    /// <summary>
    /// A null beat: one that works on a frame at a time takes it only when it is done with the frame before,
    /// however long that takes.
    /// </summary>
    private void SendTimeAlone() => _bench.Send(ReadOnlyMemory<byte>.Empty, PortId.None, _now);

    /// <summary>
    /// Runs until the circuit is empty. Behind a frame in a slow path a pipeline takes a null beat at once, and no
    /// further one while frames wait for the state that the slow path uses; where they do not wait, the counters tell.
    /// </summary>
    private void Drain()
    {
        for (var i = 0; i < 2; i++)
        {
            SendTimeAlone();
            Settle();
        }
        for (var end = Cycles + StallLimit; HasFrames() && Cycles < end;) Settle();
        var (framesIn, framesOut) = (Register("frames_in"), Register("frames_out"));
        if (framesIn != (uint)_sent || framesOut != (uint)_received)
            throw new SimulationException(
                $"the circuit counted {framesIn} frames in and {framesOut} out, "
                + $"but {_sent} went in and {_received} came out");
    }

    private void Settle()
    {
        _bench.RunUntilIdle(long.MaxValue);
        Emit();
    }

    /// <summary>True if frames are on their way; false, too, if as many copies have left instead.</summary>
    private bool HasFrames() => (int)(Register("frames_in") - Register("frames_out") - Register("drops")) > 0;

    private void Emit()
    {
        _inside.Add(_bench.Source.Sent);
        foreach (var frame in _bench.Received)
        {
            _inside.Left(frame);
            _received++;
            for (var i = 0; i < _ports.Count; i++)
            {
                if (!frame.Destinations.Contains(new PortId(i))) continue;
                _ports[i].Send(frame.Bytes.Span, frame.Time);
                Traffic[i].FramesOut.Increment();
                Traffic[i].BytesOut.Add((ulong)frame.Bytes.Length);
            }
        }
        if (_bench.Received.Count > 0) foreach (var port in _ports) port.Flush();
        _bench.Forget();
    }
}
