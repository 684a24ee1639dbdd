using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Makes the segments of connections as small as a tunnel needs (MSS clamping), with their checksums.
/// </summary>
public sealed class MssClamp(ushort most = 1400) : Service
{
    public Counter Clamped { get; } = new();

    public override void Process(ref Frame frame)
    {
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Tcp || !Tcp.TryParse(ip.Payload, out var tcp) || !tcp.IsSyn)
            return;
        var options = tcp.Options;
        while (options.MoveNext())
        {
            if (!options.TryReadMaximumSegmentSize(out var size) || size <= most) continue;
            BinaryPrimitives.WriteUInt16BigEndian(options.Data, most);
            tcp.WriteChecksum(ip);
            Clamped.Increment();
            return;
        }
    }
}
