using System.Text;
using Emu.Testing;

namespace Emu.Compiler.Tests;

internal static partial class NaturalTraffic
{
    public static readonly string[] Files =
        [$"boot.cfg={new string('b', 100)}", $"kernel={Lines(1500)}", $"initrd.img={Lines(1024)}", "empty="];

    public static byte[] Ber(byte tag, params byte[] value) => value.Length switch
    {
        < 128 => [tag, (byte)value.Length, .. value],
        < 256 => [tag, 0x81, (byte)value.Length, .. value],
        _ => [tag, 0x82, .. U16(value.Length), .. value],
    };

    public static byte[] LdapBind(int id, string name, byte choice, byte[] credentials) =>
        Ber(0x30,
            [
            .. Ber(2, (byte)id),
            .. Ber(0x60, [.. Ber(2, 3), .. Ber(4, Encoding.ASCII.GetBytes(name)), .. Ber(choice, credentials)]),
            ]);

    public static (int Port, byte[] Bytes) Ldap(int i, Random random)
    {
        if (random.Next(8) == 0) return Other(random);
        var user = $"uid=user{random.Next(1000)},ou=people,dc=example,dc={new string('x', random.Next(3, 150))}";
        var message = random.Next(14) switch
        {
            0 or 1 => LdapBind(i & 127, user, 0x80, Encoding.ASCII.GetBytes("secret")),
            2 => LdapBind(i & 127, "", 0x80, []),
            3 => LdapBind(i & 127, user, 0x80, []),
            4 or 5 => LdapBind(i & 127, "", 0xA3, [.. Ber(4, "GSSAPI"u8.ToArray()), .. Ber(4, Bytes(random, 20, 400))]),
            6 => [0x30, 0x80, .. Bytes(random, 4, 20)],
            7 => Ber(0x30, [.. Ber(2, (byte)(i & 127)), .. Ber(0x77, Ber(0x80, "1.3.6.1.4.1.1466.20037"u8.ToArray()))]),
            8 => LdapBind(i & 127, user, 0x80, Encoding.ASCII.GetBytes("hunter2"))[..^4],
            _ => Ber(0x30, [.. Ber(2, (byte)(i & 127)), .. Ber(0x63, Bytes(random, 30, 300))]),
        };
        return (0, Link.IPv4(Host(random, 20), Right)
            .Tcp((ushort)(40000 + random.Next(100)), 389, sequence: (uint)i * 100, flags: Packet.Ack | Packet.Psh)
            .Payload(message).PaddedTo(60));
    }

    public static byte[] TftpRequest(byte opcode, string name, string mode = "octet") =>
        [0, opcode, .. Encoding.ASCII.GetBytes(name), 0, .. Encoding.ASCII.GetBytes(mode), 0];

    public static (int Port, byte[] Bytes) Tftp(int i, Random random)
    {
        if (random.Next(10) == 0) return Other(random);
        var client = i % 6;
        var address = new IPv4Address(0x0A00_0020 + (uint)client);
        var tid = (ushort)(2000 + client);
        // Most clients read a file, and then another.
        (ushort Port, byte[] Message) message = random.Next(10) != 0
            ? (i / 6 % 7) switch
            {
                0 => ((ushort)69, TftpRequest(
                    1, client < 3 ? "kernel" : "initrd.img", client == 1 ? "OCTET" : "octet")),
                4 => ((ushort)69, TftpRequest(1, client == 5 ? "empty" : "boot.cfg")),
                5 => (tid, [0, 4, .. U16(1)]),
                6 => ((ushort)69, TftpRequest(1, "pxelinux.0")),
                var block => (tid, [0, 4, .. U16(block)]),
            }
            : random.Next(5) switch
            {
                0 => ((ushort)69, TftpRequest(1, "passwd")),
                1 => ((ushort)69, TftpRequest(2, "kernel")),
                2 => ((ushort)69, TftpRequest(1, "kernel", "netascii")),
                3 => (tid, [0, 5, 0, 0, .. "gone"u8, 0]),
                _ => (tid, [0, 4, 0, 0]),
            };
        return (client % 3, Packet.Ethernet(MacAddress.Of(address), MacAddress.Of(Right)).IPv4(address, Right)
            .Udp(tid, message.Port).Payload(message.Message).PaddedTo(60));
    }

    public static Packet DnsResponse(IPv4Address client, string name, int answers, ushort flags = 0x8180) =>
        Packet.Ethernet(RightMac, LeftMac).IPv4(Right, client).Udp(53, 33000)
            .Dns(7, name, flags: flags, answers: (ushort)answers)
            .Payload([.. Enumerable.Range(0, answers)
                .SelectMany(n => (byte[])[0xC0, 12, 0, 1, 0, 1, 0, 0, 1, 0, 0, 4, 10, 9, 8, (byte)n])])
            .PaddedTo(60);

    public static (int Port, byte[] Bytes) Responses(int i, Random random)
    {
        if (random.Next(10) == 0) return Other(random);
        var client = new IPv4Address(0x0A00_0000 + (uint)random.Next(3) * 256 + (uint)random.Next(50));
        if (random.Next(6) == 0)
            return (1, Packet.Ethernet(LeftMac, RightMac).IPv4(client, Right)
                .Udp(33000, 53).Dns(7, "www.example.org").PaddedTo(60));
        return random.Next(5) switch
        {
            0 => (0, DnsResponse(client, $"{Convert.ToHexString(Bytes(random, 3, 12))}.example.org", 0, 0x8183)),
            1 => (0, DnsResponse(client, "WWW.Example.ORG", 2)),
            2 => (0, DnsResponse(client, $"host{random.Next(20)}.sub.example.net", random.Next(1, 4))),
            _ => (0, DnsResponse(client, "www.example.org", random.Next(1, 20))),
        };
    }

    public static Packet LockMessage(byte operation, byte mode, int number, uint transaction, int client) =>
        Packet.Ethernet(MacAddress.Of(new IPv4Address(0x0A00_0050 + (uint)client)), MacAddress.Of(Right))
            .IPv4(new IPv4Address(0x0A00_0050 + (uint)client), Right).Udp((ushort)(7000 + client), 4100)
            .Payload([operation, mode, .. U16(number), .. U32(transaction)]).PaddedTo(60);

    public static (int Port, byte[] Bytes) Locks(int i, Random random)
    {
        var client = random.Next(8);
        var number = random.Next(5);
        return random.Next(14) switch
        {
            0 => Other(random),
            1 => (client % 4, LockMessage(3, 0, number, (uint)i, client)),
            2 => (client % 4, LockMessage(1, 0, 1000, (uint)i, client)),
            3 or 4 or 5 => (client % 4, LockMessage(1, 0, number, (uint)i, client)),
            6 or 7 or 8 => (client % 4, LockMessage(1, 1, number, (uint)i, client)),
            _ => (client % 4, LockMessage(2, 0, number, (uint)i, client)),
        };
    }
}
