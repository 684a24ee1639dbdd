using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Drops the first message of TLS connections to a domain or what is below it: it reads the name of the server in the
/// client's hello (RFC 8446 §4.1.2, RFC 6066 §3).
/// </summary>
public sealed class ServerNameFilter : Service
{
    private const byte Handshake = 22, ClientHello = 1;
    private const ushort ServerName = 0;
    private const int RecordHeader = 5, FixedLength = 4 + 2 + 32;

    private readonly byte[] _domain = [.. "example.com"u8];

    public Counter Hellos { get; } = new();

    public Counter NoName { get; } = new();

    public Counter Blocked { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip) && !ip.IsFragment
            && ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp) && tcp.DestinationPort == 443
            && IsBlocked(tcp.Payload))
        {
            Blocked.Increment();
            return;
        }
        frame.Flood();
    }

    private bool IsBlocked(ReadOnlySpan<byte> record)
    {
        if (record.Length < RecordHeader + FixedLength + 1 || record[0] != Handshake
            || record[RecordHeader] != ClientHello)
            return false;
        Hellos.Increment();
        if (!TryFindName(record[(RecordHeader + FixedLength)..], out var name))
        {
            NoName.Increment();
            return false;
        }
        return name.EndsWith(_domain)
            && (name.Length == _domain.Length || name[name.Length - _domain.Length - 1] == '.');
    }

    private static bool TryFindName(ReadOnlySpan<byte> hello, out ReadOnlySpan<byte> name)
    {
        name = default;
        var at = 1 + hello[0]; // The session's identifier.
        if (at + 2 > hello.Length) return false;
        at += 2 + BinaryPrimitives.ReadUInt16BigEndian(hello[at..]); // The ciphers.
        if (at + 1 > hello.Length) return false;
        at += 1 + hello[at]; // The ways of compression.
        at += 2; // The length of all extensions.
        while (at + 4 <= hello.Length)
        {
            var type = BinaryPrimitives.ReadUInt16BigEndian(hello[at..]);
            var length = BinaryPrimitives.ReadUInt16BigEndian(hello[(at + 2)..]);
            at += 4;
            if (at + length > hello.Length) return false;
            if (type == ServerName)
            {
                if (length < 5) return false;
                var nameLength = BinaryPrimitives.ReadUInt16BigEndian(hello[(at + 3)..]);
                if (nameLength > length - 5) return false;
                name = hello.Slice(at + 5, nameLength);
                return true;
            }
            at += length;
        }
        return false;
    }
}
