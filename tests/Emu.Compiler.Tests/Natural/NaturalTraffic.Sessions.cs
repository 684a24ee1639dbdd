using System.Text;
using Emu.Testing;

namespace Emu.Compiler.Tests;

internal static partial class NaturalTraffic
{
    /// <summary>A request of Redis: reads, writes, or what only administrators do.</summary>
    public static byte[] RedisRequest(int i)
    {
        string[] words = (i % 6) switch
        {
            0 or 1 => ["GET", $"user:{i}"],
            2 => ["set", $"user:{i}", new string('v', i * 3)],
            3 => ["DEL", $"user:{i}"],
            4 => i % 4 == 0 ? ["FLUSHALL"] : ["CONFIG", "SET", "dir", "/tmp"],
            _ => ["LPUSH", "queue", $"job-{i}"],
        };
        return Encoding.ASCII.GetBytes(
            $"*{words.Length}\r\n" + string.Concat(words.Select(word => $"${word.Length}\r\n{word}\r\n")));
    }

    /// <summary>The hello of a client of TLS, as browsers send it, with its extensions in one of two orders.</summary>
    public static byte[] Hello(int i, Random random)
    {
        byte[] host = Encoding.ASCII.GetBytes((i % 4) switch
        {
            0 => "www.example.com",
            1 => $"host{i}.cdn.example.net",
            2 => "example.com",
            _ => "badexample.com",
        });
        byte[] name =
        [
            0, 0, .. Of((ushort)(host.Length + 5)), .. Of((ushort)(host.Length + 3)), 0, .. Of((ushort)host.Length),
            .. host,
        ];
        byte[] others =
        [
            0, 23, 0, 0, 0xFF, 1, 0, 1, 0, 0, 10, 0, 10, 0, 8, .. Bytes(random, 8), 0, 11, 0, 2, 1, 0, 0, 35, 0, 0,
            0, 16, 0, 14, 0, 12, 2, .. "h2"u8, 8, .. "http/1.1"u8,
        ];
        byte[] extensions = i % 7 == 6 ? others : i % 2 == 0 ? [.. name, .. others] : [.. others, .. name];
        byte[] session = Bytes(random, i % 5 == 4 ? 0 : 32);
        byte[] ciphers = Bytes(random, 2 * (15 + i % 3));
        byte[] body =
        [
            3, 3, .. Bytes(random, 32), (byte)session.Length, .. session, .. Of((ushort)ciphers.Length), .. ciphers,
            1, 0, .. Of((ushort)extensions.Length), .. extensions, .. Bytes(random, i),
        ];
        return
        [
            22, 3, 1, .. Of((ushort)(body.Length + 4)), 1, 0, .. Of((ushort)body.Length), .. body,
        ];
    }

    /// <summary>Acknowledgements of DHCP servers, and frames of hosts that have a lease mostly.</summary>
    public static (int Port, byte[] Bytes) Lease(int i, Random random)
    {
        var host = i < 20 ? i : i % 24;
        if (i < 20 || i % 10 == 9)
            return (i % 30 == 29 ? 1 : 3, Packet.Ethernet(Gateway, Own).IPv4(Outside, Host(host)).Udp(67, 68).Payload(
            [
                2, 1, 6, 0, .. Bytes(random, 4), .. new byte[8], .. PacketBytes.Of(Host(host)), .. new byte[8],
                .. PacketBytes.Of(MacAddress.Of(Host(host))), .. new byte[10], .. new byte[192],
                0x63, 0x82, 0x53, 0x63, 53, 1, (byte)(i % 10 == 8 ? 2 : 5), 54, 4, 8, 8, 8, 8, 51, 4, 0, 0, 14, 16,
                1, 4, 255, 255, 255, 0, 3, 4, 10, 0, 0, 1, 6, 8, 8, 8, 8, 8, 8, 8, 4, 4, 255, .. new byte[10],
            ]));
        return (i % 3, Packet.Ethernet(MacAddress.Of(Host(host)), Gateway).IPv4(Host(i % 13 == 0 ? 1 : host), Outside)
            .Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60));
    }

    /// <summary>Hosts that browse, of which some have logged in; and what comes back.</summary>
    public static (int Port, byte[] Bytes) Visit(int i, Random random) => (i % 5) switch
    {
        0 when i < 50 => (0, Packet.Ethernet(Gateway, Own).IPv4(Outside, Address).Udp(1, 4000)
            .Payload([.. PacketBytes.Of(Host(i % 8))]).PaddedTo(60)),
        0 => (0, Packet.Ethernet(Gateway, Own).IPv4(Vip, Host(i)).Tcp(80, 1000, flags: Packet.Ack)
            .Payload(Bytes(random, i * 8))),
        1 => (1, FromHost(i, Outside).Udp(1, 53).Payload(Bytes(random, 30))),
        2 when i % 2 == 0 => (2, FromHost(i % 30, Vip).Tcp(1000, 80, flags: Packet.Syn, sequence: 7).PaddedTo(60)),
        _ => (1, FromHost(i % 30, Vip).Tcp(1000, 80, flags: Packet.Ack | Packet.Psh, sequence: 8).Payload(Request(i))),
    };

    /// <summary>Segments of some connections there and back, each with timestamps.</summary>
    public static byte[] Timestamped(int i, Random random)
    {
        var connection = i / 2 % 7;
        byte[] options = [1, 1, 8, 10, 0, 0, 0, (byte)(i / 2), 0, 0, 0, (byte)(i / 2 - i % 3)];
        return i % 2 == 0
            ? FromHost(connection, Outside).Tcp(1000, 443, flags: Packet.Ack, options: options)
                .Payload(Bytes(random, i * 4)).PaddedTo(60)
            : Packet.Ethernet(Own, Peer).IPv4(Outside, Host(connection))
                .Tcp(443, 1000, flags: Packet.Ack, options: options).Payload(Bytes(random, i * 2)).PaddedTo(60);
    }
}
