using Emu;
using Emu.Testing;
using Xunit;

namespace Services.Tests;

public sealed class EmuService1Tests
{
    private static readonly MacAddress s_left = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly MacAddress s_right = MacAddress.Parse("02:00:00:00:00:02");

    [Fact]
    public void A_datagram_to_another_port_goes_on()
    {
        var run = new ServiceRun(new EmuService1(blockedPort: 53), ports: 2);
        PacketAssert.Sent(run.Receive(0, Datagram(to: 123)), PortSet.Parse("1"), Datagram(to: 123));
    }

    [Fact]
    public void A_datagram_to_the_blocked_port_is_dropped_and_counted()
    {
        var service = new EmuService1(blockedPort: 53);
        PacketAssert.Nothing(new ServiceRun(service, ports: 2).Receive(0, Datagram(to: 53)));
        Assert.Equal(1UL, service.Blocked.Value);
    }

    [Fact]
    public void Every_target_does_the_same() =>
        Ladder.Check(
            () => new EmuService1(blockedPort: 53),
            FrameSequence.Like([Datagram(to: 53), Datagram(to: 123)], count: 200, seed: 1));

    private static Packet Datagram(ushort to) =>
        Packet.Ethernet(s_left, s_right).IPv4(IPv4Address.Parse("10.0.0.1"), IPv4Address.Parse("10.0.0.2"))
            .Udp(1000, to).Payload("hello").PaddedTo(60);
}
