using System.Text;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A name server that tells who asks: a question for the address of one name is answered by the address of the client,
/// one for its text by the same in decimal, with the client's port behind it. Other names do not exist.
/// </summary>
/// <param name="address">The server's address.</param>
/// <param name="mac">Its MAC address.</param>
/// <param name="name">The name.</param>
/// <param name="ttl">Seconds that an answer may be kept.</param>
public sealed class WhoamiResolver(
    IPv4Address address, MacAddress mac, string name = "whoami.example.net", uint ttl = 0) : Service
{
    private const int MessageOffset = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength;
    private const int RecordHeader = 12;
    private const int MaxText = 21;
    private const ushort PointerToName = 0xC000 | Dns.HeaderLength;
    private const ushort A = 1, Text = 16, Any = 255, Internet = 1;

    private readonly byte[] _name = Encode(name);
    private readonly ArpResponder _arp = new(address, mac);

    /// <summary>Questions answered with an address.</summary>
    public Counter Addresses { get; } = new();

    /// <summary>Questions answered with a text.</summary>
    public Counter Texts { get; } = new();

    /// <summary>Questions for another type of the name: it is there, but has none.</summary>
    public Counter Empty { get; } = new();

    /// <summary>Questions for other names.</summary>
    public Counter Unknown { get; } = new();

    /// <summary>Other frames, dropped.</summary>
    public Counter Others { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.Arp && Arp.TryParse(ethernet.Payload, out var arp)
            && ArpResponder.IsValid(arp) && _arp.IsForUs(arp))
        {
            _arp.Answer(ref frame, arp);
            return;
        }
        if (ethernet.Destination != mac || ethernet.EtherType != EtherType.IPv4
            || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment || ip.Destination != address
            || ip.HeaderLength != IPv4.MinHeaderLength || !ip.Source.CanBeSource
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort != Dns.Port || !udp.HasValidChecksum(ip) || !Dns.TryParse(udp.Payload, out var dns)
            || dns.IsResponse || dns.Opcode != DnsOpcode.Query || dns.QuestionCount != 1
            || !TryMeasure(dns.Payload, out var nameLength))
        {
            Others.Increment();
            return;
        }

        var (client, port) = (ip.Source, udp.SourcePort);
        var type = dns.Payload.GetUInt16(nameLength);
        var isOurs = Ascii.EqualsIgnoreCase(dns.Payload[..nameLength], _name)
            && dns.Payload.GetUInt16(nameLength + 2) == Internet;

        // The question stays; what follows it, such as an OPT record, goes.
        var end = MessageOffset + Dns.HeaderLength + nameLength + 4;
        frame.Resize(end);
        frame.Resize(end + RecordHeader + MaxText + 1);
        var answers = 1;
        if (!isOurs)
        {
            Unknown.Increment();
            answers = 0;
        }
        else if (type is A or Any)
        {
            Addresses.Increment();
            end = WriteRecord(frame.Bytes, end, A, IPv4Address.Length);
            frame.Bytes.SetIPv4Address(end - IPv4Address.Length, client);
        }
        else if (type == Text)
        {
            Texts.Increment();
            var length = WriteText(frame.Bytes[(end + RecordHeader + 1)..], client, port);
            frame.Bytes[end + RecordHeader] = (byte)length;
            end = WriteRecord(frame.Bytes, end, Text, length + 1);
        }
        else
        {
            Empty.Increment();
            answers = 0;
        }
        frame.Resize(end);
        Answer(ref frame, answers, isOurs ? DnsResponseCode.NoError : DnsResponseCode.NameError);
    }

    private static byte[] Encode(string name) =>
        [.. name.Split('.').SelectMany(label => (byte[])[(byte)label.Length, .. Encoding.ASCII.GetBytes(label)]), 0];

    /// <summary>The length of a name with the byte of 0 at its end; type and class must follow.</summary>
    private static bool TryMeasure(Span<byte> question, out int length)
    {
        length = 0;
        while (length < question.Length && question[length] != 0)
        {
            if (question[length] > 63) return false;
            length += question[length] + 1;
        }
        length++;
        return length + 4 <= question.Length && length <= 255;
    }

    private int WriteRecord(Span<byte> bytes, int at, ushort type, int length)
    {
        bytes.SetUInt16(at, PointerToName);
        bytes.SetUInt16(at + 2, type);
        bytes.SetUInt16(at + 4, Internet);
        bytes.SetUInt32(at + 6, ttl);
        bytes.SetUInt16(at + 10, (ushort)length);
        return at + RecordHeader + length;
    }

    private static int WriteText(Span<byte> text, IPv4Address client, ushort port)
    {
        var at = 0;
        for (var shift = 24; shift >= 0; shift -= 8)
        {
            at = WriteNumber(text, at, client.Bits >> shift & 0xFF);
            text[at++] = (byte)(shift > 0 ? '.' : ':');
        }
        return WriteNumber(text, at, port);
    }

    private static int WriteNumber(Span<byte> text, int at, uint number)
    {
        var isWritten = false;
        for (var unit = 10000u; unit > 0; unit /= 10)
        {
            var digit = number / unit % 10;
            isWritten |= digit != 0 || unit == 1;
            if (isWritten) text[at++] = (byte)('0' + digit);
        }
        return at;
    }

    private void Answer(ref Frame frame, int answers, DnsResponseCode code)
    {
        var ethernet = new Ethernet(frame);
        ethernet.Destination = ethernet.Source;
        ethernet.Source = mac;
        var client = frame.Bytes.GetIPv4Address(Ethernet.HeaderLength + 12);
        var port = frame.Bytes.GetUInt16(Ethernet.HeaderLength + IPv4.MinHeaderLength);
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        ip.Ttl = IPv4.DefaultTtl;
        ip.Protocol = IPProtocol.Udp;
        ip.Source = address;
        ip.Destination = client;
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        udp.SourcePort = Dns.Port;
        udp.DestinationPort = port;
        if (!Dns.TryParse(udp.Payload, out var dns)) return;
        dns.IsResponse = true;
        dns.IsAuthoritative = true;
        dns.IsTruncated = false;
        dns.RecursionAvailable = false;
        dns.ResponseCode = code;
        dns.AnswerCount = (ushort)answers;
        dns.AuthorityCount = 0;
        dns.AdditionalCount = 0;
        udp.WriteChecksum(ip);
        if (frame.Length < Ethernet.MinFrameLength) frame.Resize(Ethernet.MinFrameLength);
        frame.Reply();
    }
}
