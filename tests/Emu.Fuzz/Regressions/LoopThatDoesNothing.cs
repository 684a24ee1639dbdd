/// <summary>
/// A loop that does nothing is no way to an end: who looked for the verdict behind it did not come back.
/// </summary>
public sealed class LoopThatDoesNothing : Service
{
    private uint _frames;

    public override void Process(ref Frame frame)
    {
        _frames = unchecked(_frames * 5 + 1);
        if (_frames == 7)
        {
            for (;;)
            {
            }
        }
        if (frame.Bytes[0] == 1) frame.Flood();
    }
}
