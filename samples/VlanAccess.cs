using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Joins an access port to a trunk: frames of the VLAN lose their tag on the way from port 0, the trunk, to port 1, and
/// frames from port 1 get it (IEEE 802.1Q-2022 §6.9).
/// </summary>
/// <remarks>Frames from port 1 with a tag of their own are dropped, as are those of other VLANs.</remarks>
/// <example>--vlan 10</example>
/// <param name="vlan">The VLAN identifier, 1 to 4094.</param>
/// <param name="priority">The priority code point of tags that are put in, 0 to 7.</param>
public sealed class VlanAccess(ushort vlan = 10, byte priority = 0) : Service
{
    private const int TagOffset = 12;

    private static readonly PortId s_trunk = new(0), s_access = new(1);

    private readonly ushort _vlan = vlan is >= 1 and <= 4094
        ? vlan
        : throw new ArgumentOutOfRangeException(nameof(vlan), vlan, "a VLAN identifier is 1 to 4094");

    /// <summary>Frames that lost their tag.</summary>
    public Counter Untagged { get; } = new();

    /// <summary>Frames that got a tag.</summary>
    public Counter Tagged { get; } = new();

    /// <summary>Frames dropped: of another VLAN, or with a tag where none belongs.</summary>
    public Counter Foreign { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var isTagged = ethernet.EtherType == EtherType.CTag;
        if (frame.Ingress == s_trunk && isTagged && Vlan.TryParse(ethernet.Payload, out var tag) && tag.Vid == _vlan)
        {
            frame.Remove(TagOffset, Vlan.HeaderLength);
            frame.ForwardTo(s_access);
            Untagged.Increment();
        }
        else if (frame.Ingress == s_access && !isTagged)
        {
            frame.Insert(TagOffset, Vlan.HeaderLength);
            var tagged = new Ethernet(frame);
            tagged.EtherType = EtherType.CTag;
            if (!Vlan.TryParse(tagged.Payload, out var added)) return;
            added.Vid = _vlan;
            added.Pcp = priority;
            frame.ForwardTo(s_trunk);
            Tagged.Increment();
        }
        else Foreign.Increment();
    }
}
