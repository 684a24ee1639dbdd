using System.Buffers.Binary;
using System.Numerics;

namespace Emu;

/// <summary>
/// SipHash-2-4, a keyed hash that is short for short messages (Aumasson and Bernstein 2012, <i>SipHash: a fast
/// short-input PRF</i>). It is fed a word of eight bytes at a time, the first byte the lowest.
/// </summary>
public struct SipHash
{
    private const int WordBytes = 8;

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
        var last = 0UL;
        for (var i = at; i < message.Length; i++) last |= (ulong)message[i] << 8 * (i - at);
        return hash.Finish(message.Length, last);
    }

    /// <summary>Takes in the next eight bytes of the message.</summary>
    /// <param name="word">The bytes, the first the lowest.</param>
    public void Add(ulong word)
    {
        _v3 ^= word;
        Round();
        Round();
        _v0 ^= word;
    }

    /// <summary>The hash of the words that were added and of what is left of the message.</summary>
    /// <param name="length">Bytes of the whole message.</param>
    /// <param name="rest">The bytes behind the last whole word, the first the lowest; at most seven.</param>
    public ulong Finish(int length, ulong rest = 0)
    {
        Add((ulong)length << 56 | rest);
        _v2 ^= 0xFF;
        for (var i = 0; i < 4; i++) Round();
        return _v0 ^ _v1 ^ _v2 ^ _v3;
    }

    private void Round()
    {
        _v0 += _v1;
        _v2 += _v3;
        _v1 = BitOperations.RotateLeft(_v1, 13) ^ _v0;
        _v3 = BitOperations.RotateLeft(_v3, 16) ^ _v2;
        _v0 = BitOperations.RotateLeft(_v0, 32);
        _v2 += _v1;
        _v0 += _v3;
        _v1 = BitOperations.RotateLeft(_v1, 17) ^ _v2;
        _v3 = BitOperations.RotateLeft(_v3, 21) ^ _v0;
        _v2 = BitOperations.RotateLeft(_v2, 32);
    }
}
