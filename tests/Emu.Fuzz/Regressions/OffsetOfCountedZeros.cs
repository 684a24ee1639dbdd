/// <summary>
/// An offset was to be fixed by a check from which nothing was learnt of it: so it was checked again, without end.
/// </summary>
public sealed class OffsetOfCountedZeros : Service
{
    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var kind = BinaryPrimitives.ReadUInt16BigEndian(bytes[12..]);
        bytes[0] = bytes[BitOperations.LeadingZeroCount((ulong)kind)];
        frame.Flood();
    }
}
