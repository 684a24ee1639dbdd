using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class PrefixTraffic
{
    public static Packet Out(string source, string destination, byte hops = 64) =>
        Link.IPv6(IP6(source), IP6(destination), hops);

    public static IEnumerable<(int, byte[])> Frames()
    {
        for (var i = 0; i < 80; i++)
        {
            var (host, far) = ($"fd01:203:405:{i % 5 + 1}::{i + 16:x}", $"2001:db8:9::{i + 1:x}");
            yield return (i % 10) switch
            {
                0 or 1 => (0, Out(host, far).Tcp(40000, 443, flags: Packet.Ack).Payload(Noise(i * 97 % 1380, i))),
                2 => (0, Out(host, far).Udp(5000, 53).Payload(Noise(40, i))),
                3 => (0, Out(host, far).Icmpv6EchoRequest(1, (ushort)i).Payload(Noise(56, i))),
                4 or 5 => (1, Back.IPv6(IP6(far), IP6($"2001:db8:1:{0xD54F + i % 5:x}::{i + 16:x}"))
                    .Tcp(443, 40000, flags: Packet.Ack).Payload(Noise(i * 131 % 1380, i))),
                6 => (0, Out(host, far, hops: 1).Udp(5000, 33434).Payload(Noise(20 + i * 5, i))),
                7 => (0, i % 20 < 10 ? Out("fd09::1", far).Udp(1, 2).Payload("x")
                    : Out("fd01:203:405:ffff::1", far).Udp(1, 2).Payload("x")),
                8 => (1, i % 20 < 10 ? Back.IPv6(IP6(far), IP6("2001:db8:2::1")).Udp(1, 2).Payload("x")
                    : Out(host, "ff02::1").Udp(1, 2).Payload("x")),
                _ => (i % 2, Background(i)),
            };
        }
    }
}
