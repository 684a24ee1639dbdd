using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Writes telemetry into UDP datagrams to a port: 12 bytes behind the header, with switch, ports, time and the length
/// of a queue.
/// </summary>
public sealed class IntSource(ushort port, uint id) : Service
{
    private const int Bytes = 12;

    private ulong _busyUntil;

    public Counter Marked { get; } = new();

    public override void Process(ref Frame frame)
    {
        var egress = new PortId(frame.Ingress.Index ^ 1);
        frame.ForwardTo(egress);
        var start = Math.Max(_busyUntil, frame.Time);
        var queue = start - frame.Time;
        _busyUntil = start + (ulong)frame.Length * 8;
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.HeaderLength != 20 || ip.Protocol != IPProtocol.Udp
            || !Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != port || frame.Length > 1500)
            return;
        frame.Insert(14 + 20 + 8, Bytes);
        ethernet = new Ethernet(frame);
        if (!IPv4.TryParse(ethernet.Payload, out ip)) return;
        ip.TotalLength += Bytes;
        ip.WriteHeaderChecksum();
        var datagram = ethernet.Payload[20..];
        var length = BinaryPrimitives.ReadUInt16BigEndian(datagram[4..]);
        BinaryPrimitives.WriteUInt16BigEndian(datagram[4..], (ushort)(length + Bytes));
        BinaryPrimitives.WriteUInt16BigEndian(datagram[6..], 0);
        var telemetry = datagram[8..];
        BinaryPrimitives.WriteUInt32BigEndian(telemetry, id);
        telemetry[4] = (byte)frame.Ingress.Index;
        telemetry[5] = (byte)egress.Index;
        BinaryPrimitives.WriteUInt16BigEndian(telemetry[6..], (ushort)Math.Min(queue / 1000, 65535));
        BinaryPrimitives.WriteUInt32BigEndian(telemetry[8..], (uint)frame.Time);
        Marked.Increment();
    }
}
