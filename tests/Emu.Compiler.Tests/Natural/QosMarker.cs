using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Marks packets by classes that arguments give, ports to DSCP, and puts the class into the tag's priority, too; what
/// comes marked from a port that is not trusted is marked anew.
/// </summary>
public sealed class QosMarker : Service
{
    private readonly (ushort First, ushort Last, byte Dscp)[] _rules;
    private readonly byte[] _priorities = new byte[64];
    private readonly PortSet _trusted;

    /// <summary>Rules such as 5060-5061=24.</summary>
    public QosMarker(string[] rules, PortSet trusted)
    {
        _rules = new (ushort, ushort, byte)[rules.Length];
        for (var i = 0; i < rules.Length; i++)
        {
            var parts = rules[i].Split('-', '=');
            _rules[i] = (ushort.Parse(parts[0]), ushort.Parse(parts[1]), byte.Parse(parts[2]));
        }
        for (var dscp = 0; dscp < _priorities.Length; dscp++) _priorities[dscp] = (byte)(dscp >> 3);
        _priorities[46] = 5;
        _priorities[34] = 4;
        _trusted = trusted;
    }

    public Counter Marked { get; } = new();

    public Counter Kept { get; } = new();

    [Control]
    public ulong[] Classes { get; } = new ulong[8];

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        var type = ethernet.EtherType;
        var payload = ethernet.Payload;
        var isTagged = false;
        Vlan tag = default;
        if (type == EtherType.CTag && Vlan.TryParse(payload, out tag))
        {
            isTagged = true;
            type = tag.EtherType;
            payload = tag.Payload;
        }
        byte dscp;
        if (type == EtherType.IPv4 && IPv4.TryParse(payload, out var ip))
        {
            dscp = _trusted.Contains(frame.Ingress) ? ip.Dscp : Classify(ip.Protocol, ip.Payload);
            if (dscp == ip.Dscp)
            {
                Kept.Increment();
            }
            else
            {
                Marked.Increment();
                ip.Dscp = dscp;
                ip.WriteHeaderChecksum();
            }
        }
        else if (type == EtherType.IPv6 && IPv6.TryParse(payload, out var ip6))
        {
            dscp = _trusted.Contains(frame.Ingress) ? ip6.Dscp : Classify(ip6.NextHeader, ip6.Payload);
            if (dscp == ip6.Dscp) Kept.Increment();
            else Marked.Increment();
            ip6.Dscp = dscp;
        }
        else
        {
            return;
        }
        var priority = _priorities[dscp & 63];
        if (isTagged) tag.Pcp = priority;
        Classes[priority & 7]++;
    }

    private byte Classify(IPProtocol protocol, Span<byte> payload)
    {
        ushort source, destination;
        if (protocol == IPProtocol.Udp && Udp.TryParse(payload, out var udp))
            (source, destination) = (udp.SourcePort, udp.DestinationPort);
        else if (protocol == IPProtocol.Tcp && Tcp.TryParse(payload, out var tcp))
            (source, destination) = (tcp.SourcePort, tcp.DestinationPort);
        else
            return 0;
        foreach (var (first, last, dscp) in _rules)
        {
            if (destination >= first && destination <= last || source >= first && source <= last) return dscp;
        }
        return 0;
    }
}
