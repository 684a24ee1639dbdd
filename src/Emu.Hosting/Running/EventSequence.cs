using System.Buffers.Binary;

namespace Emu.Hosting;

/// <summary>
/// Runs a service: one event after the other, ticks in their place between the frames. Every host of a service, live,
/// on a capture or in a test, goes through this class, so that they all do the same.
/// </summary>
public sealed class EventSequence : IEventHost
{
    private readonly Service _service;
    private readonly IFrameOutput _output;
    private readonly PortSet _ports;
    private readonly int _mtu;
    private readonly byte[] _tickMemory;
    private readonly IArrivals? _arrivals;
    private readonly byte[]? _nextMemory;
    private readonly Queue<(PortId Ingress, byte[] Memory, int Length, ulong Time)> _held = new();
    private readonly Counter[] _faults = [.. Enum.GetValues<FaultKind>().Select(_ => new Counter())];
    private ulong _nextTick = ulong.MaxValue;
    private bool _isInterrupted, _isHeld;

    /// <summary>The frame whose turn it is when the ticks that are due are over; null if there is none.</summary>
    private (PortId Ingress, int Length, ulong Time)? _next;

    /// <summary>Puts a service at the start of its sequence.</summary>
    /// <param name="service">Constructed, and not run before.</param>
    /// <param name="ports">The number of ports of the device, 1 to 64.</param>
    /// <param name="output">The output for its frames.</param>
    /// <param name="mtu">The most bytes behind an Ethernet header, 68 to 9000; one VLAN tag comes on top.</param>
    /// <param name="arrivals">
    /// The frames for events that wait for one; null where frames are given one by one, and no event may wait.
    /// </param>
    public EventSequence(
        Service service, int ports, IFrameOutput output, int mtu = FrameLength.DefaultMtu, IArrivals? arrivals = null)
    {
        ArgumentNullException.ThrowIfNull(service);
        ArgumentOutOfRangeException.ThrowIfLessThan(ports, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(ports, PortSet.MaxPorts);
        ArgumentOutOfRangeException.ThrowIfLessThan(mtu, FrameLength.MinMtu);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(mtu, FrameLength.MaxMtu);

        _service = service;
        service.Host = this;
        _output = output;
        _ports = PortSet.First(ports);
        _mtu = mtu;
        _tickMemory = new byte[MaxFrameLength];
        _arrivals = arrivals;
        if (arrivals is not null && HasInterrupts(service)) _nextMemory = new byte[MaxFrameLength];
    }

    /// <summary>The bytes that a frame may grow to: an Ethernet header, one VLAN tag and the MTU.</summary>
    public int MaxFrameLength => FrameLength.Of(_mtu);

    /// <summary>The time of the last event, in nanoseconds.</summary>
    public ulong Now { get; private set; }

    /// <summary>The time of the next tick, in nanoseconds; the maximum for never.</summary>
    public ulong NextTick => _nextTick;

    /// <summary>Frames received.</summary>
    public Counter FramesIn { get; } = new();

    /// <summary>Frames that left, each counted once however many ports it left by.</summary>
    public Counter FramesOut { get; } = new();

    /// <summary>Frames received that did not leave by their verdict, for whatever reason.</summary>
    public Counter Drops { get; } = new();

    /// <summary>Events that ended in a fault of this kind.</summary>
    public Counter Faults(FaultKind kind) => _faults[(int)kind];

    /// <summary>Sets the time from which ticks are counted; before any event.</summary>
    /// <param name="time">The time in nanoseconds.</param>
    public void Start(ulong time)
    {
        Now = time;
        if (_service.TickInterval != 0) _nextTick = Later(time);
    }

    /// <summary>Runs the ticks that are due at or before <paramref name="time"/>.</summary>
    public void AdvanceTo(ulong time)
    {
        var hadNext = _next is not null;
        while (_nextTick <= time && _nextTick != ulong.MaxValue && hadNext == (_next is not null))
        {
            Now = _nextTick;
            _nextTick = Later(_nextTick);
            Run(_tickMemory, 0, PortId.None, Now);
        }
    }

    /// <summary>Handles one received frame; the ticks that are due come first.</summary>
    /// <param name="ingress">The port at which it arrived.</param>
    /// <param name="memory">
    /// The frame, and behind it <see cref="MaxFrameLength"/> bytes of memory in all; the service writes there.
    /// </param>
    /// <param name="length">The bytes of the frame; shorter than 14 or longer than the MTU allows is dropped.</param>
    /// <param name="time">The time of its arrival, in nanoseconds; taken as <see cref="Now"/> if that is later.</param>
    /// <exception cref="RunOverException">An event waits for a frame, and none will come.</exception>
    public void Receive(PortId ingress, Span<byte> memory, int length, ulong time)
    {
        FramesIn.Increment();
        if (_nextMemory is null)
        {
            AdvanceTo(time);
            Handle(ingress, memory, length, time);
            return;
        }
        // The port's memory is only good until its next frame.
        memory[..Math.Min(length, MaxFrameLength)].CopyTo(_nextMemory);
        _next = (ingress, length, time);
        AdvanceTo(time);
        if (_next is not null) Handle(ingress, _nextMemory, length, time);
        while (_held.TryPeek(out var held))
        {
            AdvanceTo(held.Time);
            _held.Dequeue();
            Handle(held.Ingress, held.Memory, held.Length, held.Time);
        }
    }

    /// <inheritdoc/>
    public void Send(ReadOnlySpan<byte> bytes, PortSet ports, ulong time)
    {
        if (!ports.IsEmpty && !bytes.IsEmpty) Emit(bytes, ports, time);
    }

    /// <inheritdoc/>
    public void WaitForFrame()
    {
        if (_isInterrupted) return;
        if (_arrivals is null)
            throw new RunOverException("an event waits for a frame, and this run is given frames one by one");
        if (_next is { } next)
        {
            // A tick waits, which was due before this frame.
            _next = null;
            if (TryInterrupt(next.Ingress, _nextMemory, next.Length, next.Time)) return;
        }
        while (_arrivals.TryTake(out var ingress, out var frame))
        {
            FramesIn.Increment();
            if (TryInterrupt(ingress, frame.Memory, frame.Length, frame.Time)) return;
        }
        throw new RunOverException("an event waits for a frame, and the run is over");
    }

    /// <inheritdoc/>
    public bool TryHold(ReadOnlySpan<byte> bytes, PortId ingress, ulong time, int capacity)
    {
        if (!_isInterrupted || bytes.IsEmpty || _held.Count >= capacity) return false;
        var memory = new byte[MaxFrameLength];
        bytes.CopyTo(memory);
        _held.Enqueue((ingress, memory, bytes.Length, time));
        return _isHeld = true;
    }

    /// <summary>True if events of a service may wait for frames.</summary>
    private static bool HasInterrupts(Service service) =>
        service.GetType().GetMethod(nameof(Service.Interrupt), [typeof(Frame).MakeByRefType()])!
            .DeclaringType != typeof(Service);

    /// <returns>False for a frame that is no event.</returns>
    private bool TryInterrupt(PortId ingress, Span<byte> memory, int length, ulong time)
    {
        (_isInterrupted, _isHeld) = (true, false);
        var isEvent = IsEvent(memory, length);
        var hasLeft = isEvent && Run(memory[..MaxFrameLength], length, ingress, Math.Max(Now, time));
        if (!hasLeft && !_isHeld) Drops.Increment();
        _isInterrupted = false;
        return isEvent;
    }

    private void Handle(PortId ingress, Span<byte> memory, int length, ulong time)
    {
        _next = null;
        Now = Math.Max(Now, time);
        if (!IsEvent(memory, length) || !Run(memory[..MaxFrameLength], length, ingress, Now)) Drops.Increment();
    }

    private bool IsEvent(ReadOnlySpan<byte> memory, int length) =>
        FrameLength.IsEvent(length, IsTagged(memory), _mtu);

    private void Emit(ReadOnlySpan<byte> bytes, PortSet ports, ulong time)
    {
        FramesOut.Increment();
        _output.Send(bytes, ports, time);
    }

    /// <returns>True if the frame left by its verdict.</returns>
    private bool Run(Span<byte> memory, int length, PortId ingress, ulong time)
    {
        var frame = new Frame(memory, length, ingress, _ports, time, this);
        try
        {
            if (_isInterrupted) _service.Interrupt(ref frame);
            else if (ingress == PortId.None) _service.Tick(ref frame);
            else _service.Process(ref frame);
        }
        catch (Exception exception) when (exception is not RunOverException)
        {
            _faults[(int)KindOf(exception)].Increment();
            return false;
        }
        if (frame.Egress.IsEmpty || frame.Length == 0) return false;
        Emit(frame.Bytes, frame.Egress, time);
        return true;
    }

    private static bool IsTagged(ReadOnlySpan<byte> frame) =>
        BinaryPrimitives.ReadUInt16BigEndian(frame[VlanTag.TypeOffset..]) is VlanTag.Customer or VlanTag.Service;

    private ulong Later(ulong time) =>
        time > ulong.MaxValue - _service.TickInterval ? ulong.MaxValue : time + _service.TickInterval;

    private static FaultKind KindOf(Exception exception) => exception switch
    {
        NullReferenceException or ArgumentNullException => FaultKind.NullReference,
        // A copy to a span that is too short is an ArgumentException.
        IndexOutOfRangeException or ArgumentException => FaultKind.IndexOutOfRange,
        OverflowException => FaultKind.Overflow,
        DivideByZeroException => FaultKind.DivideByZero,
        _ => FaultKind.Exception,
    };
}
