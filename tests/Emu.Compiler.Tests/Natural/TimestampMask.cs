using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Adds a secret to the timestamps of TCP (RFC 7323) in segments that leave, and takes it off their echoes, so that
/// nobody sees how long a host has run.
/// </summary>
public sealed class TimestampMask(uint secret, int inside = 0, int outside = 1) : Service
{
    public Counter Masked { get; } = new();

    public override void Process(ref Frame frame)
    {
        var leaves = frame.Ingress.Index == inside;
        frame.ForwardTo(new PortId(leaves ? outside : inside));
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Tcp || !Tcp.TryParse(ip.Payload, out var tcp))
            return;
        var options = tcp.Options;
        while (options.MoveNext())
        {
            if (!options.TryReadTimestamps(out var value, out var echo)) continue;
            if (leaves) BinaryPrimitives.WriteUInt32BigEndian(options.Data, value + secret);
            else BinaryPrimitives.WriteUInt32BigEndian(options.Data[4..], echo - secret);
            tcp.WriteChecksum(ip);
            Masked.Increment();
            return;
        }
    }
}
