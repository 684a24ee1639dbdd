namespace Emu;

/// <summary>
/// A network service. A run is a sequence of events, each handled alone and to its end: a frame received, a tick, a
/// call from outside (<see cref="ControlAttribute"/>). Every target computes what this sequence computes.
/// </summary>
/// <remarks>
/// An index out of range, a null, an overflow in <c>checked</c> or a division by zero drops the frame and is counted;
/// what was written or sent before stands, and the next event is handled as usual.
/// </remarks>
public abstract class Service
{
    /// <summary>
    /// Nanoseconds between calls of <see cref="Tick"/>; 0, the default, for none. Constant after construction.
    /// </summary>
    public virtual ulong TickInterval => 0;

    /// <summary>
    /// Handles one received frame and gives the verdict on it. The default verdict is drop; the last one wins.
    /// </summary>
    /// <param name="frame">The frame, 14 bytes or more.</param>
    public abstract void Process(ref Frame frame);

    /// <summary>
    /// Handles a tick. Ticks are due at every multiple of <see cref="TickInterval"/> after the start of the run; one
    /// that is due at <i>t</i> runs before the first frame that arrives at or after <i>t</i>,
    /// and sees <i>t</i> as its time.
    /// </summary>
    /// <param name="frame">An empty frame, without ingress, that the service may fill and send.</param>
    public virtual void Tick(ref Frame frame)
    {
    }

    /// <summary>Places in a service that a debugger can name, where direction is woven in.</summary>
    /// <remarks>
    /// It is a part of this class, and so is there in every service, beside the namespace of the same name.
    /// </remarks>
    protected static class Direction
    {
        /// <summary>
        /// Gives this place a name, as in <c>break miss</c> and <c>count calls miss</c>. Costs nothing where direction
        /// is not woven in: neither time on .NET nor anything in a circuit.
        /// </summary>
        /// <param name="label">The name, a literal of letters, digits, <c>_</c> and <c>-</c>.</param>
        /// <example><code>
        /// Direction.Point("miss");
        /// frame.Flood();
        /// </code></example>
        public static void Point(string label)
        {
        }
    }

    /// <summary>The host of the run; null until there is one.</summary>
    internal IEventHost? Host { get; set; }

    /// <summary>
    /// Handles a frame that arrives while an event waits for one (<see cref="WaitForFrame"/>): an event inside that
    /// one, with a verdict of its own. It can keep the frame for later: <see cref="Frame.TryHold"/>.
    /// </summary>
    /// <param name="frame">The frame that arrived, 14 bytes or more.</param>
    public virtual void Interrupt(ref Frame frame)
    {
    }

    /// <summary>
    /// Waits, inside the event that is under way, for the next frame that arrives, which <see cref="Interrupt"/>
    /// handles before this event goes on. Ticks wait until the event is over. Does nothing in an interrupt.
    /// </summary>
    /// <exception cref="InvalidOperationException">No run is under way, or frames are given one by one.</exception>
    protected internal void WaitForFrame() =>
        (Host ?? throw new InvalidOperationException("no event is under way that could wait")).WaitForFrame();
}
