/// <summary>
/// An inner loop was deferred before the outer one: the copy of what follows it went on into the outer loop, whose
/// variables it had never set.
/// </summary>
public sealed class LoopInLoopDeferred : Service
{
    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        for (var i = 0; i < bytes.Length; i += 4)
        {
            var rest = bytes[i..];
            if (rest.SequenceEqual(bytes[1..])) frame.Flood();
        }
    }
}
