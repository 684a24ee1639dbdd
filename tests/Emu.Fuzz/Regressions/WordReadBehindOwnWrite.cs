/// <summary>
/// In the pipeline a word whose index comes late was read in a stage behind the one in which the same
/// frame had written.
/// </summary>
public sealed class WordReadBehindOwnWrite : Service
{
    private readonly sbyte[] _few = new sbyte[8];

    public override void Process(ref Frame frame)
    {
        var word = _few[frame.Seconds < frame.Bytes[11] ? frame.Bytes[7] : 0];
        frame.ForwardTo(new PortSet(unchecked((ulong)word)));
        unchecked { _few[0] += (sbyte)frame.Bytes[11]; }
    }
}
