using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// An endpoint of IPv6 segment routing (End of RFC 8986 §4.1): the next segment of the routing header becomes the
/// destination, and the packet goes to the port that its function names.
/// </summary>
public sealed class SegmentEndpoint(IPv6Address own, MacAddress mac, MacAddress gateway) : Service
{
    private const IPProtocol Routing = (IPProtocol)43;
    private const byte SegmentRouting = 4;
    private const int FixedLength = 8, SegmentLength = 16;

    public Counter Forwarded { get; } = new();

    public Counter Last { get; } = new();

    public Counter Malformed { get; } = new();

    public Counter HopLimitExceeded { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv6 || !IPv6.TryParse(ethernet.Payload, out var ip)) return;
        if (ip.Destination != own || ip.NextHeader != Routing)
        {
            frame.Flood();
            return;
        }
        var header = ip.Payload;
        if (header.Length < FixedLength || header[2] != SegmentRouting)
        {
            Malformed.Increment();
            return;
        }
        var left = header[3];
        if (left == 0)
        {
            Last.Increment();
            frame.ForwardTo(new PortId(0));
            return;
        }
        var length = (header[1] + 1) * 8;
        var lastEntry = header[4];
        if (length > header.Length || lastEntry > header[1] / 2 - 1 || left > lastEntry + 1)
        {
            Malformed.Increment();
            return;
        }
        if (ip.HopLimit <= 1)
        {
            HopLimitExceeded.Increment();
            return;
        }
        ip.HopLimit--;
        left--;
        header[3] = left;
        var segment = header[(FixedLength + left * SegmentLength)..];
        var next = new IPv6Address(BinaryPrimitives.ReadUInt128BigEndian(segment));
        ip.Destination = next;
        ethernet.Source = mac;
        ethernet.Destination = gateway;
        Forwarded.Increment();
        frame.ForwardTo(new PortId((int)(next.Bits & 3)));
    }
}
