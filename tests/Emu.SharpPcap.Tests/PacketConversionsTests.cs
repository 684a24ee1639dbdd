using System.Net;
using Emu.Testing;
using PacketDotNet;
using Packet = Emu.Testing.Packet;

namespace Emu.SharpPcap.Tests;

public sealed class PacketConversionsTests
{
    private static readonly MacAddress s_a = MacAddress.Parse("02:00:00:00:00:0a");
    private static readonly MacAddress s_b = MacAddress.Parse("02:00:00:00:00:0b");

    private static readonly Packet s_packet = Packet.Ethernet(s_a, s_b)
        .IPv4(IPv4Address.Parse("10.0.0.1"), IPv4Address.Parse("10.0.0.2")).Udp(5000, 5001).Payload("hello");

    [Fact]
    public void A_packet_of_a_test_is_one_of_PacketDotNet_and_back()
    {
        var packet = s_packet.ToPacketDotNet();
        var udp = packet.Extract<UdpPacket>();
        Assert.Equal((5000, 5001), (udp.SourcePort, udp.DestinationPort));
        Assert.Equal("hello"u8.ToArray(), udp.PayloadData);
        Assert.Equal(s_packet.ToArray(), packet.ToEmu().ToArray());
    }

    [Fact]
    public void A_service_sees_its_frame_as_a_packet_and_sends_one()
    {
        var sent = new ServiceRun(new Answering()).Receive(0, s_packet);
        var frame = Assert.Single(sent);
        var answer = PacketConversions.ToPacketDotNet(frame.Bytes).Extract<UdpPacket>();
        Assert.Equal("hello, 10.0.0.1"u8.ToArray(), answer.PayloadData);
        Assert.True(answer.ValidUdpChecksum);
    }

    [Fact]
    public void What_has_no_Ethernet_header_is_refused() =>
        Assert.Contains(
            "13 bytes have no Ethernet header",
            Assert.Throws<ArgumentException>(() => PacketConversions.ToPacketDotNet(new byte[13])).Message);

    /// <summary>Sends the payload back, and the address that it came from.</summary>
    private sealed class Answering : Service
    {
        public override void Process(ref Frame frame)
        {
            var packet = frame.ToPacketDotNet();
            var (ip, udp) = (packet.Extract<IPv4Packet>(), packet.Extract<UdpPacket>());
            IPAddress sender = ip.SourceAddress;
            udp.PayloadData = [.. udp.PayloadData, .. System.Text.Encoding.ASCII.GetBytes($", {sender}")];
            (ip.SourceAddress, ip.DestinationAddress) = (ip.DestinationAddress, sender);
            packet.UpdateCalculatedValues();
            udp.UpdateUdpChecksum();
            ip.UpdateIPChecksum();
            frame.Set(packet);
            frame.Reply();
        }
    }
}
