using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Writes the text of UDP datagrams to a port in lower case, so that those behind it compare plainly: metrics, log
/// lines, keys.
/// </summary>
/// <remarks>
/// Letters are those of ASCII. The checksum is made anew; a datagram without one has one then. Packets with IPv4
/// options and fragments pass as they are. Ports are in pairs: what comes in by 0 leaves by 1.
/// </remarks>
/// <example>--port 8125</example>
/// <param name="port">The UDP port that datagrams are sent to.</param>
public sealed class LowerCase(ushort port = 8125) : Service
{
    /// <summary>Datagrams that were written in lower case.</summary>
    public Counter Written { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.HeaderLength != IPv4.MinHeaderLength || ip.Protocol != IPProtocol.Udp
            || !Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != port)
            return;
        Written.Increment();
        var text = udp.Payload;
        for (var i = 0; i < text.Length; i++)
            if (text[i] is >= (byte)'A' and <= (byte)'Z') text[i] += 'a' - 'A';
        udp.WriteChecksum(ip);
    }
}
