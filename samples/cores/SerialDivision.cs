namespace Emu.Samples;

/// <summary>A division that takes a cycle for each bit, where it is <see cref="SerialRemainder"/>.</summary>
internal static class SerialDivision
{
    /// <summary>The remainder; of a division by 0 the lowest bits of the dividend.</summary>
    [Clocked(typeof(SerialRemainder), Cycles = nameof(CyclesOf))]
    public static byte Remainder(uint dividend, byte divisor) =>
        divisor == 0 ? (byte)dividend : (byte)(dividend % divisor);

    /// <summary>A cycle for each byte of zeros at the top, for each bit behind them, and for the call.</summary>
    private static int CyclesOf(uint dividend, byte divisor)
    {
        var zeros = uint.LeadingZeroCount(dividend) / 8;
        return (int)(zeros + 8 * (4 - zeros) + 1);
    }
}
