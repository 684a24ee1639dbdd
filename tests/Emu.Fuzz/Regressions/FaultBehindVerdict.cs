/// <summary>
/// The verdict was known in stage 1; a fault, which depends on a word that is there in stage 2,
/// was counted with the word of another frame.
/// </summary>
public sealed class FaultBehindVerdict : Service
{
    private readonly short[] _words = [0, 0, 0, 90, 0, 0, 0, 0, 0, 0, 0];

    public override void Process(ref Frame frame)
    {
        var index = frame.Bytes[5] & 15;
        _ = checked((byte)_words[index]);
        if (frame.Bytes[58] != frame.Bytes[11]) _words[index] = (short)(32 << frame.Ingress.Index);
    }
}
