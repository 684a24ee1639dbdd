using System.Buffers.Binary;
using System.Text;
using Emu.Testing;

namespace Emu.Compiler.Tests;

internal static partial class NaturalTraffic
{
    /// <summary>A request that came by a proxy, or by several, or without saying for whom.</summary>
    public static byte[] Proxied(int i)
    {
        var client = i % 20 == 13 ? "unknown" : $"203.0.{i % 7}.{i * 3 % 256}";
        return Encoding.ASCII.GetBytes(
            $"{(i % 9 == 4 ? "POST" : "GET")} /{new string('x', i % 30)} HTTP/1.1\r\nHost: www.example.com\r\n"
            + (i % 11 == 5 ? "" : $"X-Forwarded-For: {client}{(i % 3 == 0 ? ", 10.0.0.7" : "")}\r\n")
            + "Accept: */*\r\n\r\n");
    }

    /// <summary>A message of FIX, some with a wrong checksum or a wrong length.</summary>
    public static byte[] FixMessage(int i)
    {
        var type = (i % 6) switch { 0 => "F", 1 => "0", _ => "D" };
        var body = $"35={type}|49=CLIENT{i % 4}|56=VENUE|34={i}|52=20260101-12:00:00.{i:000}|"
            + (type == "0" ? "" : $"11=ORD{i}|55=ACME|54=1|38={i * 100}|40=2|44={i}.25|");
        var message = $"8=FIX.4.{(i % 2 == 0 ? 2 : 4)}|9={body.Length + (i % 13 == 6 ? 1 : 0)}|{body}";
        var sum = message.Sum(c => c == '|' ? 1 : c) + (i % 17 == 8 ? 1 : 0);
        return Encoding.ASCII.GetBytes($"{message}10={sum % 256:000}|".Replace('|', '\u0001'));
    }

    /// <summary>An answer of DNS: one alias and addresses, inside now and then; or something that is none.</summary>
    public static byte[] Answers(int i, Random random)
    {
        byte[] name = [3, .. "www"u8, (byte)(5 + i % 6), .. Bytes(random, 5 + i % 6), 3, .. "com"u8, 0];
        byte[] alias = [0xC0, 12, 0, 5, 0, 1, 0, 0, 0, 60, 0, 9, 6, .. "server"u8, 0xC0, 16];
        byte[] addresses = [.. Enumerable.Range(0, 1 + i % 3).SelectMany(k => (byte[])
            [
                0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, (byte)(i % 8 == 5 && k == i % 3 ? 10 : 93), 0, (byte)i, 7,
            ])];
        byte[] sixth = [0xC0, 12, 0, 28, 0, 1, 0, 0, 0, 60, 0, 16, .. Bytes(random, 16)];
        var count = i % 3 + 1 + (i % 2 == 0 ? 1 : 0) + (i % 5 == 0 ? 1 : 0);
        return
        [
            .. Of((ushort)i), 0x81, 0x80, 0, 1, 0, (byte)count, 0, 0, 0, 0, .. name, 0, 1, 0, 1,
            .. i % 2 == 0 ? alias : [], .. addresses, .. i % 5 == 0 ? sixth : [],
        ];
    }

    /// <summary>Reports of viewers, and what is sent to the groups that they have joined.</summary>
    public static (int Port, byte[] Bytes) Viewed(int i, Random random)
    {
        var group = new IPv4Address(0xEF020300u + (uint)(i * 7 % 5));
        return i < 12
            ? (1 + i % 3, Packet.Ethernet(MacAddress.Of(Host(i)), MacAddress.Broadcast).Vlan((ushort)(200 + i % 3))
                .IPv4(Host(i), group, ttl: 1, protocol: 2).Payload(Igmp(0x16, group)).PaddedTo(60))
            : (0, Packet.Ethernet(Peer, MacAddress.Broadcast).Vlan((ushort)(i % 10 == 9 ? 101 : 100))
                .IPv4(Outside, group).Udp(1, 2).Payload(Bytes(random, i % 4 == 0 ? 1316 : i * 4)));
    }

    /// <summary>A packet of MoldUDP64 with some messages, each packet twice.</summary>
    public static byte[] Feed(int i, Random random)
    {
        var packet = i / 2;
        var drawn = new Random(packet);
        var count = packet % 6;
        byte[] messages = [.. Enumerable.Range(0, count).SelectMany(k => (byte[])(drawn.Next(4) switch
        {
            0 => [0, 31, (byte)'E', .. Bytes(drawn, 30)],
            1 => [0, 44, (byte)'P', .. Bytes(drawn, 43)],
            _ =>
            [
                0, 36, (byte)'A', .. Bytes(drawn, 23), .. drawn.Next(5) == 0 ? "ACME    "u8 : "OTHER   "u8,
                .. Bytes(drawn, 4),
            ],
        }))];
        var sequence = new byte[8];
        BinaryPrimitives.WriteUInt64BigEndian(sequence, (ulong)(1 + packet * 5 + (packet > 20 ? 3 : 0)));
        return
        [
            .. "SESSION001"u8, .. sequence, .. Of((ushort)(count + (packet % 12 == 11 ? 1 : 0))), .. messages,
        ];
    }

    /// <summary>A packet in NSH, with metadata of fixed length, of any length, or none.</summary>
    public static byte[] Chained(int i, Random random)
    {
        var kind = i % 3 == 0 ? 2 : 1;
        var words = kind == 1 ? 6 : 2 + i % 4;
        byte[] inner = Packet.Bare.IPv4(Host(i), Outside).Udp(1, 2).Payload(Bytes(random, i * 4));
        var ttl = i % 20 == 9 ? 1 : 63 - i % 5;
        return Packet.Ethernet(Peer, Own, 0x894F).Payload(
            [
                .. Of((ushort)(ttl << 6 | words)), (byte)kind, 1, 0, 0, (byte)(1 + i % 2), (byte)(5 - i % 4),
                .. Bytes(random, words * 4 - 8), .. inner,
            ]);
    }

    /// <summary>Commands of FTP from inside, data connections from outside, and what else there is.</summary>
    public static (int Port, byte[] Bytes) Transfer(int i, Random random)
    {
        var host = i / 4 % 20;
        var text = Host(host).ToString().Replace('.', ',');
        return (i % 4) switch
        {
            0 => (0, FromHost(host, Outside).Tcp((ushort)(3000 + host), 21, flags: Packet.Ack | Packet.Psh)
                .Payload($"PORT {(i % 28 == 0 ? "10,0,9,9" : text)},{16 + host},{i % 200}\r\n").PaddedTo(60)),
            1 => (1, Packet.Ethernet(Gateway, Own).IPv4(Outside, Host(host))
                .Tcp(20, (ushort)((16 + host) * 256 + (i - 1) % 200), flags: Packet.Syn).PaddedTo(60)),
            2 => (0, FromHost(host, Outside).Tcp((ushort)(3000 + host), 21, flags: Packet.Ack | Packet.Psh)
                .Payload($"RETR file-{i}.bin\r\n").PaddedTo(60)),
            _ => (1, Packet.Ethernet(Gateway, Own).IPv4(Outside, Host(host))
                .Tcp(20, (ushort)((16 + host) * 256 + i % 200), flags: Packet.Ack).Payload(Bytes(random, i * 12))
                .PaddedTo(60)),
        };
    }
}
