using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Network prefix translation of IPv6 (RFC 6296): the prefix of a site is exchanged for that of its provider, and a
/// word of the address is adjusted so that no checksum of the layers above changes.
/// </summary>
/// <remarks>
/// Port 0 is inside, port 1 outside. Prefixes have 48 bits (§3.4). Not done: packets inside ICMP errors, hairpins. What
/// is not IPv6 is dropped.
/// </remarks>
/// <example>--internal fd01:203:405:: --external 2001:db8:1:: --mac 02:00:00:00:00:05</example>
/// <param name="internal">The prefix inside, its last 80 bits 0.</param>
/// <param name="external">The prefix outside, its last 80 bits 0.</param>
/// <param name="mac">The translator's address: the sender of its errors.</param>
public sealed class PrefixTranslator(IPv6Address @internal, IPv6Address external, MacAddress mac) : Service
{
    private const byte HopLimitExceeded = 0;
    private const ushort AllOnes = 0xFFFF;

    private static readonly PortId s_inside = new(0), s_outside = new(1);

    /// <summary>The word added to the subnet outwards, in ones' complement.</summary>
    private readonly ushort _outwards = Difference(@internal, external);

    /// <summary>The word added to the subnet inwards.</summary>
    private readonly ushort _inwards = Difference(external, @internal);

    /// <summary>Packets translated outwards.</summary>
    public Counter Outbound { get; } = new();

    /// <summary>Packets translated inwards.</summary>
    public Counter Inbound { get; } = new();

    /// <summary>Packets whose hop limit ended here.</summary>
    public Counter Exceeded { get; } = new();

    /// <summary>Packets dropped.</summary>
    public Counter Dropped { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var isOutbound = frame.Ingress == s_inside;
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv6 || !IPv6.TryParse(ethernet.Payload, out var ip)
            || !IsOf(isOutbound ? ip.Source : ip.Destination, isOutbound ? @internal : external)
            || ip.Destination.IsMulticast)
        {
            Dropped.Increment();
            return;
        }
        if (ip.HopLimit <= 1)
        {
            Exceeded.Increment();
            if (IcmpError.IsAllowed(ethernet, ip))
                IcmpError.Reply(
                    ref frame, ip, Icmpv6Type.TimeExceeded, HopLimitExceeded, isOutbound ? @internal : external, mac);
            return;
        }

        var before = isOutbound ? ip.Source : ip.Destination;
        var subnet = (ushort)(before.Bits >> 64);
        if (subnet == AllOnes)
        {
            Dropped.Increment(); // §3.4: the adjustment could not be taken back
            return;
        }
        var prefix = (isOutbound ? external : @internal).Bits;
        var adjusted = Add(subnet, isOutbound ? _outwards : _inwards);
        var after = new IPv6Address(prefix | (UInt128)adjusted << 64 | (ulong)before.Bits);
        if (isOutbound)
        {
            ip.Source = after;
            Outbound.Increment();
        }
        else
        {
            ip.Destination = after;
            Inbound.Increment();
        }
        ip.HopLimit--;
        frame.ForwardTo(isOutbound ? s_outside : s_inside);
    }

    private static bool IsOf(IPv6Address address, IPv6Address prefix) => address.Bits >> 80 == prefix.Bits >> 80;

    /// <summary>The sum in ones' complement, never the zero that is all ones.</summary>
    private static ushort Add(ushort left, ushort right)
    {
        var sum = (uint)left + right;
        sum = (sum & 0xFFFF) + (sum >> 16);
        return sum == AllOnes ? (ushort)0 : (ushort)sum;
    }

    private static ushort Difference(IPv6Address from, IPv6Address to) => Add(Sum(from), (ushort)~Sum(to));

    private static ushort Sum(IPv6Address prefix) => (ushort)~InternetChecksum.Finish(
        InternetChecksum.Sum(prefix.Bits));
}
