using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Lets the zones of a car call only the services of one another that they may (AUTOSAR SOME/IP): each datagram has one
/// message or several, and all of them must be allowed.
/// </summary>
public sealed class SomeIpGate : Service
{
    private const ushort Port = 30509;
    private const int HeaderLength = 16, AfterLength = 8;
    private const byte Version = 1, Request = 0, RequestNoReturn = 1, Notification = 2;

    private readonly record struct MessageId(uint Bits) : ITableKey<MessageId>
    {
        public static int Width => 32;

        public UInt128 KeyBits => Bits;
    }

    private readonly ConstantTable<MessageId, byte> _allowed = new(Enumerable.Range(0, 48).ToDictionary(
        i => new MessageId((uint)((0x100 + i / 4) << 16 | (i % 4 + 1))), i => (byte)(1 << i % 3 | 8)));

    public Counter Messages { get; } = new();

    public Counter Refused { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.CTag && Vlan.TryParse(ethernet.Payload, out var tag)
            && tag.EtherType == EtherType.IPv4 && IPv4.TryParse(tag.Payload, out var ip) && !ip.IsFragment
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp)
            && udp.DestinationPort == Port && !MayPass(udp.Payload, frame.Ingress))
            return;
        frame.Flood();
    }

    private bool MayPass(ReadOnlySpan<byte> datagram, PortId zone)
    {
        var at = 0;
        while (at < datagram.Length)
        {
            if (at + HeaderLength > datagram.Length)
            {
                Malformed.Increment();
                return false;
            }
            var message = datagram[at..];
            var id = BinaryPrimitives.ReadUInt32BigEndian(message);
            var length = BinaryPrimitives.ReadUInt32BigEndian(message[4..]);
            if (length < AfterLength || length > (uint)(message.Length - AfterLength) || message[12] != Version)
            {
                Malformed.Increment();
                return false;
            }
            if (message[14] is Request or RequestNoReturn or Notification
                && (!_allowed.TryGet(new MessageId(id), out var zones) || (zones >> zone.Index & 1) == 0))
            {
                Refused.Increment();
                return false;
            }
            Messages.Increment();
            at += AfterLength + (int)length;
        }
        return true;
    }
}
