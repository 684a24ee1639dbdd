using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Joins ports 0 and 1, 2 and 3, counts packets and bytes by port and protocol, and exports what has changed to a
/// collector every second in IPFIX over UDP (RFC 7011), with the template in every tenth message (§8.1).
/// </summary>
/// <param name="mac">The MAC address of the exporter.</param>
/// <param name="address">The IPv4 address of the exporter.</param>
/// <param name="collector">The IPv4 address of the collector.</param>
/// <param name="collectorMac">The MAC address of the collector, or of the router to it.</param>
/// <param name="collectorPort">The port of this device that the collector is at.</param>
/// <param name="domain">The observation domain.</param>
public sealed class IpfixExporter(
    MacAddress mac, IPv4Address address, IPv4Address collector, MacAddress collectorMac, byte collectorPort = 3,
    uint domain = 1) : Service
{
    private const ushort Port = 4739, Version = 10, TemplateSet = 2, Template = 256;
    private const int Ports = 4, Classes = 4;
    private const int MessageHeader = 16, SetHeader = 4, TemplateLength = SetHeader + 4 + 4 * 4;
    private const int RecordLength = 4 + 1 + 8 + 8;
    private const int Headers = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength;
    private const int Longest = MessageHeader + TemplateLength + SetHeader + Ports * Classes * RecordLength;
    private const uint TemplateEvery = 10;

    private struct Traffic
    {
        public ulong Packets, Octets;
    }

    private readonly Traffic[] _traffic = new Traffic[Ports * Classes];
    private uint _messages, _records;

    public override ulong TickInterval => 1_000_000_000;

    /// <summary>Messages exported.</summary>
    public Counter Messages { get; } = new();

    public override void Process(ref Frame frame)
    {
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        ref var traffic = ref _traffic[frame.Ingress.Index % Ports * Classes + ClassOf(ip.Protocol)];
        traffic.Packets++;
        traffic.Octets += ip.TotalLength;
    }

    public override void Tick(ref Frame frame)
    {
        frame.Resize(Headers + Longest);
        var length = WriteMessage(frame.Bytes[Headers..], frame.Seconds);
        if (length == MessageHeader) return;
        frame.Resize(Headers + length);

        var ethernet = new Ethernet(frame) { Destination = collectorMac, Source = mac, EtherType = EtherType.IPv4 };
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        ip.Ttl = IPv4.DefaultTtl;
        ip.Protocol = IPProtocol.Udp;
        ip.Source = address;
        ip.Destination = collector;
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        udp.SourcePort = Port;
        udp.DestinationPort = Port;
        udp.WriteChecksum(ip);
        Messages.Increment();
        frame.ForwardTo(new PortId(collectorPort));
    }

    /// <summary>Writes a message, and begins to count anew.</summary>
    /// <returns>Its bytes.</returns>
    private int WriteMessage(Span<byte> message, ulong seconds)
    {
        var at = MessageHeader;
        if (_messages % TemplateEvery == 0) at += WriteTemplate(message[at..]);
        var set = at;
        var sequence = _records;
        at += SetHeader;
        for (var i = 0; i < _traffic.Length; i++)
        {
            ref var traffic = ref _traffic[i];
            if (traffic.Packets == 0) continue;
            var record = message.Slice(at, RecordLength);
            record.SetUInt32(0, (uint)(i / Classes) + 1);
            record[4] = ProtocolOf(i % Classes);
            record.SetUInt64(5, traffic.Octets);
            record.SetUInt64(13, traffic.Packets);
            traffic = default;
            at += RecordLength;
            _records++;
        }
        if (at == set + SetHeader) at = set; // no record, no set
        else
        {
            message.SetUInt16(set, Template);
            message.SetUInt16(set + 2, (ushort)(at - set));
        }
        if (at == MessageHeader) return at;
        _messages++;
        message.SetUInt16(0, Version);
        message.SetUInt16(2, (ushort)at);
        message.SetUInt32(4, (uint)seconds);
        message.SetUInt32(8, sequence);
        message.SetUInt32(12, domain);
        return at;
    }

    private static int WriteTemplate(Span<byte> set)
    {
        ReadOnlySpan<ushort> words =
        [
            TemplateSet, TemplateLength, Template, 4, // ingressInterface, protocolIdentifier, octet- and packetDelta
            10, 4, 4, 1, 1, 8, 2, 8,
        ];
        for (var i = 0; i < words.Length; i++) set.SetUInt16(2 * i, words[i]);
        return TemplateLength;
    }

    private static int ClassOf(IPProtocol protocol) => protocol switch
    {
        IPProtocol.Tcp => 0,
        IPProtocol.Udp => 1,
        IPProtocol.Icmp => 2,
        _ => 3,
    };

    private static byte ProtocolOf(int number) => number switch
    {
        0 => (byte)IPProtocol.Tcp,
        1 => (byte)IPProtocol.Udp,
        2 => (byte)IPProtocol.Icmp,
        _ => 255,
    };
}
