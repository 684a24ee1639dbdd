using System.Numerics;

namespace Emu;

/// <summary>
/// SIMON 64/128, a block cipher of 64 bits with a key of 128 (Beaulieu and others 2013, <i>The SIMON and SPECK Families of Lightweight Block
/// Ciphers</i>; ISO/IEC 29167-21). To those without the key its outputs look random, cut short too: a pseudorandom function of 64 bits.
/// </summary>
/// <remarks>A round is one AND and three XORs: in hardware, where the key is constant, one LUT for each of 32 bits, and no adder.</remarks>
public sealed class Simon64
{
    private const int Rounds = 44;
    private const int KeyWords = 4;

    /// <summary>The sequence z₃ of the key schedule, its first bit lowest; it has a period of 62.</summary>
    private const ulong Z3 = 0x3C2C_E512_07A6_35DB;

    private const int Period = 62;

    private readonly uint[] _roundKeys = new uint[Rounds];

    /// <summary>Expands a key (§3.2 of the paper).</summary>
    /// <param name="key">Its lowest 32 bits are the key of the first round, k₀.</param>
    public Simon64(UInt128 key)
    {
        var k = _roundKeys;
        for (var i = 0; i < KeyWords; i++) k[i] = (uint)(key >> 32 * i);
        for (var i = KeyWords; i < Rounds; i++)
        {
            var mixed = BitOperations.RotateRight(k[i - 1], 3) ^ k[i - 3];
            mixed ^= BitOperations.RotateRight(mixed, 1);
            k[i] = ~k[i - KeyWords] ^ mixed ^ (uint)(Z3 >> (i - KeyWords) % Period & 1) ^ 3;
        }
    }

    /// <summary>The cipher's text for <paramref name="block"/>.</summary>
    public ulong Encrypt(ulong block)
    {
        var (x, y) = ((uint)(block >> 32), (uint)block);
        for (var i = 0; i < Rounds; i++)
        {
            // In this order what depends on x is two gates deep.
            var next = y ^ _roundKeys[i] ^ BitOperations.RotateLeft(x, 2) ^ (BitOperations.RotateLeft(x, 1) & BitOperations.RotateLeft(x, 8));
            (x, y) = (next, x);
        }
        return (ulong)x << 32 | y;
    }
}
