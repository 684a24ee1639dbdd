using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// The edge of a provider bridge: a customer's VLAN on ports 0 to 2 becomes one of the provider's, with a second tag,
/// on port 3; the other way the tag goes, and the customer's number comes back.
/// </summary>
public sealed class QinqTranslator : Service
{
    private const int Trunk = 3, TagOffset = 12;

    private struct Mapping
    {
        public ushort Outer, Inner;
        public bool IsThere;
    }

    private struct Origin
    {
        public byte Port;
        public ushort Vid;
        public bool IsThere;
    }

    private readonly Mapping[][] _up = new Mapping[Trunk][];
    private readonly Origin[] _down = new Origin[4096];

    /// <summary>Mappings such as 0:100=2000.5, customer's port and VLAN, outer and inner tag.</summary>
    public QinqTranslator(string[] mappings)
    {
        for (var port = 0; port < Trunk; port++) _up[port] = new Mapping[4096];
        foreach (var mapping in mappings)
        {
            var numbers = mapping.Split(':', '=', '.').Select(ushort.Parse).ToArray();
            _up[numbers[0]][numbers[1]] = new Mapping { Outer = numbers[2], Inner = numbers[3], IsThere = true };
            _down[numbers[2]] = new Origin { Port = (byte)numbers[0], Vid = numbers[1], IsThere = true };
        }
    }

    public Counter Pushed { get; } = new();

    public Counter Popped { get; } = new();

    public Counter Unmapped { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (frame.Ingress.Index == Trunk)
        {
            if (ethernet.EtherType == EtherType.STag && Vlan.TryParse(ethernet.Payload, out var outer)
                && outer.EtherType == EtherType.CTag && _down[outer.Vid].IsThere)
            {
                var origin = _down[outer.Vid];
                frame.Remove(TagOffset, Vlan.HeaderLength);
                if (Vlan.TryParse(new Ethernet(frame).Payload, out var inner)) inner.Vid = origin.Vid;
                Popped.Increment();
                frame.ForwardTo(new PortId(origin.Port));
                return;
            }
        }
        else if (ethernet.EtherType == EtherType.CTag && Vlan.TryParse(ethernet.Payload, out var tag))
        {
            var mapping = _up[frame.Ingress.Index % Trunk][tag.Vid];
            if (mapping.IsThere)
            {
                var priority = tag.Pcp;
                tag.Vid = mapping.Inner;
                frame.Insert(TagOffset, Vlan.HeaderLength);
                ethernet = new Ethernet(frame);
                ethernet.EtherType = EtherType.STag;
                if (!Vlan.TryParse(ethernet.Payload, out var pushed)) return;
                pushed.Vid = mapping.Outer;
                pushed.Pcp = priority;
                Pushed.Increment();
                frame.ForwardTo(new PortId(Trunk));
                return;
            }
        }
        Unmapped.Increment();
    }
}
