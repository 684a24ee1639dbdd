using System.Text;
using Emu.Testing;

namespace Emu.Compiler.Tests;

internal static partial class NaturalTraffic
{
    /// <summary>Requests of HTTP, some with escapes, some for what is outside.</summary>
    public static byte[] EscapedRequest(int i)
    {
        var target = (i % 7) switch
        {
            0 => "/index.html",
            1 => $"/search%20results/{i}/a%2fb.html?q=%zz",
            2 => "/images/../../etc/passwd",
            3 => $"/files/{new string('a', i)}/logo.png",
            4 => "/a/%2e%2e/%2e./secret",
            5 => $"/caf%C3%A9/{i}/%E2%82%AC.html",
            _ => i % 4 == 0 ? "/bad%4" : "/..a/b..",
        };
        return Encoding.ASCII.GetBytes(
            $"{(i % 5 == 0 ? "POST" : "GET")} {target} HTTP/1.1\r\nHost: www.example.com\r\nAccept: */*\r\n\r\n");
    }

    /// <summary>A message of GOOSE as protection relays send it, in a VLAN mostly.</summary>
    public static byte[] SubstationEvent(int i)
    {
        var (publisher, round) = (i % 6, i / 6);
        byte[] reference = Encoding.ASCII.GetBytes($"IED{publisher}PROT/LLN0$GO$gcb01");
        byte[] pdu =
        [
            0x80, (byte)reference.Length, .. reference, 0x81, 2, 0x07, 0xD0, 0x82, 18, .. "IED0PROT/LLN0$DS01"u8,
            0x83, 6, .. "F01-01"u8, 0x84, 8, 0x65, 0x53, 0xF1, 0, 0, 0, 0, 0x0A,
            0x85, 1, (byte)(round / 3 + 1), 0x86, 1, (byte)(i % 10 == 7 ? 0 : round % 3 + 1), 0x87, 1,
            (byte)(i % 17 == 0 ? 1 : 0), 0x88, 1, 1, 0x89, 1, 0, 0x8A, 1, 4,
            0xAB, 16, 0x83, 1, 0, 0x84, 3, 3, 0, 0, 0x83, 1, 1, 0x84, 3, 3, 0, 0,
        ];
        byte[] apdu = pdu.Length < 0x80 ? [0x61, (byte)pdu.Length, .. pdu] : [0x61, 0x81, (byte)pdu.Length, .. pdu];
        byte[] message = [.. Of((ushort)publisher), .. Of((ushort)(apdu.Length + 8)), 0, 0, 0, 0, .. apdu];
        var group = MacAddress.Parse("01:0c:cd:01:00:01");
        return i % 3 == 0
            ? Packet.Ethernet(Peer, group, 0x88B8).Payload(message)
            : Packet.Ethernet(Peer, group).Vlan(100, priority: 4, type: 0x88B8).Payload(message);
    }

    /// <summary>A datagram of SOME/IP with one message to four.</summary>
    public static byte[] Calls(int i, Random random)
    {
        var datagram = new List<byte>();
        for (var n = 0; n <= i % 4; n++)
        {
            var payload = Bytes(random, (i * 7 + n * 13) % 90);
            datagram.AddRange(
            [
                .. Of((ushort)(0x100 + (i + n) % 12)), .. Of((ushort)(i % 13 == 12 ? 0x99 : n % 4 + 1)),
                .. PacketBytes.Of((uint)(payload.Length + 8)), .. Of((ushort)i), .. Of((ushort)n),
                1, 1, (byte)(i % 6 == 5 ? 0x80 : n % 3), 0, .. payload,
            ]);
        }
        return [.. datagram];
    }

    /// <summary>Segments of a client of mail: pipelined commands, a message, or a probe.</summary>
    public static byte[] MailCommands(int i) => Encoding.ASCII.GetBytes((i % 6) switch
    {
        0 => "EHLO mail.example.com\r\n",
        1 => $"MAIL FROM:<user{i}@example.com> SIZE=1024\r\nRCPT TO:<alice@example.org>\r\nDATA\r\n",
        2 => i % 4 == 0 ? "vrfy root\r\n" : "NOOP\r\nQUIT\r\n",
        3 => "mail from:<spam@example.net>\r\n"
            + string.Concat(Enumerable.Range(0, i % 9).Select(n => $"rcpt to:<user{n}@example.org>\r\n")),
        4 => "DATA\r\nSubject: hello\r\n\r\n" + string.Concat(Enumerable.Repeat("VRFY is no command here.\r\n", i / 3))
            + ".\r\n",
        _ => "RSET\r\nMAIL FROM:<>\r\nRCPT TO:<bob@example.org>\r\n",
    });

    /// <summary>A question or an announcement of multicast DNS.</summary>
    public static byte[] Discovery(int i)
    {
        string[] service = (i % 4) switch
        {
            0 => ["_ipp", "_tcp", "local"],
            1 => ["_googlecast", "_tcp", "local"],
            2 => ["_ssh", "_tcp", "local"],
            _ => ["Speaker in the kitchen", "_raop", "_tcp", "local"],
        };
        byte[] name =
        [
            .. service.SelectMany(label => (byte[])[(byte)label.Length, .. Encoding.ASCII.GetBytes(label)]), 0,
        ];
        return i % 2 == 0
            ? [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, .. name, 0, 12, 0, 1]
            : [
                0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0, .. name, 0, 12, 0, 1, 0, 0, 0, 120, 0, (byte)(i + 2), 0xC0, 12,
                .. new byte[i],
            ];
    }

    /// <summary>Requests with credentials or without.</summary>
    public static byte[] Authorized(int i)
    {
        var user = (i % 5) switch
        {
            0 => "alice:secret",
            1 => "mallory:123",
            2 => $"operator{i}:a longer passphrase, with spaces",
            3 => "nobody",
            _ => "",
        };
        var line = user.Length == 0
            ? "" : $"Authorization: Basic {Convert.ToBase64String(Encoding.ASCII.GetBytes(user))}\r\n";
        return Encoding.ASCII.GetBytes(
            $"GET /api/v1/items/{i} HTTP/1.1\r\nHost: api.example.com\r\n{line}Accept: application/json\r\n\r\n");
    }
}
