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

    /// <summary>Who owns the slot, and what there is to know about the frame; to be read first and written last.</summary>
    public uint Status;

    /// <summary>The frame's bytes on the wire.</summary>
    public uint Length;

    /// <summary>The frame's bytes in the slot.</summary>
    public uint CapturedLength;

    /// <summary>Where in the slot the frame begins.</summary>
    public ushort FrameOffset;

    /// <summary>Where in the slot its payload begins.</summary>
    public ushort PayloadOffset;

    /// <summary>When it arrived.</summary>
    public uint Seconds;

    /// <summary>When it arrived.</summary>
    public uint Nanoseconds;

    /// <summary>The tag control information of the VLAN tag that was taken out.</summary>
    public ushort VlanTag;

    /// <summary>The EtherType of the VLAN tag that was taken out.</summary>
    public ushort VlanType;
}
