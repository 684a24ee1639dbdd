using System.Numerics;

namespace Emu.Samples;

/// <summary>
/// SipHash-2-4, a hash with a key that who sends frames cannot guess (Aumasson and Bernstein 2012, <i>SipHash: a fast
/// short-input PRF</i>), of a message of 16 bytes.
/// </summary>
/// <param name="key">The key, k0 in the lower half.</param>
public sealed class SipHash(UInt128 key)
{
    private readonly ulong _k0 = (ulong)key, _k1 = (ulong)(key >> 64);

    /// <summary>The hash of two words, little-endian in the message.</summary>
    public ulong Of(ulong first, ulong second)
    {
        var v0 = _k0 ^ 0x736F6D6570736575;
        var v1 = _k1 ^ 0x646F72616E646F6D;
        var v2 = _k0 ^ 0x6C7967656E657261;
        var v3 = _k1 ^ 0x7465646279746573;
        foreach (var word in (ReadOnlySpan<ulong>)[first, second, 16UL << 56])
        {
            v3 ^= word;
            for (var i = 0; i < 2; i++) Round(ref v0, ref v1, ref v2, ref v3);
            v0 ^= word;
        }
        v2 ^= 0xFF;
        for (var i = 0; i < 4; i++) Round(ref v0, ref v1, ref v2, ref v3);
        return v0 ^ v1 ^ v2 ^ v3;
    }

    private static void Round(ref ulong v0, ref ulong v1, ref ulong v2, ref ulong v3)
    {
        v0 += v1;
        v1 = BitOperations.RotateLeft(v1, 13) ^ v0;
        v0 = BitOperations.RotateLeft(v0, 32);
        v2 += v3;
        v3 = BitOperations.RotateLeft(v3, 16) ^ v2;
        v0 += v3;
        v3 = BitOperations.RotateLeft(v3, 21) ^ v0;
        v2 += v1;
        v1 = BitOperations.RotateLeft(v1, 17) ^ v2;
        v2 = BitOperations.RotateLeft(v2, 32);
    }
}
