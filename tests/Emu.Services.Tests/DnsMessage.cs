using System.Globalization;
using System.Net;
using System.Text;
using static System.Buffers.Binary.BinaryPrimitives;

namespace Emu.Services.Tests;

/// <summary>
/// Questions of DNS, and answers as text: written from RFC 1035 §4.1, and sharing nothing with the service.
/// </summary>
internal static class DnsMessage
{
    public const ushort A = 1, NS = 2, Cname = 5, Soa = 6, MX = 15, Txt = 16, Aaaa = 28, Srv = 33, Opt = 41, Any = 255;

    /// <summary>A question; <paramref name="size"/> adds EDNS.</summary>
    public static byte[] Query(
        string name, ushort type, ushort size = 0, byte version = 0, ushort flags = 0x0100, ushort classNumber = 1)
    {
        byte[] header = [0x12, 0x34, (byte)(flags >> 8), (byte)flags, 0, 1, 0, 0, 0, 0, 0, (byte)(size > 0 ? 1 : 0)];
        byte[] question = [.. Name(name), (byte)(type >> 8), (byte)type, (byte)(classNumber >> 8), (byte)classNumber];
        byte[] options = size > 0 ? [0, 0, 41, (byte)(size >> 8), (byte)size, 0, version, 0, 0, 0, 0] : [];
        return [.. header, .. question, .. options];
    }

    public static byte[] Name(string name) =>
    [
        .. name.Split('.', StringSplitOptions.RemoveEmptyEntries)
            .SelectMany(label => (byte[])[(byte)label.Length, .. Encoding.Latin1.GetBytes(label)]),
        0,
    ];

    /// <summary>
    /// An answer as lines: the code with its flags, the name that was asked, then each record behind the letter of its
    /// section.
    /// </summary>
    public static string[] Read(ReadOnlySpan<byte> message)
    {
        var lines = new List<string>();
        var flags = ReadUInt16BigEndian(message[2..]);
        lines.Add(
            $"{flags & 15}{((flags & 0x400) != 0 ? " AA" : "")}{((flags & 0x200) != 0 ? " TC" : "")}"
            + $"{((flags & 0x8000) != 0 ? "" : " no answer")}");
        var at = 12;
        for (var i = ReadUInt16BigEndian(message[4..]); i > 0; i--)
        {
            lines.Add("? " + ReadName(message, ref at));
            at += 4;
        }
        foreach (var (letter, offset) in new[] { ('>', 6), ('^', 8), ('+', 10) })
            for (var i = ReadUInt16BigEndian(message[offset..]); i > 0; i--)
                lines.Add($"{letter} {ReadRecord(message, ref at)}");
        Assert.Equal(message.Length, at);
        return [.. lines];
    }

    private static string ReadRecord(ReadOnlySpan<byte> message, ref int at)
    {
        var owner = ReadName(message, ref at);
        var type = ReadUInt16BigEndian(message[at..]);
        var ttl = ReadUInt32BigEndian(message[(at + 4)..]);
        if (type == Opt)
        {
            var size = ReadUInt16BigEndian(message[(at + 2)..]);
            at += 10;
            return $"OPT {size} {ttl:X}";
        }
        var end = at + 10 + ReadUInt16BigEndian(message[(at + 8)..]);
        at += 10;
        var data = type switch
        {
            A or Aaaa => new IPAddress(message[at..end]).ToString(),
            NS or Cname => ReadName(message, ref at),
            MX => $"{ReadUInt16BigEndian(message[at..])} {ReadNameAt(message, at + 2)}",
            Srv => $"{ReadUInt16BigEndian(message[(at + 4)..])} {ReadNameAt(message, at + 6)}",
            Soa => $"{ReadName(message, ref at)} {ReadName(message, ref at)} {ReadUInt32BigEndian(message[at..])}",
            _ => Convert.ToHexString(message[at..end]),
        };
        at = end;
        return string.Create(CultureInfo.InvariantCulture, $"{owner} {ttl} {type} {data}");
    }

    private static string ReadNameAt(ReadOnlySpan<byte> message, int at) => ReadName(message, ref at);

    private static string ReadName(ReadOnlySpan<byte> message, ref int at)
    {
        var text = new StringBuilder();
        var end = -1;
        for (var here = at; ;)
        {
            var label = message[here++];
            if (label == 0)
            {
                at = end < 0 ? here : end;
                return text.Length == 0 ? "." : text.ToString();
            }
            if (label >= 0xC0)
            {
                if (end < 0) end = here + 1;
                var target = (label & 0x3F) << 8 | message[here];
                Assert.True(target < here - 1, "a pointer leads back");
                here = target;
                continue;
            }
            text.Append(Encoding.Latin1.GetString(message.Slice(here, label))).Append('.');
            here += label;
        }
    }
}
