namespace Emu.Compiler.Tests;

/// <summary>
/// Random early detection (Floyd and Jacobson 1993) in front of a slower link: of a queue that is reckoned from lengths
/// and times an average is kept, and the more it is, the more frames are dropped.
/// </summary>
public sealed class EarlyDetection(
    uint nanosecondsPerByte = 8, uint minimum = 5_000, uint maximum = 15_000, uint limit = 60_000) : Service
{
    private const int WeightShift = 9, FractionBits = 8;
    private const uint MaxProbability = 6554; // A tenth, of 2^16.

    private ulong _last;
    private uint _backlog;
    private uint _average;
    private uint _count;
    private uint _random = 2463534242;

    public Counter Passed { get; } = new();

    public Counter DroppedEarly { get; } = new();

    public Counter DroppedFull { get; } = new();

    public override void Process(ref Frame frame)
    {
        var drained = (frame.Time - _last) / nanosecondsPerByte;
        _last = frame.Time;
        _backlog = drained >= _backlog ? 0 : _backlog - (uint)drained;
        _average = (uint)(_average + (((long)(_backlog << FractionBits) - _average) >> WeightShift));
        if (_backlog + frame.Length > limit)
        {
            DroppedFull.Increment();
            _count = 0;
            return;
        }
        if (MustDrop(_average >> FractionBits))
        {
            DroppedEarly.Increment();
            return;
        }
        _backlog += (uint)frame.Length;
        Passed.Increment();
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
    }

    private bool MustDrop(uint average)
    {
        if (average < minimum)
        {
            _count = 0;
            return false;
        }
        if (average >= maximum)
        {
            _count = 0;
            return true;
        }
        _random ^= _random << 13;
        _random ^= _random >> 17;
        _random ^= _random << 5;
        var probability = (average - minimum) * MaxProbability / (maximum - minimum);
        _count++;
        if ((_random & 0xFFFF) >= probability * _count) return false;
        _count = 0;
        return true;
    }
}
