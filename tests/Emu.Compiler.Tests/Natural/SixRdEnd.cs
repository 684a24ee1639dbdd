using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// The border relay of a 6rd domain (RFC 5969): port 0 has the customers' IPv4, port 1 the IPv6 network.
/// </summary>
public sealed class SixRdEnd(
    IPv4Address relay, IPv6Address prefix, MacAddress mac, MacAddress access, MacAddress core) : Service
{
    private const IPProtocol IPv6InIPv4 = (IPProtocol)41;
    private const int PrefixLength = 32, LongestInner = 1480;

    public Counter Decapsulated { get; } = new();

    public Counter Encapsulated { get; } = new();

    public Counter Spoofed { get; } = new();

    public Counter Dropped { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.Destination != mac)
        {
            Dropped.Increment();
            return;
        }
        if (frame.Ingress.Index == 0 && ethernet.EtherType == EtherType.IPv4) FromCustomer(ref frame);
        else if (frame.Ingress.Index == 1 && ethernet.EtherType == EtherType.IPv6) ToCustomer(ref frame);
        else Dropped.Increment();
    }

    private void FromCustomer(ref Frame frame)
    {
        if (!IPv4.TryParse(new Ethernet(frame).Payload, out var outer) || outer.Destination != relay
            || outer.Protocol != IPv6InIPv4 || outer.IsFragment || !IPv6.TryParse(outer.Payload, out var inner))
        {
            Dropped.Increment();
            return;
        }
        // The customer's IPv4 address is in its IPv6 address, or somebody else sends.
        if (!IsInDomain(inner.Source) || Embedded(inner.Source) != outer.Source || inner.HopLimit <= 1)
        {
            Spoofed.Increment();
            return;
        }
        inner.HopLimit--;
        var length = IPv6.HeaderLength + inner.PayloadLength;
        frame.Remove(Ethernet.HeaderLength, outer.HeaderLength);
        frame.Resize(Ethernet.HeaderLength + length);
        var ethernet = new Ethernet(frame);
        ethernet.Source = mac;
        ethernet.Destination = core;
        ethernet.EtherType = EtherType.IPv6;
        Decapsulated.Increment();
        frame.ForwardTo(new PortId(1));
    }

    private void ToCustomer(ref Frame frame)
    {
        if (!IPv6.TryParse(new Ethernet(frame).Payload, out var inner) || !IsInDomain(inner.Destination)
            || inner.HopLimit <= 1 || inner.PayloadLength > LongestInner - IPv6.HeaderLength)
        {
            Dropped.Increment();
            return;
        }
        inner.HopLimit--;
        var customer = Embedded(inner.Destination);
        var trafficClass = (inner.Dscp, inner.Ecn);
        frame.Resize(Ethernet.HeaderLength + IPv6.HeaderLength + inner.PayloadLength);
        frame.Insert(Ethernet.HeaderLength, IPv4.MinHeaderLength);
        var ethernet = new Ethernet(frame);
        ethernet.Source = mac;
        ethernet.Destination = access;
        ethernet.EtherType = EtherType.IPv4;
        if (!IPv4.TryInitialize(ethernet.Payload, out var outer)) return;
        (outer.Dscp, outer.Ecn) = trafficClass;
        outer.DontFragment = true;
        outer.Ttl = 64;
        outer.Protocol = IPv6InIPv4;
        outer.Source = relay;
        outer.Destination = customer;
        outer.WriteHeaderChecksum();
        Encapsulated.Increment();
        frame.ForwardTo(new PortId(0));
    }

    private bool IsInDomain(IPv6Address address) =>
        address.Bits >> (128 - PrefixLength) == prefix.Bits >> (128 - PrefixLength);

    private static IPv4Address Embedded(IPv6Address address) =>
        new((uint)(address.Bits >> (128 - PrefixLength - 32)));
}
