namespace Emu.Direction.Tests;

/// <summary>A service whose variables others than their owners assign.</summary>
public sealed class OwnedService : Service
{
    private readonly Part _part = new();
    private readonly byte[] _viewed = new byte[4], _filled = new byte[4], _fixed = [1, 2, 3, 4],
        _read = [1, 2, 3, 4];
    private int _named;

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        _part.Level = frame.Length;
        _viewed.AsSpan()[frame.Ingress.Index & 3] = frame.Bytes[0];
        Fill(_filled, frame.Bytes[1]);
        Name(this);
        var view = _read.AsSpan(1, 2);
        if (view[0] == frame.Bytes[2] || view.SequenceEqual(frame.Bytes[..2]) || Array.IndexOf(_read, (byte)7) > 0)
            frame.Drop();
        if (_fixed[frame.Ingress.Index & 3] == 1 + _named) frame.Reply();
    }

    private static void Fill(byte[] bytes, byte value) => bytes[1] = value;

    private static void Name(OwnedService service) => service._named = 1;

    private sealed class Part
    {
        public int Level;
        public readonly int Limit = 7;
    }
}
