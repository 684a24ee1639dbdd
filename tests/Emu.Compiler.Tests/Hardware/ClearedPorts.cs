namespace Emu.Compiler.Tests;

/// <summary>
/// Counts frames by port until a byte of the header changes, then begins anew: a frame clears few elements and counts
/// in one that it computes, and in one of an array whose length is no power of two.
/// </summary>
public sealed class ClearedPorts : Service
{
    private const int Others = 4;

    private readonly byte[] _frames = new byte[4];
    private readonly ushort[] _kinds = new ushort[Others + 1];
    private byte _period;

    public override void Process(ref Frame frame)
    {
        if (frame.Bytes[5] != _period)
        {
            _period = frame.Bytes[5];
            Array.Clear(_frames);
            _kinds[Others] = 0;
        }
        var count = ++_frames[frame.Ingress.Index & 3];
        ref var kind = ref _kinds[Math.Min((int)frame.Bytes[11], Others)];
        kind += count;
        frame.ForwardTo(new PortSet((ulong)(_frames[0] ^ kind ^ _kinds[Others])));
    }
}
