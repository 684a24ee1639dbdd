using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Keeps the delay of a line behind it low by PIE (RFC 8033 §4, §5): a queue is reckoned from what passes and the rate
/// of the line; its delay and the delay's trend move a probability, every 15 ms, with which frames are dropped, or
/// marked when they can be (RFC 3168 §5), at random but never too near to one another.
/// </summary>
/// <remarks>From port 0 to port 1; the way back is open.</remarks>
/// <param name="megabitsPerSecond">The rate of the line, 1 to 100000.</param>
/// <param name="targetMicroseconds">The delay that is wanted (QDELAY_REF).</param>
/// <param name="burstMicroseconds">For how long a burst may fill an empty queue (MAX_BURST).</param>
/// <param name="tickInterval">Nanoseconds between updates (T_UPDATE).</param>
public sealed class PieDropper(
    int megabitsPerSecond = 100, int targetMicroseconds = 15_000, int burstMicroseconds = 150_000,
    ulong tickInterval = 15_000_000) : Service
{
    private const long One = 1L << 32;
    private const int MeanPacket = 1024;

    private static readonly PortId s_in = new(0);
    private static readonly PortId s_out = new(1);

    private readonly long _target = targetMicroseconds * 1_000L;
    private readonly long _burst = burstMicroseconds * 1_000L;
    private readonly long _mark = One / 10;
    private ulong _last;
    private long _backlog;
    private long _delay;
    private long _oldDelay;
    private long _probability;
    private long _accumulated;
    private long _allowance = burstMicroseconds * 1_000L;
    private ulong _random = 0x9E37_79B9_7F4A_7C15;

    /// <inheritdoc/>
    public override ulong TickInterval => tickInterval;

    /// <summary>Frames that went on.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Of these, those that were marked.</summary>
    public Counter Marked { get; } = new();

    /// <summary>Frames dropped.</summary>
    public Counter Dropped { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress != s_in)
        {
            if (frame.Ingress == s_out) frame.ForwardTo(s_in);
            return;
        }
        Drain(frame.Time);
        if (MustSignal(frame.Length) && !TryMark(frame))
        {
            Dropped.Increment();
            return;
        }
        _backlog += frame.Length;
        Passed.Increment();
        frame.ForwardTo(s_out);
    }

    /// <summary>The bytes that the line has sent since the frame before.</summary>
    private void Drain(ulong now)
    {
        var elapsed = Math.Min(now - _last, 1_000_000_000);
        _last = now;
        var drained = (long)(elapsed * (ulong)megabitsPerSecond / 8_000);
        _backlog = Math.Max(0, _backlog - drained);
        _delay = _backlog * 8_000 / megabitsPerSecond;
    }

    private bool MustSignal(int length)
    {
        if (_allowance > 0) return false;
        if (_oldDelay < _target / 2 && _probability < One / 5) return false;
        if (_backlog <= 2 * MeanPacket) return false;
        if (_probability == 0) _accumulated = 0;
        var probability = _probability * length / MeanPacket;
        _accumulated += probability;
        if (_accumulated < One * 85 / 100) return false;
        if (_accumulated < One * 17 / 2 && Next() >= (ulong)probability) return false;
        _accumulated = 0;
        return true;
    }

    /// <summary>Marsaglia 2003, "Xorshift RNGs": 32 of its 64 bits.</summary>
    private ulong Next()
    {
        _random ^= _random << 13;
        _random ^= _random >> 7;
        _random ^= _random << 17;
        return _random >> 32;
    }

    private bool TryMark(in Frame frame)
    {
        if (_probability > _mark) return false;
        var ethernet = new Ethernet(frame);
        switch (ethernet.EtherType)
        {
            case EtherType.IPv4 when IPv4.TryParse(ethernet.Payload, out var ip) && ip.Ecn != 0:
                ip.Ecn = 3;
                ip.WriteHeaderChecksum();
                break;
            case EtherType.IPv6 when IPv6.TryParse(ethernet.Payload, out var ip6) && ip6.Ecn != 0:
                ip6.Ecn = 3;
                break;
            default:
                return false;
        }
        Marked.Increment();
        return true;
    }

    /// <inheritdoc/>
    public override void Tick(ref Frame frame)
    {
        Drain(frame.Time);
        // alpha is 1/8 and beta 5/4 a second (§4.2): of the delay wanted, 1/533 and 10/533 an update.
        var change = One / 533 * (_delay - _target + 10 * (_delay - _oldDelay)) / _target;
        var scale = _probability switch
        {
            < One / 1_000_000 => 2048,
            < One / 100_000 => 512,
            < One / 10_000 => 128,
            < One / 1_000 => 32,
            < One / 100 => 8,
            < One / 10 => 2,
            _ => 1,
        };
        change /= scale;
        if (_probability >= One / 10 && change > One / 50) change = One / 50;
        _probability = Math.Clamp(_probability + change, 0, One);
        if (_delay == 0 && _oldDelay == 0) _probability = _probability * 98 / 100;
        _allowance = Math.Max(0, _allowance - (long)tickInterval);
        if (_probability == 0 && _delay < _target / 2 && _oldDelay < _target / 2) _allowance = _burst;
        _oldDelay = _delay;
    }
}
