namespace Emu.Testing;

public sealed partial class Packet
{
    /// <summary>
    /// RFC 4861 §7.1: neighbor discovery is valid only with the hop limit that no router lets through.
    /// For <see cref="IPv6"/>.
    /// </summary>
    public const byte NeighborHopLimit = 255;

    /// <summary>A message of ICMP (RFC 792).</summary>
    /// <param name="type">Such as 3, destination unreachable.</param>
    /// <param name="code">The code, which details the type.</param>
    /// <param name="rest">Bytes 4 to 7 of the header, which depend on the type.</param>
    /// <param name="checksum">The right one when left out.</param>
    public Packet Icmp(byte type, byte code = 0, uint rest = 0, ushort? checksum = null) => With(new PacketLayer(
        c =>
        {
            byte[] message = [type, code, 0, 0, .. PacketBytes.Of(rest), .. c.Content];
            return message.With(2, checksum ?? PacketBytes.Checksum(message));
        },
        protocol: 1));

    /// <summary>An echo request, type 8; its data follow as payload.</summary>
    public Packet IcmpEchoRequest(ushort identifier, ushort sequence, ushort? checksum = null) =>
        Icmp(8, 0, (uint)identifier << 16 | sequence, checksum);

    /// <summary>An echo reply, type 0; its data follow as payload.</summary>
    public Packet IcmpEchoReply(ushort identifier, ushort sequence, ushort? checksum = null) =>
        Icmp(0, 0, (uint)identifier << 16 | sequence, checksum);

    /// <summary>A message of ICMPv6 (RFC 4443 §2.1).</summary>
    /// <param name="type">Such as 1, destination unreachable.</param>
    /// <param name="code">The code, which details the type.</param>
    /// <param name="rest">Bytes 4 to 7 of the header, which depend on the type.</param>
    /// <param name="checksum">The right one when left out.</param>
    public Packet Icmpv6(byte type, byte code = 0, uint rest = 0, ushort? checksum = null) => With(new PacketLayer(
        c =>
        {
            byte[] message = [type, code, 0, 0, .. PacketBytes.Of(rest), .. c.Content];
            return message.With(2, checksum ?? c.Checksum(message, 58));
        },
        protocol: 58));

    /// <summary>An echo request, type 128; its data follow as payload.</summary>
    public Packet Icmpv6EchoRequest(ushort identifier, ushort sequence, ushort? checksum = null) =>
        Icmpv6(128, 0, (uint)identifier << 16 | sequence, checksum);

    /// <summary>An echo reply, type 129; its data follow as payload.</summary>
    public Packet Icmpv6EchoReply(ushort identifier, ushort sequence, ushort? checksum = null) =>
        Icmpv6(129, 0, (uint)identifier << 16 | sequence, checksum);

    /// <summary>Asks for the station address of <paramref name="target"/> (RFC 4861 §4.3).</summary>
    /// <param name="target">The address asked for.</param>
    /// <param name="source">The option with the sender's station address; none when left out.</param>
    /// <param name="checksum">The right one when left out.</param>
    public Packet NeighborSolicitation(IPv6Address target, MacAddress? source = null, ushort? checksum = null) =>
        Icmpv6(135, checksum: checksum).Payload([.. PacketBytes.Of(target), .. LinkLayerOption(1, source)]);

    /// <summary>Says where <paramref name="target"/> is (RFC 4861 §4.4).</summary>
    /// <param name="target">The address spoken of.</param>
    /// <param name="station">The option with its station address; none when left out.</param>
    /// <param name="router">The flag R.</param>
    /// <param name="solicited">The flag S.</param>
    /// <param name="replace">The flag O: what was known before is to be replaced.</param>
    /// <param name="checksum">The right one when left out.</param>
    public Packet NeighborAdvertisement(
        IPv6Address target, MacAddress? station = null, bool router = false, bool solicited = true, bool replace = true,
        ushort? checksum = null)
    {
        var flags = (router ? 0x8000_0000 : 0) | (solicited ? 0x4000_0000u : 0) | (replace ? 0x2000_0000u : 0);
        return Icmpv6(136, rest: flags, checksum: checksum)
            .Payload([.. PacketBytes.Of(target), .. LinkLayerOption(2, station)]);
    }

    private static byte[] LinkLayerOption(byte type, MacAddress? address) =>
        address is { } mac ? [type, 1, .. PacketBytes.Of(mac)] : [];
}
