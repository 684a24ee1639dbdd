/// <summary>
/// Icarus computes an address with more bits than it has: a difference that should wrap was outside the RAM.
/// </summary>
public sealed class AddressThatWraps : Service
{
    private readonly int[] _few = [25, 0, 0, 0, 3, 0, 8, 0];

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        frame.Bytes[1] = (byte)_few[-frame.Length & 7];
    }
}
