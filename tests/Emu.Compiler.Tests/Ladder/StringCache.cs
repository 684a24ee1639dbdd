namespace Emu.Compiler.Tests;

/// <summary>
/// Keeps strings of bytes while there is room: a frame has the length of its string at byte 14 and the string behind
/// byte 15. One that is there is said by its number, and forgotten if the lowest bit of byte 15 says so; another is
/// kept, in place of those used longest ago.
/// </summary>
public sealed class StringCache : Service
{
    private const int Start = 16;
    private const int MaxLength = 31;

    private readonly RabinFingerprint _fingerprint = new(7);
    private readonly HashChains _chains = new(16);
    private readonly LruList _uses = new(16);
    private readonly ChunkPool _pool = new(16, 8);
    private readonly byte[] _lengths = new byte[16];

    public Counter Evicted { get; } = new();

    public override void Process(ref Frame frame)
    {
        if (frame.Length < Start + MaxLength) return;
        var bytes = frame.Bytes;
        var text = bytes.Slice(Start, bytes[14] & MaxLength);
        var hash = _fingerprint.Compute(text);
        var number = Find(text, hash);
        if (number == HashChains.None) Keep(text, hash);
        else
        {
            bytes[14] = (byte)number;
            _pool.Read(number, 0, bytes.Slice(6, Math.Min((int)_lengths[number], 6)));
            if ((bytes[15] & 1) != 0) Forget(number);
            else _uses.Use(number);
            frame.Reply();
        }
    }

    private int Find(Span<byte> text, uint hash)
    {
        for (var n = _chains.First(hash); n != HashChains.None; n = _chains.Next(n))
            if (_chains.HashOf(n) == hash && _lengths[n] == text.Length && _pool.StartsWith(n, text)) return n;
        return HashChains.None;
    }

    private void Keep(Span<byte> text, uint hash)
    {
        var chunks = _pool.ChunksOf(text.Length);
        while (_pool.Free < chunks)
        {
            Evicted.Increment();
            Forget(_uses.Oldest);
        }
        var number = _pool.Make(chunks);
        _pool.Write(number, 0, text);
        _lengths[number] = (byte)text.Length;
        _chains.Add(number, hash);
        _uses.Add(number);
    }

    private void Forget(int number)
    {
        _chains.Remove(number);
        _uses.Remove(number);
        _pool.Release(number);
    }
}
