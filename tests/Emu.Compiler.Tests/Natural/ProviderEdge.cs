using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// The edge of a provider's network of VLANs (IEEE 802.1Q-2022 §15, once 802.1ad): frames of customers at ports 1 to 3
/// leave by port 0 with a service tag of their port, and with a customer tag in it if they had none; on the way back
/// both are taken out.
/// </summary>
/// <remarks>The priority of the service tag is that of the customer's tag. Bridges' own frames are dropped.</remarks>
/// <param name="serviceVlan">The service VLANs of ports 1, 2 and 3.</param>
/// <param name="nativeVlan">The customer VLAN of frames that come untagged.</param>
public sealed class ProviderEdge(ushort[] serviceVlan, ushort nativeVlan = 1) : Service
{
    private const int TagsOffset = 12;

    private static readonly PortId s_network = new(0);

    private readonly ushort[] _services = serviceVlan.Length == 3 && Array.TrueForAll(serviceVlan, IsVlan)
        ? serviceVlan
        : throw new ArgumentException("give three VLANs of 1 to 4094", nameof(serviceVlan));

    /// <summary>Frames that got tags.</summary>
    public Counter Pushed { get; } = new();

    /// <summary>Frames that lost them.</summary>
    public Counter Popped { get; } = new();

    /// <summary>Frames dropped.</summary>
    public Counter Dropped { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.Destination.IsReservedForBridges) Dropped.Increment();
        else if (frame.Ingress == s_network) Pop(ref frame);
        else if (frame.Ingress.Index <= _services.Length) Push(ref frame);
        else Dropped.Increment();
    }

    private void Push(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var service = _services[frame.Ingress.Index - 1];
        if (ethernet.EtherType == EtherType.STag)
        {
            Dropped.Increment();
            return;
        }
        byte priority = 0;
        var isDropEligible = false;
        var isTagged = ethernet.EtherType == EtherType.CTag;
        if (isTagged)
        {
            if (!Vlan.TryParse(ethernet.Payload, out var own) || own.Vid == 0xFFF)
            {
                Dropped.Increment();
                return;
            }
            (priority, isDropEligible) = (own.Pcp, own.Dei);
            if (own.Vid == 0) own.Vid = nativeVlan; // a priority tag
        }
        frame.Insert(TagsOffset, isTagged ? Vlan.HeaderLength : 2 * Vlan.HeaderLength);

        var outer = new Ethernet(frame) { EtherType = EtherType.STag };
        if (!Vlan.TryParse(outer.Payload, out var tag)) return;
        (tag.Vid, tag.Pcp, tag.Dei) = (service, priority, isDropEligible);
        if (!isTagged)
        {
            tag.EtherType = EtherType.CTag;
            if (Vlan.TryParse(tag.Payload, out var inner)) inner.Vid = nativeVlan;
        }
        Pushed.Increment();
        frame.ForwardTo(s_network);
    }

    private void Pop(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.STag || !Vlan.TryParse(ethernet.Payload, out var tag))
        {
            Dropped.Increment();
            return;
        }
        var customer = Array.IndexOf(_services, tag.Vid);
        if (customer < 0)
        {
            Dropped.Increment();
            return;
        }
        var count = 1;
        if (tag.EtherType == EtherType.CTag && Vlan.TryParse(tag.Payload, out var inner) && inner.Vid == nativeVlan)
            count = 2;
        frame.Remove(TagsOffset, count * Vlan.HeaderLength);
        if (frame.Length < Ethernet.MinFrameLength) frame.Resize(Ethernet.MinFrameLength);
        Popped.Increment();
        frame.ForwardTo(new PortId(customer + 1));
    }

    private static bool IsVlan(ushort vlan) => vlan is >= 1 and <= 4094;
}
