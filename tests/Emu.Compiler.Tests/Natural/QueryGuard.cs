using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Keeps questions from a name server that have made servers fall over: names that point, are too long or have too many
/// labels, questions for everything, and EDNS that asks for answers larger than is sane.
/// </summary>
public sealed class QueryGuard(IPv4Address server, int mostLabels = 10) : Service
{
    private const ushort Any = 255, Opt = 41;

    public Counter Passed { get; } = new();

    public Counter BadNames { get; } = new();

    public Counter Everything { get; } = new();

    public Counter TooLarge { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip) && !ip.IsFragment
            && ip.Destination == server && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp)
            && udp.DestinationPort == Dns.Port && !MayPass(udp.Payload))
            return;
        frame.Flood();
    }

    private bool MayPass(Span<byte> message)
    {
        if (!Dns.TryParse(message, out var dns) || dns.IsResponse || dns.QuestionCount != 1) return Refuse(BadNames);
        var (at, labels) = (Dns.HeaderLength, 0);
        while (at < message.Length && message[at] != 0)
        {
            if (message[at] > 63 || labels == mostLabels || at > 255 + Dns.HeaderLength) return Refuse(BadNames);
            labels++;
            at += 1 + message[at];
        }
        at++;
        if (at + 4 > message.Length) return Refuse(BadNames);
        if (BinaryPrimitives.ReadUInt16BigEndian(message[at..]) == Any) return Refuse(Everything);
        at += 4;
        // The options of EDNS are a record of the root: its class is the size that the asker takes.
        if (dns.AdditionalCount != 0 && at + 11 <= message.Length && message[at] == 0
            && BinaryPrimitives.ReadUInt16BigEndian(message[(at + 1)..]) == Opt
            && BinaryPrimitives.ReadUInt16BigEndian(message[(at + 3)..]) > 4096)
            return Refuse(TooLarge);
        Passed.Increment();
        return true;
    }

    private static bool Refuse(Counter why)
    {
        why.Increment();
        return false;
    }
}
