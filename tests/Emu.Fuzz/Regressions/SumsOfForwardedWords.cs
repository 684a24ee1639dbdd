/// <summary>
/// Each sum was computed for all words that its operands could be, whose number became its square in each turn:
/// the compiler never ended.
/// </summary>
public sealed class SumsOfForwardedWords : Service
{
    private readonly int[] _sums = new int[8];

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        for (var i = 0; i < 8; i++)
        {
            unchecked { _sums[frame.Bytes[5] & 7] += _sums[frame.Bytes[11] & 7] + i; }
        }
    }
}
