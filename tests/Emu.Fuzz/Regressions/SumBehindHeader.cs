/// <summary>
/// A sum that begins behind all else that the program looks at covered bytes in front of it on a narrow bus.
/// </summary>
public sealed class SumBehindHeader : Service
{
    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        frame.Flood();
        if (bytes.Length < 60) return;
        BinaryPrimitives.WriteUInt16BigEndian(bytes[5..], (ushort)InternetChecksum.Sum(bytes[38..]));
    }
}
