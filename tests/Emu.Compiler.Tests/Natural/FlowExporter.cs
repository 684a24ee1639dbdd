using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Counts the packets and bytes of flows by address, and sends a record of one of them to a collector with each tick
/// (IPFIX, RFC 7011 §3).
/// </summary>
public sealed class FlowExporter(
    MacAddress mac, MacAddress collectorMac, IPv4Address address, IPv4Address collector) : Service
{
    private const int Flows = 256, RecordLength = 36;
    private const ushort Port = 4739;

    private struct Flow
    {
        public uint Source, Destination, Packets, Bytes;
    }

    private readonly Flow[] _flows = new Flow[Flows];
    private readonly H3Hash _hash = new(64, 8, 3);
    private int _next;
    private uint _sequence;

    public override ulong TickInterval => 10_000_000;

    public override void Process(ref Frame frame)
    {
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        var (source, destination) = (ip.Source.Bits, ip.Destination.Bits);
        ref var flow = ref _flows[_hash.Index((ulong)source << 32 | destination)];
        if (flow.Source != source || flow.Destination != destination)
        {
            (flow.Source, flow.Destination) = (source, destination);
            (flow.Packets, flow.Bytes) = (0, 0);
        }
        flow.Packets++;
        flow.Bytes += (uint)frame.Length;
    }

    public override void Tick(ref Frame frame)
    {
        ref var flow = ref _flows[_next];
        _next = (_next + 1) % Flows;
        if (flow.Packets == 0) return;
        frame.Resize(Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength + RecordLength);
        var ethernet = new Ethernet(frame);
        (ethernet.Source, ethernet.Destination) = (mac, collectorMac);
        ethernet.EtherType = EtherType.IPv4;
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        (ip.Source, ip.Destination) = (address, collector);
        ip.Ttl = 64;
        ip.Protocol = IPProtocol.Udp;
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        (udp.SourcePort, udp.DestinationPort) = (Port, Port);
        Write(udp.Payload, flow, (uint)frame.Seconds);
        (flow.Packets, flow.Bytes) = (0, 0);
        frame.ForwardTo(new PortId(3));
    }

    private void Write(Span<byte> record, in Flow flow, uint seconds)
    {
        BinaryPrimitives.WriteUInt16BigEndian(record, 10);
        BinaryPrimitives.WriteUInt16BigEndian(record[2..], RecordLength);
        BinaryPrimitives.WriteUInt32BigEndian(record[4..], seconds);
        BinaryPrimitives.WriteUInt32BigEndian(record[8..], _sequence++);
        BinaryPrimitives.WriteUInt16BigEndian(record[16..], 256);
        BinaryPrimitives.WriteUInt16BigEndian(record[18..], 20);
        BinaryPrimitives.WriteUInt32BigEndian(record[20..], flow.Source);
        BinaryPrimitives.WriteUInt32BigEndian(record[24..], flow.Destination);
        BinaryPrimitives.WriteUInt32BigEndian(record[28..], flow.Packets);
        BinaryPrimitives.WriteUInt32BigEndian(record[32..], flow.Bytes);
    }
}
