using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Lets hosts behind port 0 open TCP connections to others, and lets in only segments of connections that they have
/// opened (RFC 2979 §2: what is not asked for is not there).
/// </summary>
/// <remarks>All but TCP passes outwards and not inwards, ARP both ways. Not done: sequence numbers, IPv6.</remarks>
/// <example>--capacity 1024 --idle-seconds 300</example>
/// <param name="capacity">Connections that there is room for: a power of two, 4 to 1048576.</param>
/// <param name="idleSeconds">Seconds after which a connection without segments from inside is forgotten.</param>
/// <param name="hashSeed">Seed of the table's hash; choose your own where hosts are not trusted.</param>
public sealed class ConnectionGuard(int capacity = 1024, int idleSeconds = 300, ulong hashSeed = 1) : Service
{
    /// <summary>Both ends of a connection, the one inside first.</summary>
    private readonly record struct Ends(IPv4Address Inside, IPv4Address Outside, ushort InsidePort, ushort OutsidePort)
        : ITableKey<Ends>
    {
        public static int Width => 96;

        public UInt128 KeyBits =>
            (UInt128)Inside.Bits << 64 | (UInt128)Outside.Bits << 32 | (uint)InsidePort << 16 | OutsidePort;
    }

    private static readonly PortId s_inside = new(0);

    private readonly AgeingTable<Ends, byte> _connections = new(capacity, idleSeconds, hashSeed);

    /// <summary>Frames from inside that passed.</summary>
    public Counter Outbound { get; } = new();

    /// <summary>Frames from outside that passed.</summary>
    public Counter Inbound { get; } = new();

    /// <summary>Frames from outside that nobody inside had asked for.</summary>
    public Counter Unasked { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var isFromInside = frame.Ingress.Index == s_inside.Index;
        var ethernet = new Ethernet(frame);
        var isSegment = TryParse(ethernet, out var ip, out var tcp);
        if (isFromInside)
        {
            if (isSegment)
                _connections.Set(
                    new Ends(ip.Source, ip.Destination, tcp.SourcePort, tcp.DestinationPort), 1, frame.Seconds);
            Outbound.Increment();
            frame.Flood();
        }
        else if (ethernet.EtherType == EtherType.Arp || isSegment && _connections.TryGet(
            new Ends(ip.Destination, ip.Source, tcp.DestinationPort, tcp.SourcePort), frame.Seconds, out _))
        {
            Inbound.Increment();
            frame.ForwardTo(s_inside);
        }
        else
        {
            Unasked.Increment();
        }
    }

    private static bool TryParse(Ethernet ethernet, out IPv4 ip, out Tcp tcp)
    {
        tcp = default;
        ip = default;
        return ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out ip)
            && ip.Protocol == IPProtocol.Tcp && ip.FragmentOffset == 0 && Tcp.TryParse(ip.Payload, out tcp);
    }
}
