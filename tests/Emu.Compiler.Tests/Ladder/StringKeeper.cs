namespace Emu.Compiler.Tests;

/// <summary>
/// Keeps strings of bytes while there is room: a frame has the length of its string at byte 14 and the string behind
/// byte 15. One that is there is said by its number, and forgotten if the lowest bit of byte 15 says so; another is
/// kept, in place of those used longest ago. What is kept under a string is the string itself, all but its last byte.
/// </summary>
public sealed class StringKeeper : Service
{
    private const int Start = 16;
    private const int MaxLength = 31;

    private readonly StringCache _cache = new(chunks: 32, chunkLength: 8, seed: 7);

    public Counter Evicted { get; } = new();

    public override void Process(ref Frame frame)
    {
        if (frame.Length < Start + MaxLength) return;
        var bytes = frame.Bytes;
        var text = bytes.Slice(Start, bytes[14] & MaxLength);
        var hash = _cache.HashOf(text);
        var number = _cache.Find(text, hash);
        if (number == StringCache.None) Keep(text, hash);
        else
        {
            bytes[14] = (byte)number;
            _cache.ReadValue(number, 0, bytes.Slice(6, Math.Min(_cache.ValueLengthOf(number), 6)));
            if ((bytes[15] & 1) != 0) _cache.Remove(number);
            else _cache.Use(number);
            frame.Reply();
        }
    }

    private void Keep(Span<byte> text, uint hash)
    {
        var value = text.IsEmpty ? text : text[..^1];
        while (!_cache.HasRoom(text.Length, value.Length))
        {
            Evicted.Increment();
            _cache.Remove(_cache.Oldest);
        }
        _cache.Add(text, hash, value);
    }
}
