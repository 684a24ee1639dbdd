namespace Emu.Services;

/// <summary>
/// Says what a request does. What is not written as clients write it, or is more than one request, may do anything.
/// </summary>
internal sealed class RequestReader
{
    private const int ItemLength = 4;

    /// <summary>The longest time of a flush that is from now on (protocol.txt, <i>Expiration times</i>).</summary>
    private const int MaxRelativeTime = 60 * 60 * 24 * 30;

    private readonly TextLine _line = new();

    /// <summary>The offset of the key of <see cref="Effect.Get"/> and <see cref="Effect.Write"/>.</summary>
    public int KeyStart { get; private set; }

    /// <summary>The bytes of that key.</summary>
    public int KeyLength { get; private set; }

    /// <summary>The second until which a flush goes on; 0 if it is none, or done at once.</summary>
    public uint FlushTime { get; private set; }

    /// <summary>Reads a request.</summary>
    /// <param name="request">The request.</param>
    /// <param name="now">The time in seconds.</param>
    public Effect Read(ReadOnlySpan<byte> request, uint now)
    {
        FlushTime = 0;
        if (!_line.TrySplit(request) || !_line.IsPlain) return Effect.Clear;
        var verb = request[.._line.EndOf(0)];
        if (IsStorage(verb)) return ReadStorage(request);
        if (_line.End != request.Length) return Effect.Clear;
        if (verb.SequenceEqual("get"u8)) return _line.Count == 2 ? WithKey(Effect.Get, 1) : Effect.None;
        if (IsRetrieval(verb)) return Effect.None;
        if (IsChange(verb) && _line.Count > 1) return WithKey(Effect.Write, 1);
        if (IsTouchingRetrieval(verb) && _line.Count == 3) return WithKey(Effect.Write, 2);
        if (verb.SequenceEqual("flush_all"u8) && _line.Count > 1) ReadFlush(request, now);
        return Effect.Clear;
    }

    private Effect ReadStorage(ReadOnlySpan<byte> request)
    {
        if (_line.Count <= ItemLength || !_line.TryReadNumber(request, ItemLength, out var length)) return Effect.Clear;
        return request.Length == _line.End + length + "\r\n"u8.Length ? WithKey(Effect.Write, 1) : Effect.Clear;
    }

    /// <summary>
    /// A flush may be due later. The server counts time in seconds of its own, so that it may be one later still.
    /// </summary>
    private void ReadFlush(ReadOnlySpan<byte> request, uint now)
    {
        if (!_line.TryReadNumber(request, 1, out var time) || time == 0) return;
        FlushTime = (uint)(time > MaxRelativeTime ? time : now + time) + 2;
    }

    private Effect WithKey(Effect effect, int word)
    {
        (KeyStart, KeyLength) = (_line.StartOf(word), _line.LengthOf(word));
        return effect;
    }

    private static bool IsStorage(ReadOnlySpan<byte> verb) =>
        verb.SequenceEqual("set"u8) || verb.SequenceEqual("add"u8) || verb.SequenceEqual("replace"u8)
        || verb.SequenceEqual("append"u8) || verb.SequenceEqual("prepend"u8) || verb.SequenceEqual("cas"u8);

    private static bool IsChange(ReadOnlySpan<byte> verb) =>
        verb.SequenceEqual("delete"u8) || verb.SequenceEqual("incr"u8) || verb.SequenceEqual("decr"u8)
        || verb.SequenceEqual("touch"u8);

    private static bool IsTouchingRetrieval(ReadOnlySpan<byte> verb) =>
        verb.SequenceEqual("gat"u8) || verb.SequenceEqual("gats"u8);

    private static bool IsRetrieval(ReadOnlySpan<byte> verb) =>
        verb.SequenceEqual("gets"u8) || verb.SequenceEqual("stats"u8) || verb.SequenceEqual("version"u8)
        || verb.SequenceEqual("verbosity"u8) || verb.SequenceEqual("quit"u8);
}
