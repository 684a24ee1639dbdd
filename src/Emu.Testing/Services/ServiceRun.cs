using Emu.Hosting;

namespace Emu.Testing;

/// <summary>
/// A run of one service on ports that exist only here: frames go in one by one, and each call returns what left.
/// </summary>
public sealed class ServiceRun : IFrameOutput
{
    private readonly int _ports;
    private readonly byte[] _memory;
    private readonly List<SentFrame> _sent = [];

    /// <summary>Begins a run.</summary>
    /// <param name="service">Used by this run alone: its state is the run's.</param>
    /// <param name="ports">The number of ports of the device, 1 to 64.</param>
    /// <param name="mtu">The most bytes behind the Ethernet header.</param>
    /// <param name="start">The time at which the run begins, in nanoseconds;
    /// ticks are due at multiples of the service's interval after it.</param>
    public ServiceRun(Service service, int ports = 4, int mtu = FrameLength.DefaultMtu, ulong start = 0)
    {
        _ports = ports;
        Sequence = new EventSequence(service, ports, this, mtu);
        Sequence.Start(start);
        _memory = new byte[Math.Max(Sequence.MaxFrameLength, CaptureReader.MaxPacketLength)];
    }

    /// <summary>The events so far: what was received, sent, dropped, and which faults there were.</summary>
    public EventSequence Sequence { get; }

    /// <summary>Runs the ticks that are due, then hands the service one frame.</summary>
    /// <param name="port">The port at which it arrives, from 0.</param>
    /// <param name="frame">Without FCS.</param>
    /// <param name="time">The time of its arrival, in nanoseconds;
    /// at the time of the event before when left out or earlier.</param>
    /// <returns>All that left, in order, that of the ticks included.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The device has no such port.</exception>
    /// <exception cref="RunOverException">
    /// The event waits for a further frame (<see cref="Service.WaitForFrame"/>), which here comes by another call.
    /// </exception>
    public IReadOnlyList<SentFrame> Receive(int port, ReadOnlySpan<byte> frame, ulong? time = null)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(port);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(port, _ports);
        frame.CopyTo(_memory);
        Sequence.Receive(new PortId(port), _memory, frame.Length, time ?? Sequence.Now);
        return TakeSent();
    }

    /// <summary>
    /// Lets time pass without a frame, and runs the ticks that are due until then and at that very time.
    /// </summary>
    /// <param name="time">In nanoseconds.</param>
    /// <returns>All that left, in order.</returns>
    public IReadOnlyList<SentFrame> AdvanceTo(ulong time)
    {
        Sequence.AdvanceTo(time);
        return TakeSent();
    }

    void IFrameOutput.Send(ReadOnlySpan<byte> bytes, PortSet ports, ulong time) =>
        _sent.Add(new SentFrame(ports, bytes.ToArray(), time));

    private List<SentFrame> TakeSent()
    {
        List<SentFrame> sent = [.. _sent];
        _sent.Clear();
        return sent;
    }
}
