using System.Runtime.InteropServices;

namespace Emu.Hosting;

/// <summary><c>struct tpacket2_hdr</c> (linux/if_packet.h), which every slot of a packet ring begins with.</summary>
[StructLayout(LayoutKind.Sequential, Size = 32)]
internal struct PacketSlot
{
    // Receive: TP_STATUS_…
    public const uint Kernel = 0;
    public const uint User = 1;
    public const uint Losing = 4;
    public const uint VlanValid = 0x10;
    public const uint VlanTypeValid = 0x40;

    // Transmit: TP_STATUS_…
    public const uint Available = 0;
    public const uint SendRequest = 1;
    public const uint WrongFormat = 4;

    /// <summary>The owner of the slot and flags of the frame; to be read first and written last.</summary>
    public uint Status;

    /// <summary>The frame's bytes on the wire.</summary>
    public uint Length;

    /// <summary>The frame's bytes in the slot.</summary>
    public uint CapturedLength;

    /// <summary>The offset of the frame in the slot.</summary>
    public ushort FrameOffset;

    /// <summary>The offset of its payload in the slot.</summary>
    public ushort PayloadOffset;

    /// <summary>The time of its arrival: seconds.</summary>
    public uint Seconds;

    /// <summary>The time of its arrival: nanoseconds.</summary>
    public uint Nanoseconds;

    /// <summary>The tag control information of the VLAN tag that was taken out.</summary>
    public ushort VlanTag;

    /// <summary>The EtherType of the VLAN tag that was taken out.</summary>
    public ushort VlanType;
}
