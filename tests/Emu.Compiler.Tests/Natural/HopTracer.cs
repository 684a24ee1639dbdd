using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A hop that traceroute sees: a packet whose TTL ends here is answered by the message of ICMP (RFC 792) with its
/// header and eight bytes, so many a second; others go on with one hop less.
/// </summary>
public sealed class HopTracer(IPv4Address own, MacAddress mac, MacAddress next, int rate = 1_000_000) : Service
{
    private readonly TokenBuckets _answers = new(1, rate, 10);

    public Counter Forwarded { get; } = new();

    public Counter Expired { get; } = new();

    public Counter Silent { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || ethernet.Destination != mac
            || !IPv4.TryParse(ethernet.Payload, out var ip) || !ip.HasValidHeaderChecksum)
            return;
        if (ip.Ttl > 1)
        {
            ip.DecrementTtl();
            ethernet.Source = mac;
            ethernet.Destination = next;
            Forwarded.Increment();
            frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
            return;
        }
        if (ip.Protocol == IPProtocol.Icmp && ip.Payload.Length > 0 && ip.Payload[0] is not (0 or 8)
            || !_answers.TryTake(0, 1, frame.Time))
        {
            Silent.Increment();
            return;
        }
        var (source, quoted) = (ip.Source, Math.Min(ip.HeaderLength + 8, ip.TotalLength));
        frame.Resize(14 + quoted);
        frame.Insert(14, 28);
        ethernet = new Ethernet(frame);
        ethernet.Destination = ethernet.Source;
        ethernet.Source = mac;
        if (!IPv4.TryInitialize(ethernet.Payload, out ip)) return;
        ip.Ttl = 64;
        ip.Protocol = IPProtocol.Icmp;
        ip.Source = own;
        ip.Destination = source;
        ip.WriteHeaderChecksum();
        var message = ip.Payload;
        message[0] = 11;
        message[1..8].Clear();
        BinaryPrimitives.WriteUInt16BigEndian(message[2..], InternetChecksum.Compute(message));
        Expired.Increment();
        frame.Reply();
    }
}
