/// <summary>
/// The verdict is there in the stage in which a frame waits for the seconds: it must be given once,
/// not in every cycle of the wait.
/// </summary>
public sealed class VerdictInStageThatWaits : Service
{
    private ulong _last;

    public override void Process(ref Frame frame)
    {
        if (frame.Bytes[5] > 100) frame.Reply();
        _last = frame.Seconds;
    }
}
