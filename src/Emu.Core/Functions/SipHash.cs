using System.Buffers.Binary;
using System.Numerics;

namespace Emu;

/// <summary>
/// SipHash-2-4, a keyed hash that is short for short messages (Aumasson and Bernstein 2012, <i>SipHash: a fast
/// short-input PRF</i>). It is fed a word of eight bytes at a time, the first byte the lowest.
/// </summary>
public struct SipHash
{
    /// <summary>The words of 0 behind a message: the four last rounds.</summary>
    public const int LastWords = 2;

    /// <summary>The half rounds of a word: <see cref="AddQuarter"/>.</summary>
    internal const int HalvesPerWord = 2 * RoundsPerWord;

    private const int WordBytes = 8, RoundsPerWord = 2;

    private ulong _v0, _v1, _v2, _v3;

    /// <summary>Begins a hash.</summary>
    /// <param name="key">The key, written in hexadecimal as its 16 bytes in their order.</param>
    public SipHash(UInt128 key)
    {
        var (first, second) = (
            BinaryPrimitives.ReverseEndianness((ulong)(key >> 64)), BinaryPrimitives.ReverseEndianness((ulong)key));
        (_v0, _v1) = (first ^ 0x736F_6D65_7073_6575, second ^ 0x646F_7261_6E64_6F6D);
        (_v2, _v3) = (first ^ 0x6C79_6765_6E65_7261, second ^ 0x7465_6462_7974_6573);
    }

    /// <summary>The hash of a message.</summary>
    /// <param name="key">The key, written in hexadecimal as its 16 bytes in their order.</param>
    /// <param name="message">Any number of bytes.</param>
    public static ulong Compute(UInt128 key, ReadOnlySpan<byte> message)
    {
        var hash = new SipHash(key);
        var at = 0;
        for (; at + WordBytes <= message.Length; at += WordBytes)
            hash.Add(BinaryPrimitives.ReadUInt64LittleEndian(message[at..]));
        hash.Add(LastWord(message.Length, message[at..]));
        hash.End();
        for (var i = 0; i < LastWords; i++) hash.Add(0);
        return hash.Value;
    }

    /// <summary>The hash of a message of whole words.</summary>
    /// <param name="key">The key, written in hexadecimal as its 16 bytes in their order.</param>
    /// <param name="words">The words, of each the first byte the lowest.</param>
    public static ulong Of(UInt128 key, params ReadOnlySpan<ulong> words)
    {
        var hash = new SipHash(key);
        foreach (var word in words) hash.Add(word);
        hash.Add(LastWord(words.Length * WordBytes));
        hash.End();
        for (var i = 0; i < LastWords; i++) hash.Add(0);
        return hash.Value;
    }

    /// <summary>The last word of a message: its length, and the bytes behind its whole words.</summary>
    /// <param name="length">Bytes of the whole message.</param>
    /// <param name="rest">The bytes behind the last whole word, at most seven.</param>
    public static ulong LastWord(int length, ReadOnlySpan<byte> rest = default)
    {
        var word = (ulong)length << 56;
        for (var i = 0; i < rest.Length; i++) word |= (ulong)rest[i] << 8 * i;
        return word;
    }

    /// <summary>Takes in the next eight bytes of the message, or a word behind it.</summary>
    /// <param name="word">The bytes, the first the lowest.</param>
    public void Add(ulong word)
    {
        _v3 ^= word;
        for (var round = 0; round < RoundsPerWord; round++) Round();
        _v0 ^= word;
    }

    /// <summary>
    /// Ends the message; <see cref="LastWords"/> words of 0 are to be added before the hash is complete.
    /// </summary>
    public void End() => _v2 ^= 0xFF;

    /// <summary>The hash, once the message has ended and the words behind it were added.</summary>
    public readonly ulong Value => _v0 ^ _v1 ^ _v2 ^ _v3;

    /// <summary>
    /// A quarter of what <see cref="Add"/> does for a word: half of a round, of which the second half is as the first
    /// with two words in each other's place. A circuit that has it in a loop has a quarter of the adders.
    /// </summary>
    /// <param name="number">The number of the half round in the word, 0 to 3.</param>
    /// <param name="word">The word.</param>
    internal void AddQuarter(int number, ulong word)
    {
        if (number == 0) _v3 ^= word;
        HalfRound(isSecond: (number & 1) != 0);
        if (number == HalvesPerWord - 1) _v0 ^= word;
    }

    private void Round()
    {
        HalfRound(isSecond: false);
        HalfRound(isSecond: true);
    }

    private void HalfRound(bool isSecond)
    {
        _v0 += _v1;
        _v2 += _v3;
        _v1 = (isSecond ? BitOperations.RotateLeft(_v1, 17) : BitOperations.RotateLeft(_v1, 13)) ^ _v0;
        _v3 = (isSecond ? BitOperations.RotateLeft(_v3, 21) : BitOperations.RotateLeft(_v3, 16)) ^ _v2;
        (_v0, _v2) = (_v2, BitOperations.RotateLeft(_v0, 32));
    }
}
