using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A home agent that sends packets of mobile nodes on to where they are by minimal encapsulation (RFC 2004 §3; RFC 5944
/// §4.2): the header of IP is changed, and what it said is kept in 12 bytes behind it, or in 8 when the source stays.
/// Packets that come back so are restored.
/// </summary>
/// <remarks>Port 0 has the home network, port 1 the others.</remarks>
public sealed class MinimalForwarder : Service
{
    private const IPProtocol MinimalEncapsulation = (IPProtocol)55;
    private const byte SourcePresent = 0x80;
    private const int ShortLength = 8;
    private const int LongLength = 12;

    private static readonly PortId s_home = new(0);
    private static readonly PortId s_away = new(1);

    private readonly ConstantTable<IPv4Address, IPv4Address> _bindings;
    private readonly IPv4Address _address;
    private readonly MacAddress _mac;
    private readonly MacAddress _routerMac;

    /// <summary>Packets that were sent on.</summary>
    public Counter Forwarded { get; } = new();

    /// <summary>Packets that were restored.</summary>
    public Counter Restored { get; } = new();

    /// <summary>Packets that were neither, and went by.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Packets dropped: fragments, or too long with the header.</summary>
    public Counter Unfit { get; } = new();

    /// <summary>Packets dropped: a bad header of the encapsulation.</summary>
    public Counter Malformed { get; } = new();

    /// <param name="mac">Of the agent.</param>
    /// <param name="address">Of the agent.</param>
    /// <param name="routerMac">Of the next router.</param>
    /// <param name="bindings">Such as <c>10.0.0.7=192.0.2.9</c>: a home address and a care-of address.</param>
    public MinimalForwarder(MacAddress mac, IPv4Address address, MacAddress routerMac, string[] bindings)
    {
        (_mac, _address, _routerMac) = (mac, address, routerMac);
        _bindings = new(bindings.Select(b => b.Split('='))
            .ToDictionary(b => IPv4Address.Parse(b[0]), b => IPv4Address.Parse(b[1])));
    }

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip))
        {
            if (frame.Ingress == s_home && _bindings.TryGet(ip.Destination, out var careOf))
            {
                Encapsulate(ref frame, ip, careOf);
                return;
            }
            if (frame.Ingress == s_away && ip.Protocol == MinimalEncapsulation && ip.Destination == _address)
            {
                Restore(ref frame, ip);
                return;
            }
        }
        Passed.Increment();
        frame.ForwardTo(frame.Ingress == s_home ? s_away : s_home);
    }

    private void Encapsulate(ref Frame frame, IPv4 ip, IPv4Address careOf)
    {
        var (protocol, source, destination) = (ip.Protocol, ip.Source, ip.Destination);
        var keepsSource = source == _address;
        var added = keepsSource ? ShortLength : LongLength;
        var total = ip.TotalLength + added;
        if (ip.IsFragment || ip.Ttl <= 1 || total > FrameLength.DefaultMtu)
        {
            Unfit.Increment();
            return;
        }
        ip.Ttl--;
        ip.Protocol = MinimalEncapsulation;
        ip.Source = _address;
        ip.Destination = careOf;
        ip.TotalLength = (ushort)total;
        ip.WriteHeaderChecksum();
        var place = Ethernet.HeaderLength + ip.HeaderLength;
        frame.Resize(Ethernet.HeaderLength + total - added);
        frame.Insert(place, added);
        var header = frame.Bytes.Slice(place, added);
        header[0] = (byte)protocol;
        header[1] = keepsSource ? (byte)0 : SourcePresent;
        header.SetIPv4Address(4, destination);
        if (!keepsSource) header.SetIPv4Address(8, source);
        header.SetUInt16(2, InternetChecksum.Compute(header));
        Address(ref frame, s_away);
        Forwarded.Increment();
    }

    private void Restore(ref Frame frame, IPv4 ip)
    {
        var header = ip.Payload;
        if (header.Length < ShortLength || ip.IsFragment)
        {
            Malformed.Increment();
            return;
        }
        var hasSource = (header[1] & SourcePresent) != 0;
        var length = hasSource ? LongLength : ShortLength;
        if (header.Length < length || !InternetChecksum.IsValid(InternetChecksum.Sum(header[..length])))
        {
            Malformed.Increment();
            return;
        }
        var total = ip.TotalLength - length;
        ip.Protocol = (IPProtocol)header[0];
        ip.Destination = header.GetIPv4Address(4);
        if (hasSource) ip.Source = header.GetIPv4Address(8);
        ip.TotalLength = (ushort)total;
        ip.WriteHeaderChecksum();
        frame.Remove(Ethernet.HeaderLength + ip.HeaderLength, length);
        frame.Resize(Ethernet.HeaderLength + total);
        Address(ref frame, s_home);
        Restored.Increment();
    }

    private void Address(ref Frame frame, PortId port)
    {
        _ = new Ethernet(frame) { Source = _mac, Destination = _routerMac };
        frame.ForwardTo(port);
    }
}
