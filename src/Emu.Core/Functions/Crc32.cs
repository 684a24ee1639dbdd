namespace Emu;

/// <summary>
/// The CRC-32 of the Ethernet frame check sequence (IEEE 802.3-2022 §3.2.9): polynomial 0x04C11DB7, bits reflected,
/// complemented before and after.
/// </summary>
public static class Crc32
{
    private const uint ReflectedPolynomial = 0xEDB8_8320;

    private static readonly uint[] s_table = Table();

    /// <summary>
    /// The CRC of <paramref name="bytes"/>; as an FCS its least significant byte goes onto the wire first.
    /// </summary>
    public static uint Compute(ReadOnlySpan<byte> bytes) => Update(0, bytes);

    /// <summary>
    /// The CRC of data whose first part has the CRC <paramref name="crc"/> and whose rest is
    /// <paramref name="bytes"/>; 0 to begin.
    /// </summary>
    public static uint Update(uint crc, ReadOnlySpan<byte> bytes)
    {
        crc = ~crc;
        foreach (var octet in bytes) crc = crc >> 8 ^ s_table[(byte)(crc ^ octet)];
        return ~crc;
    }

    private static uint[] Table()
    {
        var table = new uint[256];
        for (var i = 0u; i < table.Length; i++)
        {
            var crc = i;
            for (var bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (ReflectedPolynomial & (0 - (crc & 1)));
            table[i] = crc;
        }
        return table;
    }
}
