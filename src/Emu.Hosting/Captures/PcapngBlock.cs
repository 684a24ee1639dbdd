namespace Emu.Hosting;

/// <summary>
/// The numbers of pcapng (draft-ietf-opsawg-pcapng): block types, option codes,
/// and where the fields of a block's body stand.
/// </summary>
internal static class PcapngBlock
{
    // Block types. The section header's reads the same in both byte orders.
    public const uint SectionHeader = 0x0A0D_0D0A;
    public const uint InterfaceDescription = 1;
    public const uint ObsoletePacket = 2;
    public const uint SimplePacket = 3;
    public const uint InterfaceStatistics = 5;
    public const uint EnhancedPacket = 6;

    /// <summary>Type and total length in front of a body.</summary>
    public const int HeaderLength = 8;

    /// <summary>The total length again, behind a body.</summary>
    public const int TrailerLength = 4;

    public const int MinLength = HeaderLength + TrailerLength;

    public const uint ByteOrderMagic = 0x1A2B_3C4D;
    public const int SectionMajorVersion = 4;
    public const int SectionLength = 8;
    public const int SectionOptions = 16;

    public const int InterfaceSnapLength = 4;
    public const int InterfaceOptions = 8;

    // The obsolete packet block differs only in its interface number, which has 16 bits.
    public const int PacketTimeHigh = 4;
    public const int PacketTimeLow = 8;
    public const int PacketCapturedLength = 12;
    public const int PacketOriginalLength = 16;
    public const int PacketData = 20;

    public const int SimplePacketData = 4;

    public const int StatisticsTimeHigh = 4;
    public const int StatisticsTimeLow = 8;
    public const int StatisticsOptions = 12;

    // Options; a code has its meaning only within its block.
    public const int OptionHeaderLength = 4;
    public const ushort EndOfOptions = 0;
    public const ushort UserApplication = 4;
    public const ushort InterfaceName = 2;
    public const ushort TimestampResolution = 9;
    public const ushort TimestampOffset = 14;
    public const ushort PacketFlags = 2;
    public const ushort StatisticsStartTime = 2;
    public const ushort StatisticsEndTime = 3;
    public const ushort StatisticsReceived = 4;
    public const ushort StatisticsDropped = 5;

    /// <summary>Bits 1:0 of the packet flags: <see cref="PacketDirection"/>.</summary>
    public const uint FlagsDirection = 3;

    /// <summary>Bits 8:5 of the packet flags: the length of the FCS at the packet's end, 0 if not known.</summary>
    public const int FlagsFcsShift = 5;
    public const uint FlagsFcsMask = 15;

    /// <summary>The length that data takes: up to a multiple of 4.</summary>
    public static int Padded(int length) => length + 3 & ~3;
}
