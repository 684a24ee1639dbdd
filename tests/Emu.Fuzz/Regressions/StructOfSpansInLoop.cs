/// <summary>
/// A struct that is constructed anew in each turn of a loop was joined with what it was before the loop: nothing.
/// </summary>
public sealed class StructOfSpansInLoop : Service
{
    private readonly byte[] _buffer = [5, 6, 7, 8];

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var sum = 0;
        for (var i = 0; i < 3; i++)
        {
            var window = new Window(_buffer, i);
            sum += window.First;
        }
        frame.Bytes[0] = (byte)sum;
    }

    private readonly ref struct Window(ReadOnlySpan<byte> bytes, int offset)
    {
        private readonly ReadOnlySpan<byte> _bytes = bytes;
        private readonly int _offset = offset;

        public int First => _bytes[_offset];
    }
}
