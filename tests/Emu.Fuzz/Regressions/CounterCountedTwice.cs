/// <summary>
/// A frame that counts a counter up at two places counted once: in hardware a count is one bit in a cycle.
/// </summary>
public sealed class CounterCountedTwice : Service
{
    public Counter Seen { get; } = new();

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        Seen.Increment();
        if (frame.Bytes[5] > 1) Seen.Increment();
    }
}
