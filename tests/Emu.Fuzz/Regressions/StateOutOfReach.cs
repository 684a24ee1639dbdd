/// <summary>
/// A compilation for a pipeline sees that all ends in a fault, and knows less state than another one; the ladder
/// compared state by its place in the list.
/// </summary>
public sealed class StateOutOfReach : Service
{
    private struct Pair
    {
        public uint B;
    }

    private readonly uint[] _words = [48, 85, 0, 70];
    private readonly Pair[] _pairs = new Pair[64];
    private Pair _pair;

    public override void Process(ref Frame frame)
    {
        frame.Resize(45);
        var bytes = frame.Bytes;
        _ = _words[0];
        _ = BinaryPrimitives.ReadUInt64BigEndian(bytes[57..]) != 0 ? short.MinValue : bytes[6];
        if (bytes[4] == 4) _pair = _pairs[0];
    }
}
