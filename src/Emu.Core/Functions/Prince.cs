namespace Emu;

/// <summary>
/// PRINCE, a block cipher of 64 bits with a key of 128 (Borghoff and others 2012, <i>PRINCE – A Low-Latency Block
/// Cipher for Pervasive Computing Applications</i>). To those without the key its outputs look random, cut short too: a
/// pseudorandom function of 64 bits.
/// </summary>
/// <remarks>
/// <para>Its authors claim that to know the key from 2ⁿ blocks and their texts takes 2¹²⁷⁻ⁿ encryptions: less than 128
/// bits. Of 2³² texts under one key, those of a function would have two equal by chance, and these have none. For
/// little data, where latency and area count; it does not replace AES.</para>
/// <para>Twelve rounds of two layers: an S-box, and an XOR of three bits. In hardware, where the key is constant, each
/// is one LUT for each of 64 bits. The state is bit-sliced: 16 bits for each of the four bits of a nibble, the highest
/// first, and in each the first nibble highest.</para>
/// </remarks>
public sealed class Prince
{
    private const int HalfRounds = 5;

    /// <summary>Multiplied by a number of 16 bits, it gives that in each slice.</summary>
    private const ulong EachSlice = 0x0001_0001_0001_0001;

    private const int SliceBits = 16;

    /// <summary>
    /// Every fourth nibble from the first: the first row of the 4 × 4 nibbles that ShiftRows moves;
    /// a column is four nibbles in order.
    /// </summary>
    private const ulong FirstRow = 0x8888 * EachSlice;

    /// <summary>RC₀ to RC₁₁: digits of π, the upper half each the lower half XOR α.</summary>
    private static readonly ulong[] s_constants =
    [
        0, 0x1319_8A2E_0370_7344, 0xA409_3822_299F_31D0, 0x082E_FA98_EC4E_6C89, 0x4528_21E6_38D0_1377,
        0xBE54_66CF_34E9_0C6C, 0x7EF8_4F78_FD95_5CB1, 0x8584_0851_F1AC_43AA, 0xC882_D32F_2532_3C54,
        0x64A5_1195_E0E3_610D, 0xD3B5_A399_CA0C_2399, 0xC0AC_29B7_C97C_50DD,
    ];

    private readonly ulong[] _keys = new ulong[s_constants.Length];

    /// <summary>Prepares what is added to the state.</summary>
    /// <param name="key">k₀ in the upper half, k₁ in the lower.</param>
    public Prince(UInt128 key)
    {
        var (k0, k1) = ((ulong)(key >> 64), (ulong)key);
        for (var i = 0; i < _keys.Length; i++) _keys[i] = Slice(s_constants[i] ^ k1);
        _keys[0] ^= Slice(k0);
        _keys[^1] ^= Slice(ulong.RotateRight(k0, 1) ^ k0 >> 63);
    }

    /// <summary>The cipher's text for <paramref name="block"/>.</summary>
    public ulong Encrypt(ulong block)
    {
        var state = Slice(block) ^ _keys[0];
        for (var i = 1; i <= HalfRounds; i++) state = ShiftRows(Mix(Substitute(state))) ^ _keys[i];
        state = SubstituteBack(Mix(Substitute(state)));
        for (var i = HalfRounds + 1; i <= 2 * HalfRounds; i++)
            state = SubstituteBack(Mix(ShiftRowsBack(state ^ _keys[i])));
        return Join(state ^ _keys[^1]);
    }

    /// <summary>The S-box, each bit of its output as a polynomial of those of its input, by degree.</summary>
    private static ulong Substitute(ulong state)
    {
        var (a, b, c, d) = ((ushort)(state >> 48), (ushort)(state >> 32), (ushort)(state >> 16), (ushort)state);
        var (ab, ac, ad, bc, bd, cd) = (a & b, a & c, a & d, b & c, b & d, c & d);
        var (abc, abd, acd, bcd) = (a & bc, a & bd, a & cd, b & cd);
        return Slices(
            ~((a ^ c) ^ (ab ^ bc) ^ (abd ^ acd ^ bcd)),
            (a ^ d) ^ (ac ^ ad ^ cd) ^ (abc ^ acd),
            ~((ac ^ bc ^ bd) ^ (abc ^ bcd)),
            ~((a ^ b) ^ (ab ^ ad ^ bc ^ cd) ^ bcd));
    }

