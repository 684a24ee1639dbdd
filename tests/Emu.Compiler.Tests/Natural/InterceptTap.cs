using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// The interception point of a provider: all passes between ports 0 and 1, and of what certain subscribers send or
/// receive a copy goes to a mediation device at port 2, behind headers of IP and UDP and the identifier of the warrant
/// (RFC 3924 §5; PacketCable electronic surveillance PKT-SP-ESP §4.4: the call content connection).
/// </summary>
public sealed class InterceptTap : Service
{
    private const int ContentHeaderLength = 4;
    private const int OuterLength = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength
        + ContentHeaderLength;

    private static readonly PortId s_access = new(0);
    private static readonly PortId s_core = new(1);
    private static readonly PortSet s_mediation = PortSet.Of(new PortId(2));

    private readonly ConstantTable<IPv4Address, uint> _warrants;
    private readonly MacAddress _mac;
    private readonly MacAddress _mediationMac;
    private readonly IPv4Address _address;
    private readonly IPv4Address _mediation;
    private readonly ushort _port;
    private ushort _identification;

    /// <summary>Copies that were delivered.</summary>
    public Counter Delivered { get; } = new();

    /// <summary>Bytes of packets in them.</summary>
    public Counter DeliveredBytes { get; } = new();

    /// <summary>Of the copies, those that were too long with their headers and so lost their end.</summary>
    public Counter Cut { get; } = new();

    /// <param name="mac">Of this device.</param>
    /// <param name="address">Of this device.</param>
    /// <param name="mediationMac">Of the mediation device, or the way to it.</param>
    /// <param name="mediation">Of the mediation device.</param>
    /// <param name="warrants">Such as <c>10.0.0.7=1000</c>: a subscriber and the identifier of its content.</param>
    /// <param name="port">The UDP port of the mediation device.</param>
    public InterceptTap(
        MacAddress mac, IPv4Address address, MacAddress mediationMac, IPv4Address mediation, string[] warrants,
        ushort port = 9000)
    {
        (_mac, _address, _mediationMac, _mediation, _port) = (mac, address, mediationMac, mediation, port);
        _warrants = new(warrants.Select(w => w.Split('='))
            .ToDictionary(w => IPv4Address.Parse(w[0]), w => uint.Parse(w[1])));
    }

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress != s_access && frame.Ingress != s_core) return;
        var other = frame.Ingress == s_access ? s_core : s_access;
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || !TryFindWarrant(ip, out var content))
        {
            frame.ForwardTo(other);
            return;
        }
        var length = (int)ip.TotalLength;
        frame.Send(PortSet.Of(other));
        Deliver(ref frame, length, content);
    }

    private bool TryFindWarrant(scoped in IPv4 ip, out uint content) =>
        _warrants.TryGet(ip.Source, out content) || _warrants.TryGet(ip.Destination, out content);

    private void Deliver(ref Frame frame, int length, uint content)
    {
        frame.Remove(0, Ethernet.HeaderLength);
        var most = FrameLength.DefaultMtu + FrameLength.Header - OuterLength;
        if (length > most)
        {
            length = most;
            Cut.Increment();
        }
        frame.Resize(length);
        frame.Insert(0, OuterLength);
        var ethernet = new Ethernet(frame)
        {
            Destination = _mediationMac,
            Source = _mac,
            EtherType = EtherType.IPv4,
        };
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        ip.Identification = _identification++;
        ip.Ttl = IPv4.DefaultTtl;
        ip.Protocol = IPProtocol.Udp;
        ip.Source = _address;
        ip.Destination = _mediation;
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        udp.SourcePort = _port;
        udp.DestinationPort = _port;
        udp.Payload.SetUInt32(0, content);
        udp.WriteChecksum(ip);
        Delivered.Increment();
        DeliveredBytes.Add((ulong)length);
        frame.Send(s_mediation);
    }
}
