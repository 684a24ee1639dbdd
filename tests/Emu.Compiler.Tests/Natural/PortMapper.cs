using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Answers hosts that ask a gateway to map a port (NAT-PMP, RFC 6886): its public address, and mappings, of which the
/// first to ask for a port has it.
/// </summary>
public sealed class PortMapper(IPv4Address address, MacAddress mac, IPv4Address outside) : Service
{
    private const ushort Port = 5351;
    private const byte PublicAddress = 0, MapUdp = 1, MapTcp = 2;
    private const ushort NotSupported = 5, NoResources = 4;

    private readonly AgeingTable<IPv4Address, uint> _mappings = new(1024, 3600, 31);

    public Counter Addresses { get; } = new();

    public Counter Mapped { get; } = new();

    public Counter Refused { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Destination != address || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort != Port || udp.Payload.Length < 2)
            return;
        var (host, hostPort, hostMac) = (ip.Source, udp.SourcePort, ethernet.Source);
        var request = udp.Payload;
        var (version, opcode) = (request[0], request[1]);
        ushort result = 0, inside = 0, wanted = 0;
        uint lifetime = 0;
        if (version != 0 || opcode > MapTcp || opcode != PublicAddress && request.Length < 12)
        {
            result = NotSupported;
            Refused.Increment();
        }
        else if (opcode == PublicAddress)
        {
            Addresses.Increment();
        }
        else
        {
            inside = BinaryPrimitives.ReadUInt16BigEndian(request[4..]);
            wanted = BinaryPrimitives.ReadUInt16BigEndian(request[6..]);
            lifetime = BinaryPrimitives.ReadUInt32BigEndian(request[8..]);
            if (wanted == 0) wanted = inside;
            var key = new IPv4Address((uint)opcode << 16 | wanted);
            ref var owner = ref _mappings.GetOrAdd(key, frame.Seconds, out var isNew);
            if (isNew) owner = host.Bits;
            if (owner != host.Bits)
            {
                result = NoResources;
                lifetime = 0;
                Refused.Increment();
            }
            else
            {
                Mapped.Increment();
            }
        }
        var isMapping = opcode is MapUdp or MapTcp && result != NotSupported;
        frame.Resize(Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength + (isMapping ? 16 : 12));
        ethernet = new Ethernet(frame) { Destination = hostMac, Source = mac };
        if (!IPv4.TryInitialize(ethernet.Payload, out ip)) return;
        ip.Ttl = IPv4.DefaultTtl;
        ip.Protocol = IPProtocol.Udp;
        ip.Source = address;
        ip.Destination = host;
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out udp)) return;
        udp.SourcePort = Port;
        udp.DestinationPort = hostPort;
        var answer = udp.Payload;
        answer[0] = 0;
        answer[1] = (byte)(opcode | 0x80);
        BinaryPrimitives.WriteUInt16BigEndian(answer[2..], result);
        BinaryPrimitives.WriteUInt32BigEndian(answer[4..], (uint)frame.Seconds);
        if (isMapping)
        {
            BinaryPrimitives.WriteUInt16BigEndian(answer[8..], inside);
            BinaryPrimitives.WriteUInt16BigEndian(answer[10..], wanted);
            BinaryPrimitives.WriteUInt32BigEndian(answer[12..], lifetime);
        }
        else
        {
            BinaryPrimitives.WriteUInt32BigEndian(answer[8..], outside.Bits);
        }
        udp.WriteChecksum(ip);
        frame.Reply();
    }
}
