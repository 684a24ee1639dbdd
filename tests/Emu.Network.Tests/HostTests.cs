using System.Net.Sockets;
using System.Text;
using Emu.Services;
using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>Real clients talk to several services at one address.</summary>
public sealed class HostTests
{
    [Fact]
    public void Ping_dig_and_a_client_of_memcached_are_answered()
    {
        Needs.Network("dig");
        using var network = new ServiceNetwork(
            PortKind.Tap,
            new Host(
                IPv4Address.Parse("10.0.0.77"), MacAddress.Parse("02:00:00:00:00:77"), echo: true,
                dns: ["example.zone"], memcached: 11211),
            1);
        var host = network.Hosts[0];
        host.Ping("10.0.0.77", "-c", "1");
        Assert.Equal(
            "192.0.2.80\n192.0.2.81\n",
            host.Do("dig", ["@10.0.0.77", "+notcp", "+time=5", "+short", "www.example.com", "A"]));
        using var client = host.Inside(() => new UdpClient("10.0.0.77", 11211));
        client.Client.ReceiveTimeout = (int)Until.Limit.TotalMilliseconds;
        client.Client.Send(Packet.Bare.MemcachedFrame(1).Payload("version\r\n").ToArray());
        var answer = new byte[100];
        Assert.Equal("VERSION 1.6.18\r\n", Encoding.Latin1.GetString(answer.AsSpan(8..client.Client.Receive(answer))));
        Assert.Empty(network.Look().Faults);
        Assert.Equal(1UL, network.Look().Counters[nameof(Host.EchoReplies)]);
    }
}
