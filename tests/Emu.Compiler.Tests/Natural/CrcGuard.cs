using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>Drops datagrams to a port that do not agree with the CRC-32 that they begin with.</summary>
public sealed class CrcGuard(ushort port) : Service
{
    public Counter Dropped { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp) && udp.DestinationPort == port
            && (udp.Payload.Length < 4
                || Crc32.Compute(udp.Payload[4..]) != BinaryPrimitives.ReadUInt32BigEndian(udp.Payload)))
        {
            Dropped.Increment();
            return;
        }
        frame.Flood();
    }
}
