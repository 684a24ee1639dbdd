using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Lets a community of SNMP (RFC 1157) read, and nobody set: a walk over values that each say how long they are.
/// </summary>
public sealed class SnmpGuard : Service
{
    private const ushort Port = 161;

    private const byte Integer = 2, OctetString = 4, Sequence = 0x30;

    private const byte Get = 0xA0, GetNext = 0xA1, GetBulk = 0xA5;

    public Counter Refused { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp) && udp.DestinationPort == Port
            && !MayPass(udp.Payload))
        {
            Refused.Increment();
            return;
        }
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
    }

    private static bool MayPass(ReadOnlySpan<byte> message)
    {
        if (message.Length < 2 || message[0] != Sequence || message[1] >= 0x80) return false;
        var at = 2;
        if (!TryRead(message, ref at, Integer, out _)) return false;
        if (!TryRead(message, ref at, OctetString, out var community)) return false;
        return community.SequenceEqual("public"u8) && at < message.Length && message[at] is Get or GetNext or GetBulk;
    }

    /// <summary>Reads a value of BER (X.690) whose length is one byte.</summary>
    private static bool TryRead(ReadOnlySpan<byte> message, ref int at, byte tag, out ReadOnlySpan<byte> value)
    {
        value = default;
        if (at + 2 > message.Length || message[at] != tag) return false;
        int start = at + 2, length = message[at + 1];
        if (length >= 0x80 || start + length > message.Length) return false;
        value = message.Slice(start, length);
        at = start + length;
        return true;
    }
}
