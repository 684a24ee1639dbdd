/// <summary>The constructor's number in an array of signed numbers had more bits than an element.</summary>
public sealed class SignedElementsOfMemory : Service
{
    private readonly int[] _numbers = [-1, int.MinValue, 5, -7];

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        if (_numbers[frame.Bytes[5] & 3] == -1) frame.Reply();
        if (_numbers[frame.Bytes[11] & 3] < -3) frame.Bytes[0] = 9;
    }
}
