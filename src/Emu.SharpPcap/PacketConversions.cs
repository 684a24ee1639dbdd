using PacketDotNet;

namespace Emu.SharpPcap;

/// <summary>
/// Frames and packets of Emu as packets of PacketDotNet, and back. Bytes are copied: neither side sees what the other
/// changes later.
/// </summary>
public static class PacketConversions
{
    /// <summary>A frame as PacketDotNet parses it, from Ethernet on.</summary>
    /// <param name="frame">Of at least 14 bytes.</param>
    public static EthernetPacket ToPacketDotNet(this Frame frame) => ToPacketDotNet(frame.Bytes);

    /// <summary>A packet of a test as PacketDotNet parses it, from Ethernet on.</summary>
    /// <param name="packet">Begins with Ethernet.</param>
    public static EthernetPacket ToPacketDotNet(this Testing.Packet packet)
    {
        ArgumentNullException.ThrowIfNull(packet);
        return ToPacketDotNet(packet.ToArray());
    }

    /// <summary>Bytes as PacketDotNet parses them, from Ethernet on.</summary>
    /// <param name="bytes">At least 14, without FCS.</param>
    public static EthernetPacket ToPacketDotNet(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < FrameLength.Header)
            throw new ArgumentException($"{bytes.Length} bytes have no Ethernet header", nameof(bytes));
        return (EthernetPacket)Packet.ParsePacket(LinkLayers.Ethernet, bytes.ToArray());
    }

    /// <summary>Makes a frame that of a packet; in <c>Process</c> under .NET, for what tests and prototypes send.
    /// </summary>
    /// <param name="frame">Takes the packet's length.</param>
    /// <param name="packet">Begins with Ethernet. Checksums and lengths are those that it says.</param>
    public static void Set(this ref Frame frame, EthernetPacket packet)
    {
        ArgumentNullException.ThrowIfNull(packet);
        var bytes = packet.Bytes;
        frame.Resize(bytes.Length);
        bytes.CopyTo(frame.Bytes);
    }

    /// <summary>A packet of PacketDotNet as a packet of a test: its bytes as they are.</summary>
    /// <param name="packet">Begins with Ethernet.</param>
    public static Testing.Packet ToEmu(this EthernetPacket packet)
    {
        ArgumentNullException.ThrowIfNull(packet);
        return Testing.Packet.Bare.Payload(packet.Bytes);
    }
}
