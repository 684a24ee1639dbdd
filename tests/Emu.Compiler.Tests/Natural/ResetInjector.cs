using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Ends connections that carry a pattern: both ends get a reset that is made from scratch (RFC 9293 §3.10.7), and the
/// segment goes nowhere.
/// </summary>
public sealed class ResetInjector(int inside, int outside) : Service
{
    private const int Length = Ethernet.HeaderLength + IPv4.MinHeaderLength + Tcp.MinHeaderLength;

    private readonly byte[] _pattern = [.. "cmd.exe"u8];

    public Counter Passed { get; } = new();

    public Counter Ended { get; } = new();

    public override void Process(ref Frame frame)
    {
        var other = new PortId(frame.Ingress.Index == inside ? outside : inside);
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip) && !ip.IsFragment
            && ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp)
            && tcp.Payload.IndexOf(_pattern) >= 0)
        {
            var (sequence, acknowledged) = (tcp.SequenceNumber, tcp.AcknowledgmentNumber);
            var (from, to) = (ip.Source, ip.Destination);
            var (fromPort, toPort) = (tcp.SourcePort, tcp.DestinationPort);
            var (fromMac, toMac) = (ethernet.Source, ethernet.Destination);
            var length = (uint)tcp.SegmentLength;
            frame.Resize(60);
            Write(frame, fromMac, toMac, from, to, fromPort, toPort, sequence, acknowledged);
            frame.Send(PortSet.Of(other));
            Write(frame, toMac, fromMac, to, from, toPort, fromPort, acknowledged, sequence + length);
            Ended.Increment();
            frame.Reply();
            return;
        }
        Passed.Increment();
        frame.ForwardTo(other);
    }

    private static void Write(
        Frame frame, MacAddress fromMac, MacAddress toMac, IPv4Address from, IPv4Address to, ushort fromPort,
        ushort toPort, uint sequence, uint acknowledged)
    {
        frame.Bytes[Length..].Clear();
        var ethernet = new Ethernet(frame)
        {
            Source = fromMac,
            Destination = toMac,
            EtherType = EtherType.IPv4,
        };
        if (!IPv4.TryInitialize(ethernet.Payload[..(Length - Ethernet.HeaderLength)], out var ip)) return;
        ip.Ttl = IPv4.DefaultTtl;
        ip.Protocol = IPProtocol.Tcp;
        ip.Source = from;
        ip.Destination = to;
        ip.WriteHeaderChecksum();
        if (!Tcp.TryInitialize(ip.Payload, out var tcp)) return;
        tcp.SourcePort = fromPort;
        tcp.DestinationPort = toPort;
        tcp.SequenceNumber = sequence;
        tcp.AcknowledgmentNumber = acknowledged;
        tcp.Flags = TcpFlags.Rst | TcpFlags.Ack;
        tcp.WriteChecksum(ip);
    }
}
