namespace Emu.Simulation;

/// <summary>
/// Sends frames through a simulated design with the ports of the NetFPGA reference pipeline, and checks both of its
/// streams, and its registers if it has any, in every cycle. Runs are repeatable: all that is random has a seed.
/// </summary>
/// <remarks>
/// A cycle: the outputs of the last edge decide nothing but what the bus lets them, inputs are driven, rules are
/// checked, the edge is taken.
/// </remarks>
public sealed class Bench : IDisposable
{
    private readonly StreamSignals _in;
    private readonly StreamSignals _out;
    private readonly AxiLiteMaster? _registers;
    private readonly AxiLiteChecker? _registerChecker;
    private long _inputWaits;
    private long _outputWaits;
    private long _quiet;

    /// <summary>Connects a simulator, and takes it out of reset if it is in one.</summary>
    /// <param name="simulator">
    /// Any simulator at power-up, or one without a frame in it; it is disposed of with the bench.
    /// </param>
    /// <param name="source">The cycles in which the source holds a beat back; null for none.</param>
    /// <param name="sink">The cycles in which the sink is not ready and the channels of the registers hold back;
    /// null for none.</param>
    /// <param name="seed">The seed of all junk.</param>
    /// <exception cref="ArgumentException">The design lacks a port, or one has another width.</exception>
    public Bench(Simulator simulator, StallPattern? source = null, StallPattern? sink = null, ulong seed = 1)
    {
        ArgumentNullException.ThrowIfNull(simulator);
        Simulator = simulator;
        (_in, _out) = (StreamSignals.Into(simulator), StreamSignals.OutOf(simulator));
        Source = new StreamSource(_in, source ?? StallPattern.None, seed);
        Sink = new StreamSink(_out, sink ?? StallPattern.None);
        (InputChecker, OutputChecker) = (new StreamChecker(_in), new StreamChecker(_out));
        if (simulator.Design.Inputs.Any(p => p.Name == "s_axi_awvalid"))
        {
            _registers = new AxiLiteMaster(simulator, Step, sink ?? StallPattern.None, seed + 1);
            _registerChecker = new AxiLiteChecker(simulator);
        }
        if (simulator.IsInReset) Reset(4);
    }

    /// <summary>The simulator that is stepped.</summary>
    public Simulator Simulator { get; }

    /// <summary>The source that drives frames into it.</summary>
    public StreamSource Source { get; }

    /// <summary>The sink that collects the frames that come out.</summary>
    public StreamSink Sink { get; }

    /// <summary>The rules of <c>s_axis</c>: what the bench itself must keep.</summary>
    public StreamChecker InputChecker { get; }

    /// <summary>The rules of <c>m_axis</c>.</summary>
    public StreamChecker OutputChecker { get; }

    /// <summary>Reads and writes registers; frames go on meanwhile.</summary>
    /// <exception cref="InvalidOperationException">The design has no ports <c>s_axi_*</c>.</exception>
    public AxiLiteMaster Registers =>
        _registers ?? throw new InvalidOperationException("the design has no ports s_axi_*");

    /// <summary>
    /// For how many cycles a beat may wait, on either side, or a frame that came out not go on, before a run fails.
    /// </summary>
    public long StallLimit { get; set; } = 10_000;

    /// <summary>
    /// For how many cycles after the last frame nothing must come out before the design counts as idle.
    /// </summary>
    public long QuietCycles { get; set; } = 500;

    /// <summary>True if every frame is sent and nothing has come out for <see cref="QuietCycles"/>.</summary>
    public bool IsIdle => Source.IsIdle && _quiet >= QuietCycles;

    /// <summary>The frames that came out since the start, or since <see cref="Forget"/>, in order.</summary>
    public IReadOnlyList<SinkFrame> Received => Sink.Frames;

