using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Drops answers of DNS from outside that name an address of the inside (DNS rebinding), and counts what answers hold.
/// </summary>
public sealed class RebindGuard(int outside = 0) : Service
{
    private const ushort Port = 53;
    private const int HeaderLength = 12, MaxAnswers = 16;
    private const ushort TypeA = 1, TypeAaaa = 28;

    public Counter Addresses { get; } = new();

    public Counter Rebinds { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
        if (frame.Ingress.Index != outside || ethernet.EtherType != EtherType.IPv4
            || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.Protocol != IPProtocol.Udp
            || !Udp.TryParse(ip.Payload, out var udp) || udp.SourcePort != Port)
            return;
        if (!IsClean(udp.Payload)) frame.Drop();
    }

    private bool IsClean(ReadOnlySpan<byte> message)
    {
        if (message.Length < HeaderLength || (message[2] & 0x80) == 0) return true;
        var questions = BinaryPrimitives.ReadUInt16BigEndian(message[4..]);
        var answers = BinaryPrimitives.ReadUInt16BigEndian(message[6..]);
        if (questions != 1 || answers > MaxAnswers) return Bad();
        var at = HeaderLength;
        if (!TrySkipName(message, ref at)) return Bad();
        at += 4;
        for (var i = 0; i < answers; i++)
        {
            if (!TrySkipName(message, ref at) || at + 10 > message.Length) return Bad();
            var type = BinaryPrimitives.ReadUInt16BigEndian(message[at..]);
            var length = BinaryPrimitives.ReadUInt16BigEndian(message[(at + 8)..]);
            at += 10;
            if (at + length > message.Length) return Bad();
            if (type == TypeA && length == 4)
            {
                Addresses.Increment();
                if (IsPrivate(BinaryPrimitives.ReadUInt32BigEndian(message[at..])))
                {
                    Rebinds.Increment();
                    return false;
                }
            }
            else if (type == TypeAaaa)
            {
                Addresses.Increment();
            }
            at += length;
        }
        return true;
    }

    private bool Bad()
    {
        Malformed.Increment();
        return false;
    }

    /// <summary>Passes over labels, or a pointer to others (RFC 1035 §4.1.4).</summary>
    private static bool TrySkipName(ReadOnlySpan<byte> message, ref int at)
    {
        while (at < message.Length)
        {
            var length = message[at];
            if (length == 0)
            {
                at++;
                return true;
            }
            if (length >= 0xC0)
            {
                at += 2;
                return true;
            }
            if (length > 63) return false;
            at += 1 + length;
        }
        return false;
    }

    private static bool IsPrivate(uint address) =>
        address >> 24 is 10 or 127 || address >> 20 == 0xAC1 || address >> 16 is 0xC0A8 or 0xA9FE;
}
