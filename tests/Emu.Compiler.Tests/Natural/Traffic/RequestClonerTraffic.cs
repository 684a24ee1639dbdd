using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class RequestClonerTraffic
{
    public static readonly IPv4Address Address = IP("10.0.0.100");
    public static readonly IPv4Address[] Servers = [IP("10.0.0.11"), IP("10.0.0.12"), IP("10.0.0.13")];
    public static readonly MacAddress[] Macs = [.. Enumerable.Range(0x11, 3)
        .Select(i => new MacAddress(0x02_00_00_00_00_00UL + (uint)i))];

    private static byte[] Header(byte type, byte clone, int group, uint request, int server, int state, int filter) =>
        [type, clone, .. U16(group), .. U32(request), (byte)server, (byte)state, (byte)filter, 0];

    private static byte[] Request(int client, int group, byte[] body, ushort? checksum = null) =>
        Packet.Ethernet(new MacAddress(0x02_00_00_00_02_00UL + (uint)client), MacAddress.Of(Address))
            .IPv4(IP($"10.0.1.{client}"), Address).Udp((ushort)(30000 + client), 9393, checksum: checksum)
            .Payload([.. Header(1, 0, group, 0, 0, 0, client), .. body]).PaddedTo(60);

    private static byte[] Answer(int server, int client, byte clone, uint request, int state, byte[] body,
        int? claimed = null) =>
        Packet.Ethernet(Macs[server], new MacAddress(0x02_00_00_00_02_00UL + (uint)client))
            .IPv4(Servers[server], IP($"10.0.1.{client}")).Udp(9393, (ushort)(30000 + client))
            .Payload([.. Header(2, clone, 0, request, claimed ?? server, state, client), .. body]).PaddedTo(60);

    public static IEnumerable<(int Port, byte[] Frame)> Frames()
    {
        // Each request is answered by both of its servers. On repetition the numbers of requests are others, which only
        // the servers' answers would show; two answers of a number still follow each other.
        for (uint i = 1; i <= 10; i++)
        {
            var client = 1 + (int)i % 5;
            yield return (0, Request(client, (int)i % 6, Noise(20 + (int)i * 17 % 120, (int)i)));
            yield return (1, Answer((int)i % 3, client, 1, i, state: i % 4 == 0 ? 2
                : 0, Noise(40 + (int)i * 97 % 900, (int)i)));
            yield return (1, Answer((int)(i + 1) % 3, client, 2, i, state: 0, Noise(40 + (int)i * 97 % 900, (int)i)));
        }
        yield return (1, Answer(0, 4, 0, 11, state: 3, Noise(200, 11))); // alone; the server is busy now
        yield return (0, Request(4, 0, Noise(64, 12)));
        yield return (1, Answer(0, 4, 0, 12, state: 0, Noise(300, 12)));
        yield return (0, Request(2, 60, Noise(64, 13))); // no such group
        yield return (0, Request(2, 1, Noise(64, 14), checksum: 0x1111));
        yield return (1, Answer(1, 2, 1, 99, 0, Noise(64, 15), claimed: 2)); // for another server
        yield return (1, Answer(1, 2, 1, 99, 0, Noise(64, 15), claimed: 200));
        yield return (0, Packet.Ethernet(Left, MacAddress.Of(Address)).IPv4(IP("10.0.1.1"), Address).Udp(30001, 9393)
            .Payload([1, 0, 0]).PaddedTo(60));
        yield return (0, Packet.Ethernet(Left, MacAddress.Broadcast).ArpRequest(Left, IP("10.0.1.1"), Address)
            .PaddedTo(60));
        for (var i = 0; i < 4; i++) yield return (i % 2, Background(i));
    }
}
