namespace Emu.Testing;

public sealed partial class Packet
{
    /// <summary>A message of address resolution for IPv4 on Ethernet (RFC 826).</summary>
    /// <param name="operation">1 for a request, 2 for a reply.</param>
    /// <param name="senderMac">The sender's station address.</param>
    /// <param name="senderIP">The sender's IPv4 address.</param>
    /// <param name="targetMac">The target's station address; all 0 in a request.</param>
    /// <param name="targetIP">The target's IPv4 address.</param>
    public Packet Arp(
        ushort operation, MacAddress senderMac, IPv4Address senderIP, MacAddress targetMac, IPv4Address targetIP) =>
        With(new PacketLayer(
            c => [
                .. PacketBytes.Of(0x0001_0800), 6, 4, .. PacketBytes.Of(operation),
                .. PacketBytes.Of(senderMac), .. PacketBytes.Of(senderIP), .. PacketBytes.Of(targetMac),
                .. PacketBytes.Of(targetIP), .. c.Content],
            etherType: 0x0806));

    /// <summary>Asks who has <paramref name="targetIP"/>.</summary>
    public Packet ArpRequest(MacAddress senderMac, IPv4Address senderIP, IPv4Address targetIP) =>
        Arp(1, senderMac, senderIP, default, targetIP);

    /// <summary>Answers that <paramref name="senderIP"/> is at <paramref name="senderMac"/>.</summary>
    public Packet ArpReply(MacAddress senderMac, IPv4Address senderIP, MacAddress targetMac, IPv4Address targetIP) =>
        Arp(2, senderMac, senderIP, targetMac, targetIP);
}
