using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A switch that sends multicast only where a host has asked for the group (RFC 4541), by reports of IGMP v2 and the
/// first record of those of v3.
/// </summary>
public sealed class IgmpSnooper(int routerPort = 3) : Service
{
    private const int MembershipSeconds = 260;
    private const byte ReportV1 = 0x12, ReportV2 = 0x16, Leave = 0x17, ReportV3 = 0x22;
    private const byte ChangeToInclude = 3;

    private readonly AgeingTable<MacAddress, byte> _stations = new(1024, 300, 7);
    private readonly AgeingTable<IPv4Address, byte> _groups = new(256, MembershipSeconds, 8);

    public Counter Joins { get; } = new();

    public Counter Leaves { get; } = new();

    public Counter Multicast { get; } = new();

    public Counter Unknown { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.Source.IsIndividual) _stations.Set(ethernet.Source, frame.Ingress.Index, frame.Seconds);

        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip))
        {
            if (ip.Protocol == IPProtocol.Igmp)
            {
                HandleIgmp(ref frame, ip.Payload);
                return;
            }
            // 224.0.0.0/24 goes everywhere.
            if (ip.Destination.IsMulticast && ip.Destination.Bits >> 8 != 0xE00000)
            {
                Multicast.Increment();
                var ports = PortSet.Of(new PortId(routerPort));
                if (_groups.TryGet(ip.Destination, frame.Seconds, out var members)) ports |= new PortSet(members);
                frame.ForwardTo(ports);
                return;
            }
        }

        if (ethernet.Destination.IsGroup)
        {
            frame.Flood();
        }
        else if (_stations.TryGet(ethernet.Destination, frame.Seconds, out var port))
        {
            frame.ForwardTo(new PortId(port));
        }
        else
        {
            Unknown.Increment();
            frame.Flood();
        }
    }

    private void HandleIgmp(ref Frame frame, Span<byte> message)
    {
        if (message.Length < 8 || !InternetChecksum.IsValid(InternetChecksum.Sum(message))) return;
        var type = message[0];
        var isLeave = type == Leave;
        var isJoin = type is ReportV1 or ReportV2;
        var group = NetworkAddress(message[4..]);
        if (type == ReportV3 && message.Length >= 16)
        {
            // The first record alone: type, words of auxiliary data, sources, group.
            group = NetworkAddress(message[12..]);
            var sources = message[10] << 8 | message[11];
            isLeave = message[8] == ChangeToInclude && sources == 0;
            isJoin = !isLeave;
        }
        if (isJoin)
        {
            Joins.Increment();
            ref var members = ref _groups.GetOrAdd(group, frame.Seconds, out var isNew);
            if (isNew) members = 0;
            members |= (byte)(1 << frame.Ingress.Index);
        }
        else if (isLeave)
        {
            Leaves.Increment();
            if (_groups.TryGet(group, frame.Seconds, out var members))
                _groups.Set(group, (byte)(members & ~(1 << frame.Ingress.Index)), frame.Seconds);
        }
        if (isJoin || isLeave) frame.ForwardTo(new PortId(routerPort));
        else frame.Flood();
    }

    private static IPv4Address NetworkAddress(ReadOnlySpan<byte> bytes) =>
        new((uint)bytes[0] << 24 | (uint)bytes[1] << 16 | (uint)bytes[2] << 8 | bytes[3]);
}
