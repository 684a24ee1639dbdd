using System.Globalization;

namespace Emu.Hosting;

/// <summary>One interface of a pcapng section: its link type, and the unit and offset of its timestamps.</summary>
/// <param name="linkType">The number of the tcpdump.org registry.</param>
/// <param name="snapLength">The most bytes captured of a packet; 0 for no limit.</param>
/// <param name="unitsPerSecond">The units of a timestamp in a second, from 1.</param>
/// <param name="offsetSeconds">The seconds to be added to a timestamp.</param>
internal readonly struct PcapngInterface(int linkType, uint snapLength, ulong unitsPerSecond, long offsetSeconds)
{
    /// <summary>Microseconds, for an interface that does not say.</summary>
    public const ulong DefaultUnitsPerSecond = 1_000_000;

    private const ulong NanosecondsPerSecond = 1_000_000_000;

    // Nearly always a unit is a whole number of nanoseconds; dividing 128 bits for every packet would be slow.
    private readonly ulong _nanosecondsPerUnit = NanosecondsPerSecond % unitsPerSecond == 0
        ? NanosecondsPerSecond / unitsPerSecond
        : 0;

    public int LinkType { get; } = linkType;

    public uint SnapLength { get; } = snapLength;

    /// <summary>Reads an <c>if_tsresol</c>: 10^-v s, or 2^-v s when the top bit is set.</summary>
    /// <returns>Units a second, or 0 when there are more than 64 bits hold.</returns>
    public static ulong Resolution(byte option)
    {
        var exponent = option & 0x7F;
        if ((option & 0x80) != 0) return exponent < 64 ? 1UL << exponent : 0;
        return exponent < 20 ? ulong.Parse("1" + new string('0', exponent), NumberStyles.None) : 0;
    }

    /// <summary>The time in nanoseconds since 1970, rounded down, and held within what 64 bits can say.</summary>
    public ulong Nanoseconds(ulong timestamp)
    {
        var since = _nanosecondsPerUnit != 0
            ? (UInt128)timestamp * _nanosecondsPerUnit
            : (UInt128)timestamp * NanosecondsPerSecond / unitsPerSecond;
        var time = (Int128)since + (Int128)offsetSeconds * NanosecondsPerSecond;
        return (ulong)Int128.Clamp(time, 0, ulong.MaxValue);
    }
}