    /// <summary>The inverse of the substitution.</summary>
    private static ulong SubstituteBack(ulong state)
    {
        var (a, b, c, d) = ((ushort)(state >> 48), (ushort)(state >> 32), (ushort)(state >> 16), (ushort)state);
        var (ab, ac, bc, bd, cd) = (a & b, a & c, b & c, b & d, c & d);
        var (abc, abd, acd, bcd) = (a & bc, a & bd, a & cd, b & cd);
        return Slices(
            ~((c ^ d) ^ (ab ^ bc ^ bd ^ cd) ^ (abc ^ abd ^ bcd)),
            (b ^ d) ^ (ac ^ bc ^ bd ^ cd) ^ (acd ^ bcd),
            ~((ab ^ ac ^ bc ^ bd) ^ bcd),
            ~(a ^ (ab ^ bc ^ cd) ^ (abd ^ acd)));
    }

    private static ulong Slices(int a, int b, int c, int d) =>
        (ulong)(ushort)a << 48 | (ulong)(ushort)b << 32 | (ulong)(ushort)c << 16 | (ushort)d;

    /// <summary>
    /// M′: each bit becomes the sum of the bits of its slice and column, but one: which,
    /// is the matrices M̂₀ and M̂₁ of the paper.
    /// </summary>
    private static ulong Mix(ulong state)
    {
        var sum = state ^ (state >> 1 & 0x5555 * EachSlice | (state & 0x5555 * EachSlice) << 1);
        sum ^= sum >> 2 & 0x3333 * EachSlice | (sum & 0x3333 * EachSlice) << 2;
        return sum ^ (
            (state & 0xA00A_0AA0_5005_0550)
            | (state << 1 & 0x0440_A00A_0AA0_4004 | state >> 1 & 0x0220_5005_0550_2002)
            | (state << 2 & 0x4004_0440_8008_0880 | state >> 2 & 0x1001_0110_2002_0220)
            | (state << 3 & 0x0880_0000_0000_8008 | state >> 3 & 0x0110_0000_0000_1001));
    }

    private static ulong ShiftRows(ulong state) =>
        (state & FirstRow | Rotate(state & FirstRow >> 1, 4))
        | (Rotate(state & FirstRow >> 2, 8) | Rotate(state & FirstRow >> 3, 12));

    private static ulong ShiftRowsBack(ulong state) =>
        (state & FirstRow | Rotate(state & FirstRow >> 1, 12))
        | (Rotate(state & FirstRow >> 2, 8) | Rotate(state & FirstRow >> 3, 4));

    /// <summary>Rotates each slice to the left.</summary>
    private static ulong Rotate(ulong state, int bits)
    {
        var low = EachSlice * ((1UL << bits) - 1);
        return state << bits & ~low | state >> SliceBits - bits & low;
    }

    /// <summary>
    /// Bit 4i + j of a block becomes bit 16j + i of the state: the six bits of a bit's number are
    /// rotated, two at a time.
    /// </summary>
    private static ulong Slice(ulong block) =>
        Exchange(
            Exchange(Exchange(Exchange(block, 30, 0xCCCC_CCCC), 6, 0x00CC_00CC_00CC_00CC), 15, 0xAAAA_0000_AAAA),
            3,
            0x0A0A_0A0A_0A0A_0A0A);

    private static ulong Join(ulong state) =>
        Exchange(
            Exchange(
                Exchange(Exchange(state, 3, 0x0A0A_0A0A_0A0A_0A0A), 15, 0xAAAA_0000_AAAA), 6, 0x00CC_00CC_00CC_00CC),
            30,
            0xCCCC_CCCC);

    /// <summary>
    /// Exchanges each bit of <paramref name="low"/> with the bit that is <paramref name="distance"/> further up.
    /// </summary>
    private static ulong Exchange(ulong bits, int distance, ulong low) =>
        bits & ~(low | low << distance) | (bits & low) << distance | bits >> distance & low;
}
