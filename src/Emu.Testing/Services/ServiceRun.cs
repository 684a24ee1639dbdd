namespace Emu.Testing;

/// <summary>A run of one service on ports that exist only here: frames go in one by one, and each call returns what left.</summary>
public sealed class ServiceRun : IFrameOutput
{
    private const int EthernetHeader = 14;

    private readonly Service _service;
    private readonly PortSet _ports;
    private readonly byte[] _memory;
    private readonly List<SentFrame> _sent = [];
    private ulong _now;
    private ulong _nextTick;

    /// <summary>Begins a run.</summary>
    /// <param name="service">Used by this run alone: its state is the run's.</param>
    /// <param name="ports">How many ports the device has, 1 to 64.</param>
    /// <param name="mtu">The most bytes behind the Ethernet header.</param>
    /// <param name="start">When the run begins, in nanoseconds; ticks are due at multiples of the service's interval after it.</param>
    public ServiceRun(Service service, int ports = 4, int mtu = 1500, ulong start = 0)
    {
        _service = service;
        _ports = PortSet.First(ports);
        _memory = new byte[EthernetHeader + mtu];
        _now = start;
        _nextTick = start + service.TickInterval;
    }

    /// <summary>Events that ended in a fault (<see cref="Service"/>): their frame was dropped, what they had sent before stands.</summary>
    public Counter Faults { get; } = new();

    /// <summary>Frames that the service did not see: shorter than 14 bytes, or longer than the MTU and 14.</summary>
    public Counter LengthDrops { get; } = new();

    /// <summary>Runs the ticks that are due, then hands the service one frame.</summary>
    /// <param name="port">Where it arrives, from 0.</param>
    /// <param name="frame">Without FCS.</param>
    /// <param name="time">When it arrives, in nanoseconds; at the time of the event before when left out.</param>
    /// <returns>All that left, in order, that of the ticks included.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The device has no such port, or the time is before that of the event before.</exception>
    public IReadOnlyList<SentFrame> Receive(int port, ReadOnlySpan<byte> frame, ulong? time = null)
    {
        var ingress = new PortId(checked((byte)port));
        if (!_ports.Contains(ingress)) throw new ArgumentOutOfRangeException(nameof(port), port, $"the device has the ports {_ports}");
        RunTicks(time ?? _now);

        if (frame.Length < EthernetHeader || frame.Length > _memory.Length) LengthDrops.Increment();
        else
        {
            frame.CopyTo(_memory);
            Handle(new Frame(_memory, frame.Length, ingress, _ports, _now, this), isTick: false);
        }
        return TakeSent();
    }

    /// <summary>Lets time pass without a frame, and runs the ticks that are due until then and at that very time.</summary>
    /// <param name="time">In nanoseconds.</param>
    /// <returns>All that left, in order.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The time is before that of the event before.</exception>
    public IReadOnlyList<SentFrame> AdvanceTo(ulong time)
    {
        RunTicks(time);
        return TakeSent();
    }

    void IFrameOutput.Send(ReadOnlySpan<byte> bytes, PortSet ports, ulong time)
    {
        if (!ports.IsEmpty) _sent.Add(new SentFrame(ports, bytes.ToArray(), time));
    }

    private void RunTicks(ulong time)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(time, _now);
        while (_service.TickInterval != 0 && _nextTick <= time)
        {
            Handle(new Frame(_memory, 0, PortId.None, _ports, _nextTick, this), isTick: true);
            _nextTick += _service.TickInterval;
        }
        _now = time;
    }

    private void Handle(Frame frame, bool isTick)
    {
        try
        {
            if (isTick) _service.Tick(ref frame);
            else _service.Process(ref frame);
        }
        catch (Exception e) when (e is IndexOutOfRangeException or ArgumentOutOfRangeException or NullReferenceException or ArithmeticException)
        {
            Faults.Increment();
            return;
        }
        ((IFrameOutput)this).Send(frame.Bytes, frame.Egress, frame.Time);
    }

    private List<SentFrame> TakeSent()
    {
        List<SentFrame> sent = [.. _sent];
        _sent.Clear();
        return sent;
    }
}
