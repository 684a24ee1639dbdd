namespace Emu.Testing;

/// <content>Headers in front of what is carried through other networks.</content>
public sealed partial class Packet
{
    /// <summary>
    /// A header of VXLAN (RFC 7348 §5), behind UDP with destination port 4789; the frame inside is the next
    /// <see cref="Payload(byte[])"/>.
    /// </summary>
    /// <param name="vni">The network identifier, 24 bits.</param>
    /// <param name="flags">8, which says that the identifier is valid, unless others are wanted.</param>
    public Packet Vxlan(uint vni, byte flags = 8) => With(new PacketLayer(
        c => [flags, 0, 0, 0, .. PacketBytes.Of(vni << 8), .. c.Content]));

    /// <summary>A header of GRE (RFC 2784 §2, RFC 2890 §2).</summary>
    /// <param name="key">The key; none when left out.</param>
    /// <param name="sequenceNumber">The sequence number; none when left out.</param>
    /// <param name="hasChecksum">True for one with a checksum.</param>
    /// <param name="checksum">The right one when left out.</param>
    /// <param name="type">The EtherType of the payload; that of the next header when left out.</param>
    public Packet Gre(
        uint? key = null, uint? sequenceNumber = null, bool hasChecksum = false, ushort? checksum = null,
        ushort? type = null) => With(new PacketLayer(
        c =>
        {
            var flags = (hasChecksum ? 0x8000 : 0) | (key is null ? 0 : 0x2000) | (sequenceNumber is null ? 0 : 0x1000);
            byte[] packet =
            [
                .. PacketBytes.Of((ushort)flags), .. PacketBytes.Of(type ?? c.EtherType),
                .. hasChecksum ? new byte[4] : [], .. key is { } number ? PacketBytes.Of(number) : [],
                .. sequenceNumber is { } sequence ? PacketBytes.Of(sequence) : [], .. c.Content,
            ];
            return hasChecksum ? packet.With(4, checksum ?? PacketBytes.Checksum(packet)) : packet;
        },
        protocol: 47));
}
