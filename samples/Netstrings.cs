using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Lets UDP datagrams pass to a port only if their payload is one netstring: the length of what follows in decimal
/// digits, a colon, as many bytes, and a comma (D. J. Bernstein 1997, <em>Netstrings</em>).
/// </summary>
/// <remarks>
/// The last byte is not looked at. A length that begins with a zero is refused, as its definition asks for, unless it
/// is 0. Packets with IPv4 options, fragments and all other frames pass unseen.
/// </remarks>
/// <example>--port 4000</example>
/// <param name="port">The UDP port.</param>
public sealed class Netstrings(ushort port = 4000) : Service
{
    /// <summary>Frames that passed.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Datagrams dropped: their length is not the one that they begin with.</summary>
    public Counter Dropped { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp)
            && udp.DestinationPort == port && !IsNetstring(udp.Payload))
        {
            Dropped.Increment();
            return;
        }
        Passed.Increment();
        frame.Flood();
    }

    private static bool IsNetstring(ReadOnlySpan<byte> payload)
    {
        uint length = 0;
        for (var i = 0; i < payload.Length; i++)
        {
            if (payload[i] == ':') return i > 0 && payload.Length == i + 1 + length + 1;
            var digit = (uint)payload[i] - '0';
            if (digit > 9 || (i == 1 && length == 0)) return false;
            length = length * 10 + digit;
        }
        return false;
    }
}
