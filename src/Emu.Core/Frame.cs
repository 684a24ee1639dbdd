namespace Emu;

/// <summary>
/// One event as a service sees it: the frame received, in memory with room to grow to the MTU, and the verdict on it. A
/// tick is an event with an empty frame. Lengths are without FCS.
/// </summary>
public ref struct Frame
{
    /// <summary>The nanoseconds in a second.</summary>
    private const ulong NanosecondsPerSecond = 1_000_000_000;

    private readonly Span<byte> _memory;
    private readonly PortSet _ingress;

    /// <summary>Wraps a frame that was received; hosts call this, services do not.</summary>
    /// <param name="memory">The frame's bytes, and behind them the room into which it may grow.</param>
    /// <param name="length">The bytes of the frame; 0 for a tick.</param>
    /// <param name="ingress">The port at which it was received; <see cref="PortId.None"/> for a tick.</param>
    /// <param name="ports">All ports of the device.</param>
    /// <param name="time">The time of its arrival, in nanoseconds; never less than for the event before.</param>
    /// <param name="host">The host of the event, which emits copies and gives further frames.</param>
    public Frame(Span<byte> memory, int length, PortId ingress, PortSet ports, ulong time, IEventHost host)
    {
        _memory = memory;
        _ingress = PortSet.Of(ingress);
        Host = host;
        Bytes = memory[..length];
        Ingress = ingress;
        Ports = ports;
        Time = time;
    }

    /// <summary>The host of the event.</summary>
    internal IEventHost Host { get; }

    /// <summary>The frame's bytes, from the destination address to the last byte before the FCS.</summary>
    public Span<byte> Bytes { get; private set; }

    /// <summary>
    /// The number of bytes; at least 14 for a frame received, 0 for a tick until <see cref="Resize"/>.
    /// </summary>
    public readonly int Length => Bytes.Length;

    /// <summary>The port that it was received on; <see cref="PortId.None"/> for a tick.</summary>
    public PortId Ingress { get; }

    /// <summary>All ports of the device.</summary>
    public PortSet Ports { get; }

    /// <summary>
    /// The time of the event, in nanoseconds; never less than for the event before. On Linux, since 1970.
    /// </summary>
    public ulong Time { get; }

    /// <summary><see cref="Time"/> in whole seconds, rounded down.</summary>
    public readonly ulong Seconds => Time / NanosecondsPerSecond;

    /// <summary>
    /// The verdict: where the frame leaves when the service returns. Empty, and so dropped,
    /// unless the service says otherwise.
    /// </summary>
    public PortSet Egress { get; private set; }

    /// <summary>Verdict: the frame does not leave.</summary>
    public void Drop() => Egress = PortSet.None;

    /// <summary>
    /// Verdict: the frame leaves by <paramref name="ports"/>, but never by the port it came from,
    /// nor by ports that the device lacks.
    /// </summary>
    public void ForwardTo(PortSet ports) => Egress = (ports & Ports) - _ingress;

    /// <inheritdoc cref="ForwardTo(PortSet)"/>
    public void ForwardTo(PortId port) => ForwardTo(PortSet.Of(port));

    /// <summary>Verdict: the frame leaves by every port but the one it came from.</summary>
    public void Flood() => Egress = Ports - _ingress;

    /// <summary>Verdict: the frame leaves by the port it came from.</summary>
    public void Reply() => Egress = _ingress;

    /// <summary>
    /// Emits a copy of the frame as it is now, before anything that is emitted later; no verdict,
    /// and not undone by a later fault.
    /// </summary>
    /// <param name="ports">The ports by which the copy leaves, the ingress port too if it is a member;
    /// ports that the device lacks are passed over.</param>
    public readonly void Send(PortSet ports) => Send(ports, Length);

    /// <inheritdoc cref="Send(PortSet)"/>
    /// <param name="ports">The ports by which the copy leaves, the ingress port too if it is a member;
    /// ports that the device lacks are passed over.</param>
    /// <param name="length">The number of bytes of the copy, from the frame's first on.</param>
    /// <exception cref="ArgumentOutOfRangeException">The frame has fewer bytes; nothing is emitted.</exception>
    public readonly void Send(PortSet ports, int length) => Host.Send(Bytes[..length], ports & Ports, Time);

    /// <summary>
    /// In an interrupt: keeps the frame as it is now until the event that is interrupted is over. It is then handled as
    /// if it arrived, before any that arrives later, and at the time at which it did arrive.
    /// </summary>
    /// <param name="capacity">The most frames that may be kept, a constant, 1 or more.</param>
    /// <returns>False if so many are kept already, the frame is empty, or outside an interrupt.</returns>
    public readonly bool TryHold(int capacity) => Host.TryHold(Bytes, Ingress, Time, capacity);

    /// <summary>
    /// Makes the frame longer, by bytes of 0 at its end, or shorter, by its last bytes.
    /// Views made before must not be used after.
    /// </summary>
    /// <param name="length">The new number of bytes, from 0 to the MTU and 14 more.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no room for so many; the frame is as it was.</exception>
    public void Resize(int length)
    {
        var old = Length;
        Bytes = _memory[..length];
        ClearGrowth(old, Bytes);
    }

    /// <summary>
    /// Puts bytes of 0 into the frame, such as room for a tag; what lies behind moves back. Views made before must not
    /// be used after.
    /// </summary>
    /// <param name="offset">The offset of the first new byte, from 0 to <see cref="Length"/>.</param>
    /// <param name="count">The number of new bytes, 0 or more.</param>
    /// <exception cref="ArgumentOutOfRangeException">
    /// There is no such place, or no room for so many; the frame is as it was.
    /// </exception>
    public void Insert(int offset, int count)
    {
        var behind = Bytes[offset..];
        var room = _memory.Slice(offset, count);
        Resize(Length + count);
        behind.CopyTo(Bytes[(offset + count)..]);
        room.Clear();
    }

    /// <summary>
    /// Takes bytes out of the frame, such as a tag; what lies behind moves to the front. Views made before must not be
    /// used after.
    /// </summary>
    /// <param name="offset">The offset of the first byte that goes, from 0.</param>
    /// <param name="count">The number of bytes that go, 0 or more.</param>
    /// <exception cref="ArgumentOutOfRangeException">The frame has no such bytes; it is as it was.</exception>
    public void Remove(int offset, int count)
    {
        var gone = Bytes.Slice(offset, count);
        Bytes[(offset + count)..].CopyTo(Bytes[offset..]);
        Resize(Length - gone.Length);
    }

    [Intrinsic(IntrinsicOperation.ClearGrowth)]
    private static void ClearGrowth(int old, Span<byte> bytes)
    {
        if (bytes.Length > old) bytes[old..].Clear();
    }
}
