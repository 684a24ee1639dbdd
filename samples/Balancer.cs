using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Spreads the connections to one address over servers that all have it: a segment goes to the server that the keyed
/// hash of both its ends chooses, by the server's MAC address (direct server return).
/// </summary>
/// <remarks>
/// Nothing is kept, so all segments of a connection go to one server for as long as the servers are the same. What is
/// not TCP or UDP to the address, fragments too, is dropped.
/// </remarks>
/// <example>--address 10.0.0.80 --server 02:00:00:00:00:0a --server 02:00:00:00:00:0b</example>
/// <param name="address">The address that the servers share.</param>
/// <param name="server">The MAC addresses of the servers, all behind port 1.</param>
/// <param name="key">The hash's key, 64 bits of it; choose your own where clients are not trusted.</param>
[LineRate(gigabits: 40)]
public sealed class Balancer(IPv4Address address, MacAddress[] server, ulong key = 1) : Service
{
    private static readonly PortId s_servers = new(1);

    private readonly MacAddress[] _servers = server.Length > 0
        ? [.. server]
        : throw new ArgumentException("there is no server", nameof(server));

    /// <summary>Packets sent to a server.</summary>
    public Counter Balanced { get; } = new();

    /// <summary>Frames dropped: not TCP or UDP to the address.</summary>
    public Counter Ignored { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.Destination != address || ip.IsFragment || !TryPorts(ip, out var source, out var destination))
        {
            Ignored.Increment();
            return;
        }
        var hash = SipHash.Of(key, (ulong)ip.Source.Bits << 32 | ip.Destination.Bits, (uint)source << 16 | destination);
        ethernet.Destination = _servers[(int)(hash % (uint)_servers.Length)];
        frame.ForwardTo(s_servers);
        Balanced.Increment();
    }

    private static bool TryPorts(IPv4 ip, out ushort source, out ushort destination)
    {
        if (ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp))
        {
            (source, destination) = (tcp.SourcePort, tcp.DestinationPort);
            return true;
        }
        if (ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp))
        {
            (source, destination) = (udp.SourcePort, udp.DestinationPort);
            return true;
        }
        (source, destination) = (0, 0);
        return false;
    }
}
