using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Lets router advertisements pass from one port alone (RFC 6105), behind extension headers, too (RFC 7113): a walk
/// over headers, and one over options behind it.
/// </summary>
public sealed class RouterGuard(int routerPort) : Service
{
    private const byte PrefixInformation = 3;

    private const int OptionsOffset = 16, OptionUnit = 8;

    public Counter Dropped { get; } = new();

    public Counter Prefixes { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv6 && IPv6.TryParse(ethernet.Payload, out var ip))
        {
            var extensions = ip.Extensions;
            while (extensions.MoveNext())
            {
            }
            if (extensions.IsMalformed)
            {
                Dropped.Increment();
                return;
            }
            if (extensions.NextHeader == IPProtocol.Icmpv6 && Icmpv6.TryParse(extensions.Payload, out var icmp)
                && icmp.Type == Icmpv6Type.RouterAdvertisement && !MayPass(icmp.Message, frame.Ingress))
            {
                Dropped.Increment();
                return;
            }
        }
        frame.Flood();
    }

    private bool MayPass(ReadOnlySpan<byte> message, PortId from)
    {
        if (from.Index != routerPort) return false;
        for (var at = OptionsOffset; at + 2 <= message.Length;)
        {
            var length = message[at + 1] * OptionUnit;
            if (length == 0) return false;
            if (message[at] == PrefixInformation)
            {
                Prefixes.Increment();
                break;
            }
            at += length;
        }
        return true;
    }
}
