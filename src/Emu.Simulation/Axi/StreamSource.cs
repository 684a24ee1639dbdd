namespace Emu.Simulation;

/// <summary>
/// Drives frames into a design. Whatever the bus leaves open is junk, other in each cycle: everything while
/// <c>tvalid</c> is low, bytes that <c>tkeep</c> leaves out, <c>tuser</c> after the first beat and its bits 127:96.
/// </summary>
/// <param name="signals">The stream into the design.</param>
/// <param name="pattern">The cycles in which it holds a beat back; never one that is on the bus already.</param>
/// <param name="seed">The seed of the junk.</param>
public sealed class StreamSource(StreamSignals signals, StallPattern pattern, ulong seed)
{
    private readonly Queue<SourceFrame> _waiting = [];
    private readonly List<SourceFrame> _sent = [];
    private SplitMix64 _junk = new(seed);
    private SourceFrame? _frame;
    private int _offset;
    private int _held;
    private bool _isOnBus;

    /// <summary>The frames whose first beat was accepted, in order.</summary>
    public IReadOnlyList<SourceFrame> Sent => _sent;

    /// <summary>True if nothing is left to send.</summary>
    public bool IsIdle => Waiting == 0;

    /// <summary>The frames that are not sent whole.</summary>
    public int Waiting => _waiting.Count + (_frame is null ? 0 : 1);

    /// <summary>Appends a frame to those that are to be sent.</summary>
    public void Enqueue(SourceFrame frame) => _waiting.Enqueue(frame);

    /// <summary>Decides the inputs of a cycle.</summary>
    /// <param name="cycle">The number of the cycle.</param>
    /// <param name="isInReset">True in reset: nothing is sent,
    /// and the rest of a frame that was begun never will be.</param>
    public void Drive(long cycle, bool isInReset)
    {
        if (isInReset) Abandon();
        else if (_isOnBus) return;
        else if (_frame is null) _waiting.TryDequeue(out _frame);
        DriveJunk();
        if (_frame is null || isInReset) return;
        var isLast = _offset + signals.BusBytes >= _frame.Bytes.Length;
        if (pattern.Stalls(cycle, isLast, _held)) _held++;
        else DriveBeat(_frame, isLast);
    }

    /// <summary>Takes note of what the next edge transfers, after all inputs are decided.</summary>
    /// <param name="cycle">The number of that edge.</param>
    public void Observe(long cycle)
    {
        if (!signals.IsTransfer || _frame is null) return;
        if (_offset == 0)
        {
            _frame.FirstBeat = cycle;
            _sent.Add(_frame);
        }
        _offset += signals.BusBytes;
        (_isOnBus, _held) = (false, 0);
        if (!signals.IsLast) return;
        _frame.LastBeat = cycle;
        (_frame, _offset) = (null, 0);
    }

    internal void ForgetSent() => _sent.Clear();

    private void Abandon()
    {
        if (_offset > 0) _frame = null;
        (_isOnBus, _offset, _held) = (false, 0, 0);
    }

    private void DriveJunk()
    {
        signals.Valid[0] = 0;
        signals.Last[0] = _junk.Next() & 1;
        foreach (ref var word in signals.Data.AsSpan()) word = _junk.Next();
        signals.Keep[0] = _junk.Next() & AllKept();
        foreach (ref var word in signals.User.AsSpan()) word = _junk.Next();
    }

    private void DriveBeat(SourceFrame frame, bool isLast)
    {
        var bytes = frame.Bytes.Span[_offset..Math.Min(_offset + signals.BusBytes, frame.Bytes.Length)];
        for (var i = 0; i < bytes.Length; i++)
        {
            ref var word = ref signals.Data[i / 8];
            var shift = i % 8 * 8;
            word = word & ~(0xFFUL << shift) | (ulong)bytes[i] << shift;
        }
        signals.Keep[0] = bytes.Length == signals.BusBytes ? AllKept() : (1UL << bytes.Length) - 1;
        signals.Last[0] = isLast ? 1UL : 0;
        signals.Valid[0] = 1;
        _isOnBus = true;
        if (_offset == 0)
            new StreamUser(frame.StatedLength, StreamUser.Bit(frame.Ingress), 0, frame.Time).CopyTo(signals.User);
    }

    private ulong AllKept() => ulong.MaxValue >> (64 - signals.BusBytes);
}