    /// <summary>
    /// Holds reset, at any time: what the source had begun, and what the sink had not whole, is lost;
    /// waiting frames remain.
    /// </summary>
    /// <param name="cycles">For how many edges; at least 1.</param>
    public void Reset(int cycles)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(cycles);
        Simulator.IsInReset = true;
        for (var i = 0; i < cycles; i++) Step();
        Simulator.IsInReset = false;
    }

    /// <summary>Appends a frame to those that are to be sent.</summary>
    /// <param name="bytes">The frame; empty for a null beat, which carries time alone.</param>
    /// <param name="ingress">The MAC port, 0 to 3, or <see cref="PortId.None"/>.</param>
    /// <param name="time">The time of its arrival, in nanoseconds;
    /// different times tell frames apart when latencies are measured.</param>
    /// <param name="statedLength">The length that <c>tuser</c> states, if that is not true;
    /// needs <see cref="StreamChecker.ChecksLength"/> off.</param>
    public SourceFrame Send(ReadOnlyMemory<byte> bytes, PortId ingress, ulong time, int? statedLength = null)
    {
        var frame = new SourceFrame(bytes, ingress, time, statedLength ?? bytes.Length);
        Source.Enqueue(frame);
        return frame;
    }

    /// <summary>Runs one cycle.</summary>
    /// <exception cref="BusException">A rule of a bus is broken.</exception>
    /// <exception cref="TimeoutException">
    /// Nothing has moved for <see cref="StallLimit"/> cycles, though something should.
    /// </exception>
    public void Step()
    {
        var (cycle, isInReset) = (Simulator.Cycle, Simulator.IsInReset);
        Source.Drive(cycle, isInReset);
        Sink.Drive(cycle);
        _registers?.Drive(cycle, isInReset);

        InputChecker.Observe(cycle, isInReset);
        OutputChecker.Observe(cycle, isInReset);
        _registerChecker?.Observe(cycle, isInReset);

        Source.Observe(cycle);
        Sink.Observe(cycle, isInReset);
        _registers?.Observe();
        CheckProgress(isInReset);
        Simulator.Step();
    }

    /// <summary>A number of cycles.</summary>
    /// <inheritdoc cref="Step" path="/exception"/>
    public void Run(long cycles)
    {
        for (var i = 0L; i < cycles; i++) Step();
    }

    /// <summary>Runs until every frame is sent and nothing has come out for <see cref="QuietCycles"/>.</summary>
    /// <param name="limit">The most cycles that this may take.</param>
    /// <exception cref="BusException">A rule of a bus is broken.</exception>
    /// <exception cref="TimeoutException">
    /// It took more, or nothing has moved for <see cref="StallLimit"/> cycles, though something should.
    /// </exception>
    public void RunUntilIdle(long limit = 1_000_000)
    {
        _quiet = 0;
        for (var i = 0L; !IsIdle; i++)
        {
            if (i >= limit)
                throw Hangs(
                    $"not idle after {limit} cycles: {Source.Sent.Count} frames went in, {Sink.Frames.Count} came out");
            Step();
        }
    }

    /// <summary>
    /// Forgets the frames that were sent and those that came out: in a run without end they would fill the memory.
    /// </summary>
    public void Forget()
    {
        Source.ForgetSent();
        Sink.ForgetFrames();
    }

    /// <summary>
    /// Each frame that came out, the first of its event, with the frame in that caused it: the one of the same time and
    /// source. Frames in that have both alike are taken to leave one by one.
    /// </summary>
    public IReadOnlyList<FrameLatency> Latencies()
    {
        var latencies = new List<FrameLatency>();
        var cause = -1;
        foreach (var frame in Sink.Frames)
        {
            bool IsBefore(int i) => i < Source.Sent.Count && Source.Sent[i].FirstBeat < frame.Visible;
            bool Causes(int i) =>
                Source.Sent[i].Time == frame.Time && StreamUser.Bit(Source.Sent[i].Ingress) == frame.User.Source;

            var next = cause + 1;
            while (IsBefore(next) && !Causes(next)) next++;
            if (!IsBefore(next)) continue; // not the first of its event
            cause = next;
            latencies.Add(
                new FrameLatency(Source.Sent[cause], frame, frame.Visible - Source.Sent[cause].FirstBeat!.Value));
        }
        return latencies;
    }

    /// <summary>The edges between the first beats of one accepted frame and the next.</summary>
    public IReadOnlyList<long> IntervalsIn() => Differences(Source.Sent.Select(f => f.FirstBeat!.Value));

    /// <summary>The edges between the first beats of one frame that came out and the next.</summary>
    public IReadOnlyList<long> IntervalsOut() => Differences(Sink.Frames.Select(f => f.FirstBeat));

    /// <inheritdoc/>
    public void Dispose() => Simulator.Dispose();

    private static List<long> Differences(IEnumerable<long> edges) => [.. edges.Zip(edges.Skip(1), (a, b) => b - a)];

    private void CheckProgress(bool isInReset)
    {
        _quiet = Sink.IsInFrame || _in.IsValid ? 0 : _quiet + 1;
        _inputWaits = !isInReset && _in.IsValid && !_in.IsTransfer ? _inputWaits + 1 : 0;
        _outputWaits = !isInReset && Sink.IsInFrame && !_out.IsTransfer ? _outputWaits + 1 : 0;
        // The sink first: when it holds back for long, so does everything before it.
        var low = _out.IsValid ? "ready" : "valid";
        if (_outputWaits > StallLimit)
            throw Hangs($"m_axis_t{low} has been low for {StallLimit} cycles in the middle of a frame");
        if (_inputWaits > StallLimit)
            throw Hangs($"s_axis_tready has been low for {StallLimit} cycles while a beat waits");
    }

    private TimeoutException Hangs(string what) =>
        new(
            $"{what}; cycle {Simulator.Cycle}: s_axis_tvalid {_in.Valid[0]} tready {_in.Ready[0]}, "
            + $"m_axis_tvalid {_out.Valid[0]} tready {_out.Ready[0]}");
}
