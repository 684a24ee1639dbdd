using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A router to a link of a smaller MTU: what is too long goes in two fragments (RFC 791 §3.2), or is refused with the
/// MTU in an ICMP message, if it must not be fragmented (RFC 1191 §4).
/// </summary>
public sealed class PacketFragmenter(
    IPv4Address own, MacAddress mac, MacAddress next, MacAddress back, int mtu = 576) : Service
{
    private const int Quoted = 28;

    public Counter Whole { get; } = new();

    public Counter Fragmented { get; } = new();

    public Counter Refused { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (frame.Ingress.Index == 1)
        {
            Route(ethernet, ip, back);
            frame.ForwardTo(new PortId(0));
            return;
        }
        int length = ip.TotalLength;
        if (length <= mtu)
        {
            Route(ethernet, ip, next);
            Whole.Increment();
            frame.ForwardTo(new PortId(1));
            return;
        }
        if (ip.HeaderLength != IPv4.MinHeaderLength) return;
        if (ip.DontFragment)
        {
            Refuse(ref frame, ip.Source);
            return;
        }
        Route(ethernet, ip, next);
        var first = (mtu - IPv4.MinHeaderLength) / 8 * 8;
        var (offset, more) = (ip.FragmentOffset, ip.MoreFragments);
        ip.TotalLength = (ushort)(IPv4.MinHeaderLength + first);
        ip.MoreFragments = true;
        ip.WriteHeaderChecksum();
        frame.Send(PortSet.Of(new PortId(1)), Ethernet.HeaderLength + IPv4.MinHeaderLength + first);

        frame.Remove(Ethernet.HeaderLength + IPv4.MinHeaderLength, first);
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[16..], (ushort)(length - first));
        BinaryPrimitives.WriteUInt16BigEndian(
            frame.Bytes[20..], (ushort)((more ? 0x2000 : 0) | ((offset + first) / 8)));
        if (!IPv4.TryParse(new Ethernet(frame).Payload, out var rest)) return;
        rest.WriteHeaderChecksum();
        Fragmented.Increment();
        frame.ForwardTo(new PortId(1));
    }

    private void Route(Ethernet ethernet, IPv4 ip, MacAddress to)
    {
        ethernet.Source = mac;
        ethernet.Destination = to;
        ip.DecrementTtl();
    }

    private void Refuse(ref Frame frame, IPv4Address source)
    {
        Refused.Increment();
        var start = Ethernet.HeaderLength;
        frame.Resize(start + Quoted);
        frame.Insert(start, IPv4.MinHeaderLength + 8);
        var ethernet = new Ethernet(frame);
        ethernet.Destination = ethernet.Source;
        ethernet.Source = mac;
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        ip.Ttl = 64;
        ip.Protocol = IPProtocol.Icmp;
        ip.Source = own;
        ip.Destination = source;
        ip.WriteHeaderChecksum();
        var message = ip.Payload;
        message[0] = 3;
        message[1] = 4;
        BinaryPrimitives.WriteUInt16BigEndian(message[6..], (ushort)mtu);
        BinaryPrimitives.WriteUInt16BigEndian(
            message[2..], InternetChecksum.Finish(InternetChecksum.Sum(message)));
        frame.Reply();
    }
}
