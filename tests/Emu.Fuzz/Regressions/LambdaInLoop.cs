/// <summary>
/// The C# compiler keeps the delegate of a lambda in a loop, which captures a variable of outside,
/// beside that variable.
/// </summary>
public sealed class LambdaInLoop : Service
{
    private int _sum;

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var factor = (int)frame.Bytes[5];
        for (var i = 0; i < 4; i++)
        {
            Func<int, int> scale = x => unchecked(x * factor + _sum);
            _sum ^= scale(i);
        }
    }
}
