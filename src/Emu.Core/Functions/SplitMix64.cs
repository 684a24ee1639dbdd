namespace Emu;

/// <summary>
/// The SplitMix64 generator (Steele, Lea and Flood 2014, <i>Fast splittable pseudorandom number generators</i>): short,
/// and any draw can be had without those before it.
/// </summary>
/// <param name="seed">Any number; equal seeds give equal sequences.</param>
public struct SplitMix64(ulong seed)
{
    private const ulong GoldenGamma = 0x9E37_79B9_7F4A_7C15;

    private ulong _state = seed;

    /// <summary>The next 64 random bits.</summary>
    public ulong Next() => Mix(_state += GoldenGamma);

    /// <summary>
    /// Draw <paramref name="n"/> (from 0) of the sequence that <paramref name="seed"/> names, by itself.
    /// </summary>
    public static ulong Draw(ulong seed, ulong n) => Mix(seed + (n + 1) * GoldenGamma);

    private static ulong Mix(ulong z)
    {
        z = (z ^ z >> 30) * 0xBF58_476D_1CE4_E5B9;
        z = (z ^ z >> 27) * 0x94D0_49BB_1331_11EB;
        return z ^ z >> 31;
    }
}
