using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Sends what comes for a multicast group in the VLAN of the source to each port that has joined, in the VLAN that
/// viewers behind this port have (MVR).
/// </summary>
public sealed class MulticastReplicator : Service
{
    private const int Ports = 4;

    private readonly ushort _sourceVlan;
    private readonly ushort[] _viewers;
    private readonly AgeingTable<IPv4Address, byte> _groups = new(256, 260, 5);

    public MulticastReplicator(ushort sourceVlan, params ushort[] viewers)
    {
        _sourceVlan = sourceVlan;
        _viewers = viewers;
    }

    public Counter Joined { get; } = new();

    public Counter Replicated { get; } = new();

    public Counter Unwanted { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.CTag || !Vlan.TryParse(ethernet.Payload, out var tag)
            || tag.EtherType != EtherType.IPv4 || !IPv4.TryParse(tag.Payload, out var ip))
            return;
        if (ip.Protocol == IPProtocol.Igmp)
        {
            Join(frame, ip);
            return;
        }
        if (tag.Vid != _sourceVlan || !ip.Destination.IsMulticast) return;
        if (!_groups.TryGet(ip.Destination, frame.Seconds, out var ports) || ports == 0)
        {
            Unwanted.Increment();
            return;
        }
        for (var port = 0; port < Ports; port++)
        {
            if ((ports >> port & 1) == 0 || port == frame.Ingress.Index) continue;
            tag.Vid = _viewers[port];
            frame.Send(PortSet.Of(new PortId(port)));
            Replicated.Increment();
        }
    }

    private void Join(Frame frame, IPv4 ip)
    {
        var message = ip.Payload;
        if (message.Length < 8 || message[0] != 0x16) return;
        var group = new IPv4Address(
            (uint)(message[4] << 24 | message[5] << 16 | message[6] << 8 | message[7]));
        if (!group.IsMulticast) return;
        _groups.TryGet(group, frame.Seconds, out var ports);
        _groups.Set(group, (byte)(ports | 1 << frame.Ingress.Index), frame.Seconds);
        Joined.Increment();
    }
}
