using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// The end of label-switched paths: takes the whole stack of MPLS (RFC 3032) off a packet, as many labels as it has,
/// and sends what is inside to the port of the innermost one.
/// </summary>
public sealed class LabelPopper(MacAddress mac, MacAddress gateway) : Service
{
    private const EtherType Mpls = (EtherType)0x8847;
    private const int EntryLength = 4;

    public Counter Popped { get; } = new();

    public Counter Expired { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != Mpls || ethernet.Destination != mac) return;
        var stack = ethernet.Payload;
        var length = 0;
        while (true)
        {
            if (stack.Length < length + EntryLength)
            {
                Malformed.Increment();
                return;
            }
            if (stack[length + 3] <= 1)
            {
                Expired.Increment();
                return;
            }
            length += EntryLength;
            // The bottom of the stack.
            if ((stack[length - 2] & 1) != 0) break;
        }
        var label = stack[length - 4] << 12 | stack[length - 3] << 4 | stack[length - 2] >> 4;
        if (stack.Length <= length)
        {
            Malformed.Increment();
            return;
        }
        var isIPv6 = stack[length] >> 4 == 6;
        frame.Remove(Ethernet.HeaderLength, length);
        _ = new Ethernet(frame)
        {
            Source = mac,
            Destination = gateway,
            EtherType = isIPv6 ? EtherType.IPv6 : EtherType.IPv4,
        };
        Popped.Increment();
        frame.ForwardTo(new PortId(label & 3));
    }
}
