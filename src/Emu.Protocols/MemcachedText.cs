namespace Emu.Protocols;

/// <summary>
/// Requests of memcached's text protocol (protocol.txt) that are seen at fixed places, without a walk along them.
/// </summary>
public static class MemcachedText
{
    /// <summary>
    /// True if a request is one <c>get</c> of a short key and no more, as most are, written as clients write it: one
    /// space in front of the key, no control character in it, and \r\n behind.
    /// </summary>
    /// <param name="request">The request, behind its <see cref="MemcachedFrame"/>.</param>
    /// <param name="key">The key, a <see cref="ShortKey"/>.</param>
    public static bool IsShortGet(ReadOnlySpan<byte> request, out UInt128 key)
    {
        key = default;
        var length = request.Length - "get \r\n"u8.Length;
        if (length is < 1 or > ShortKey.MaxLength || !request.StartsWith("get "u8)) return false;
        var rest = request["get "u8.Length..];
        var isPlain = true;
        for (var i = 0; i < ShortKey.MaxLength + "\r\n"u8.Length; i++)
        {
            var character = i < rest.Length ? rest[i] : 0;
            if (i < length) isPlain &= character > ' ';
            else if (i == length) isPlain &= character == '\r';
            else if (i == length + 1) isPlain &= character == '\n';
        }
        key = ShortKey.Of(rest[..length]);
        return isPlain;
    }
}
