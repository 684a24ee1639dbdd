namespace Emu.Hosting;

/// <summary>
/// Makes a port's link a bad one: frames received are lost, doubled, reordered, corrupted and delayed, as if on the
/// wire before they arrived. Frames sent are left alone; the port at the other end of the link may impair those.
/// </summary>
/// <remarks>
/// <para>Draws <i>n</i> = 0, 1, … of f(seed, <i>i</i>, <i>n</i>) decide what befalls frame <i>i</i>, so that it does
/// not depend on batches, nor on what other frames met with. The frames that come out of a capture are a function of
/// those that went in and the seed.</para>
/// <para>A frame arrives at its time plus its delay, and frames come out in the order of arrival. A reordered frame
/// waits until the next one that is not lost, and arrives right behind it: at the end of a capture, or after
/// <see cref="LongestWait"/> of silence at a live port, by itself.</para>
/// </remarks>
public sealed class ImpairedPort : PortDecorator
{
    /// <summary>
    /// The longest that a live port holds a reordered frame when none follows, in nanoseconds: 100 ms.
    /// </summary>
    public const ulong LongestWait = 100_000_000;

    private const int IncomingBatch = 32;

    // The draws of one frame.
    private const ulong LossDraw = 0;
    private const ulong DuplicateDraw = 1;
    private const ulong CorruptDraw = 2;
    private const ulong BitDraw = 3;
    private const ulong JitterDraw = 4;
    private const ulong ReorderDraw = 5;

    private readonly Impairments _impairments;
    private readonly HeldFrames _held;
    private readonly ReceivedFrame[] _incoming = new ReceivedFrame[IncomingBatch];
    private int _next;
    private int _there;
    private ulong _index;
    private ulong _lastArrival;
    private bool _hasEnded;
    private CommandException? _failure;

    // The frame that waits to be overtaken, and when it arrived.
    private int _overtaken = HeldFrames.None;
    private ulong _overtakenArrival;

    /// <summary>Impairs a port.</summary>
    /// <param name="inner">The port inside.</param>
    /// <param name="impairments">The impairments of frames.</param>
    /// <param name="mtu">The MTU that frames may grow to; longer ones are dropped and counted.</param>
    /// <exception cref="CommandException">A probability is not from 0 to 1.</exception>
    public ImpairedPort(Port inner, Impairments impairments, int mtu = FrameLength.DefaultMtu)
        : base(inner)
    {
        impairments.Validate();
        _impairments = impairments;
        _held = new HeldFrames(FrameLength.Of(mtu));
    }

    /// <summary>Frames that were lost.</summary>
    public Counter Lost { get; } = new();

    /// <summary>Frames that arrived twice.</summary>
    public Counter Duplicated { get; } = new();

    /// <summary>Frames that were overtaken by the one behind them.</summary>
    public Counter Reordered { get; } = new();

    /// <summary>Frames of which a bit was inverted.</summary>
    public Counter Corrupted { get; } = new();

    /// <inheritdoc/>
    public override ulong NextDue
    {
        get
        {
            var own = Math.Min(
                _held.NextDue, _overtaken == HeldFrames.None ? ulong.MaxValue : _overtakenArrival + LongestWait);
            return Math.Min(own, Inner.NextDue);
        }
    }

    /// <inheritdoc/>
    public override int Receive(Span<ReceivedFrame> batch)
    {
        _held.ReleaseGiven();
        var count = 0;
        while (count < batch.Length)
        {
            if (_held.NextDue <= Released) batch[count++] = _held.Give();
            else if (!TryTakeIncoming()) break;
        }
        // An error of the inner port is reported when all frames that arrived before it have been given.
        return count > 0 || _failure is null ? count : throw _failure;
    }

    /// <summary>
    /// Up to when arrivals are final. Live, that is now. In a capture, no frame to come can arrive earlier than the
    /// last one read plus the least delay.
    /// </summary>
    private ulong Released =>
        IsLive ? HostClock.Now : _hasEnded ? ulong.MaxValue - 1 : _lastArrival + _impairments.Delay;

    /// <summary>
    /// Takes in one frame from the port inside; at its end, or when time is up, the one that waits to be overtaken.
    /// </summary>
    /// <returns>False when nothing can be taken in now.</returns>
    private bool TryTakeIncoming()
    {
        if (_next == _there && !_hasEnded && _failure is null) ReceiveIncoming();
        if (_next < _there)
        {
            Impair(_incoming[_next++]);
            return true;
        }
        if (!IsLive && !_hasEnded)
        {
            _hasEnded = true;
            Overtake(_lastArrival);
            return true;
        }
        if (_overtaken == HeldFrames.None || HostClock.Now < _overtakenArrival + LongestWait) return false;
        Overtake(_overtakenArrival + LongestWait);
        return true;
    }

    private void ReceiveIncoming()
    {
        (_next, _there) = (0, 0);
        try
        {
            _there = Inner.Receive(_incoming);
        }
        catch (CommandException failure)
        {
            _failure = failure;
        }
    }

    private void Impair(ReceivedFrame incoming)
    {
        var seed = SplitMix64.Draw(_impairments.Seed, _index++);
        _lastArrival = Math.Max(_lastArrival, incoming.Time);
        if (Happens(_impairments.Loss, seed, LossDraw))
        {
            Lost.Increment();
            return;
        }
        var frame = _held.Add(incoming.Bytes);
        if (frame == HeldFrames.None)
        {
            ReceiveDrops.Increment();
            return;
        }
        if (incoming.Length > 0 && Happens(_impairments.Corrupt, seed, CorruptDraw))
        {
            var bit = SplitMix64.Draw(seed, BitDraw) % (8 * (ulong)incoming.Length);
            _held.Bytes(frame)[(int)(bit / 8)] ^= (byte)(1 << (int)(bit % 8));
            Corrupted.Increment();
        }
        if (_overtaken == HeldFrames.None && Happens(_impairments.Reorder, seed, ReorderDraw))
        {
            (_overtaken, _overtakenArrival) = (frame, incoming.Time);
            return;
        }

        var arrival = incoming.Time + _impairments.Delay
            + (_impairments.Jitter == 0 ? 0 : SplitMix64.Draw(seed, JitterDraw) % (_impairments.Jitter + 1));
        if (Happens(_impairments.Duplicate, seed, DuplicateDraw)) Duplicate(frame, arrival);
        _held.Schedule(frame, arrival);
        if (_overtaken == HeldFrames.None) return;
        Reordered.Increment();
        Overtake(arrival - _impairments.Delay);
    }

    private void Duplicate(int frame, ulong arrival)
    {
        var copy = _held.Add(_held.Bytes(frame));
        if (copy == HeldFrames.None)
        {
            ReceiveDrops.Increment();
            return;
        }
        Duplicated.Increment();
        _held.Schedule(copy, arrival);
    }

    private void Overtake(ulong time)
    {
        if (_overtaken == HeldFrames.None) return;
        _held.Schedule(_overtaken, time + _impairments.Delay);
        _overtaken = HeldFrames.None;
    }

    private static bool Happens(double probability, ulong seed, ulong draw)
    {
        const double Unit = 1.0 / (1UL << 53);
        return (SplitMix64.Draw(seed, draw) >> 11) * Unit < probability;
    }
}
