/// <summary>Code behind a fault that always happens was translated into no block.</summary>
public sealed class IndexThatIsNeverInside : Service
{
    private readonly int[] _four = new int[4];
    private int _seen;

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        _seen++;
        if (frame.Bytes[5] == 2) _seen += _four[4];
        _four[^1]++;
    }
}
