/// <summary>
/// A checksum of a length that is computed covers a frame that was cut, and in which nothing is written: there was no
/// end of what is written, and the compiler gave up.
/// </summary>
public sealed class SumOfNothing : Service
{
    private int _sum;

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        frame.Reply();
        frame.Resize(0);
        var rest = bytes[8..];
        _sum = unchecked(rest.IndexOf((byte)0) + InternetChecksum.Compute(rest));
    }
}
