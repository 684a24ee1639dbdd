using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>Adds the key stream of a shift register to the payload of datagrams to a port.</summary>
public sealed class XorCipher(ushort port, uint key) : Service
{
    public override void Process(ref Frame frame)
    {
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != port)
            return;
        var payload = udp.Payload;
        var state = key;
        for (var i = 0; i < payload.Length; i++)
        {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            payload[i] ^= (byte)state;
        }
        udp.Checksum = 0;
    }
}
