using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// One packet of so many, at random, goes to a collector in a datagram like those of sFlow 5: a sequence, the pool of
/// packets that it was taken from, the port, and the first 128 bytes.
/// </summary>
public sealed class FlowSampler(
    IPv4Address agent, MacAddress mac, IPv4Address collector, MacAddress collectorMac, int rate = 16) : Service
{
    private const ushort Port = 6343;
    private const int Snap = 128, Fields = 40, Headers = 14 + 20 + 8 + Fields;

    private uint _random = 0x2545F491;
    private uint _sequence;
    private uint _pool;
    private int _skip;

    public Counter Samples { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ports = PortSet.Of(new PortId(frame.Ingress.Index ^ 1));
        _pool++;
        if (_skip > 0)
        {
            _skip--;
            frame.ForwardTo(ports);
            return;
        }
        _skip = Next() % (2 * rate - 1);
        frame.Send(ports);

        var length = frame.Length;
        var snap = Math.Min(length, Snap);
        frame.Resize(Snap);
        frame.Insert(0, Headers);
        var ethernet = new Ethernet(frame) { Source = mac, Destination = collectorMac, EtherType = EtherType.IPv4 };
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        ip.Ttl = 64;
        ip.Protocol = IPProtocol.Udp;
        ip.Source = agent;
        ip.Destination = collector;
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        udp.SourcePort = Port;
        udp.DestinationPort = Port;
        var fields = udp.Payload;
        BinaryPrimitives.WriteUInt32BigEndian(fields, 5);
        BinaryPrimitives.WriteUInt32BigEndian(fields[4..], 1);
        BinaryPrimitives.WriteUInt32BigEndian(fields[8..], agent.Bits);
        BinaryPrimitives.WriteUInt32BigEndian(fields[12..], _sequence++);
        BinaryPrimitives.WriteUInt32BigEndian(fields[16..], (uint)(frame.Time / 1_000_000));
        BinaryPrimitives.WriteUInt32BigEndian(fields[20..], (uint)rate);
        BinaryPrimitives.WriteUInt32BigEndian(fields[24..], _pool);
        BinaryPrimitives.WriteUInt32BigEndian(fields[28..], frame.Ingress.Index);
        BinaryPrimitives.WriteUInt32BigEndian(fields[32..], (uint)length);
        BinaryPrimitives.WriteUInt32BigEndian(fields[36..], (uint)snap);
        Samples.Increment();
        frame.ForwardTo(new PortId(3));
    }

    /// <summary>Xorshift (Marsaglia 2003).</summary>
    private int Next()
    {
        _random ^= _random << 13;
        _random ^= _random >> 17;
        _random ^= _random << 5;
        return (int)(_random >> 1);
    }
}
