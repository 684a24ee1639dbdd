using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Television for subscribers in VLANs of their own (multicast VLAN registration): packets of a group that come in the
/// multicast VLAN at port 0 leave by each port that has subscribed to the group, tagged for the VLAN of that port, or
/// without a tag. Their IGMP goes back to the multicast VLAN.
/// </summary>
/// <param name="subscription">Groups, and the ports that have subscribed, as <c>239.1.1.1=1,3</c>.</param>
/// <param name="multicastVlan">The multicast VLAN, 1 to 4094.</param>
/// <param name="portVlan">The VLANs of ports 1, 2, 3...; 0 for a port whose frames have no tag.</param>
public sealed class MvrReplicator(MvrSubscription[] subscription, ushort multicastVlan, ushort[] portVlan) : Service
{
    private const int TagOffset = 12;

    private static readonly PortId s_source = new(0);

    private readonly ConstantTable<IPv4Address, PortSet> _subscribers =
        new(subscription.ToDictionary(s => s.Group, s => s.Ports));

    /// <summary>Frames that were replicated, or had no subscriber.</summary>
    public Counter Multicasts { get; } = new();

    /// <summary>Copies that left.</summary>
    public Counter Copies { get; } = new();

    /// <summary>Reports of subscribers that went to the multicast VLAN.</summary>
    public Counter Reports { get; } = new();

    /// <summary>Frames dropped: of another VLAN, or no multicast.</summary>
    public Counter Others { get; } = new();

    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_source) Replicate(ref frame);
        else Report(ref frame);
    }

    private void Replicate(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.CTag || !Vlan.TryParse(ethernet.Payload, out var tag)
            || tag.Vid != multicastVlan || tag.EtherType != EtherType.IPv4
            || !IPv4.TryParse(tag.Payload, out var ip) || ethernet.Destination != StationsOf(ip.Destination))
        {
            Others.Increment();
            return;
        }
        Multicasts.Increment();
        if (!_subscribers.TryGet(ip.Destination, out var subscribers)) return;

        var untagged = PortSet.None;
        for (var i = 0; i < portVlan.Length; i++)
        {
            var port = new PortId(i + 1);
            if (!subscribers.Contains(port)) continue;
            Copies.Increment();
            if (portVlan[i] == 0)
            {
                untagged |= PortSet.Of(port);
                continue;
            }
            tag.Vid = portVlan[i];
            frame.Send(PortSet.Of(port));
        }
        if (untagged.IsEmpty) return;
        frame.Remove(TagOffset, Vlan.HeaderLength);
        if (frame.Length < Ethernet.MinFrameLength) frame.Resize(Ethernet.MinFrameLength);
        frame.ForwardTo(untagged);
    }

    private void Report(ref Frame frame)
    {
        var number = frame.Ingress.Index - 1;
        if (number >= portVlan.Length)
        {
            Others.Increment();
            return;
        }
        var vlan = portVlan[number];
        var ethernet = new Ethernet(frame);
        var type = ethernet.EtherType;
        var packet = ethernet.Payload;
        var isTagged = type == EtherType.CTag;
        if (isTagged && Vlan.TryParse(packet, out var tag) && tag.Vid == vlan)
        {
            tag.Vid = multicastVlan;
            type = tag.EtherType;
            packet = tag.Payload;
        }
        if (isTagged == (vlan == 0) || type != EtherType.IPv4 || !IPv4.TryParse(packet, out var ip)
            || ip.Protocol != IPProtocol.Igmp || !ip.Destination.IsMulticast)
        {
            Others.Increment();
            return;
        }
        if (!isTagged)
        {
            frame.Insert(TagOffset, Vlan.HeaderLength);
            var tagged = new Ethernet(frame) { EtherType = EtherType.CTag };
            if (Vlan.TryParse(tagged.Payload, out var added)) added.Vid = multicastVlan;
        }
        Reports.Increment();
        frame.ForwardTo(s_source);
    }

    /// <summary>The MAC address of a group (RFC 1112 §6.4); none for an address that is no group.</summary>
    private static MacAddress StationsOf(IPv4Address group) =>
        group.IsMulticast ? new MacAddress(0x0100_5E00_0000UL | group.Bits & 0x7F_FFFF) : default;
}

/// <summary>The ports that have subscribed to a group.</summary>
public readonly record struct MvrSubscription(IPv4Address Group, PortSet Ports) : IParsable<MvrSubscription>
{
    public static MvrSubscription Parse(string s, IFormatProvider? provider = null) =>
        TryParse(s, provider, out var result) ? result : throw new FormatException($"'{s}' is not as 239.1.1.1=1,3");

    public static bool TryParse(string? s, IFormatProvider? provider, out MvrSubscription result)
    {
        result = default;
        var words = s?.Split('=') ?? [];
        if (words.Length != 2 || !IPv4Address.TryParse(words[0], provider, out var group) || !group.IsMulticast
            || !PortSet.TryParse(words[1], provider, out var ports))
            return false;
        result = new MvrSubscription(group, ports);
        return true;
    }
}
