using System.Buffers.Binary;
using System.ComponentModel.DataAnnotations;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Sends IPv6 multicast only where somebody listens: it reads what listeners report to routers, in version 1 (RFC 2710)
/// and 2 (RFC 3810) of the protocol, and keeps the ports of each group (RFC 4541 §3).
/// </summary>
/// <remarks>
/// Reports go to routers alone, so that no host holds its own back. Groups of the link (ff02::/16) are flooded, as all
/// else that is not IPv6 multicast; sources of version 2 are not told apart. A port leaves its group by a Done or an
/// empty include (fast leave), a group is forgotten when nobody reports it for a time; so are all ports with routers
/// when no router has asked for as long.
/// </remarks>
/// <example>--capacity 1024 --listener-seconds 260</example>
/// <param name="capacity">Groups that there is room for.</param>
/// <param name="listenerSeconds">Seconds without report after which a group has no listener (RFC 3810 §9.4).</param>
/// <param name="floodUnknown">Groups that nobody has reported are flooded, not sent to routers alone.</param>
/// <param name="hashSeed">Seed of the table's hash; choose your own where hosts are not trusted.</param>
public sealed class MldSnooper(
    [PowerOfTwo(4, 1 << 16)] int capacity = 256, [Range(10, 100_000)] int listenerSeconds = 260,
    bool floodUnknown = false, ulong hashSeed = 1) : Service
{
    private const int GroupOffset = 8, Version1Length = 24;       // of the message
    private const int RecordHeader = 20, AddressLength = 16, WordLength = 4;
    private const uint RouterAlert = 0x0502_0000;                 // RFC 2711: type 5, two bytes, for MLD
    private const Icmpv6Type
        Query = (Icmpv6Type)130, Report = (Icmpv6Type)131, Done = (Icmpv6Type)132, Report2 = (Icmpv6Type)143;

    /// <summary>The type of a record of a version 2 report (RFC 3810 §5.2.12).</summary>
    private enum RecordType : byte
    {
        IsInclude = 1,
        IsExclude = 2,
        ToInclude = 3,
        ToExclude = 4,
        Allow = 5,
        Block = 6,
    }

    private PortSet _routers;
    private ulong _routersUntil;

    /// <summary>The ports with listeners of each group.</summary>
    [Control]
    public AgeingTable<IPv6Address, PortSet> Groups { get; } = new(capacity, listenerSeconds, hashSeed);

    /// <summary>Multicast packets sent to listeners and routers.</summary>
    public Counter Forwarded { get; } = new();

    /// <summary>Reports and Dones read.</summary>
    public Counter Reports { get; } = new();

    /// <summary>Queries read.</summary>
    public Counter Queries { get; } = new();

    /// <summary>Dropped: messages of the protocol that are malformed, or come from beyond the link.</summary>
    public Counter Invalid { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv6 || !IPv6.TryParse(ethernet.Payload, out var ip)
            || !ip.Destination.IsMulticast)
            return;

        if (TryFindMessage(ip, out var icmp)) Listen(ref frame, ip, icmp);
        else if (Scope(ip.Destination) > 2)
        {
            var isKnown = Groups.TryGet(ip.Destination, frame.Seconds, out var listeners);
            if (isKnown || !floodUnknown) frame.ForwardTo(listeners | Routers(frame));
            Forwarded.Increment();
        }
    }

    /// <summary>
    /// Finds the message of MLD: it stands behind hop-by-hop options, which are a router alert alone (RFC 3810 §5).
    /// </summary>
    private static bool TryFindMessage(IPv6 ip, out Icmpv6 icmp)
    {
        icmp = default;
        var extensions = ip.Extensions;
        return extensions.MoveNext() && extensions.Header == IPProtocol.HopByHopOptions
            && extensions.Bytes.Length == 8 && extensions.NextHeader == IPProtocol.Icmpv6
            && BinaryPrimitives.ReadUInt32BigEndian(extensions.Bytes[2..]) == RouterAlert
            && Icmpv6.TryParse(extensions.Payload, out icmp)
            && icmp.Type is Query or Report or Done or Report2;
    }

    private void Listen(ref Frame frame, IPv6 ip, Icmpv6 icmp)
    {
        // Hop limit and source show that it comes from this link (RFC 3810 §5.1.14, §5.2.13).
        var isFromLink = ip.HopLimit == 1 && (ip.Source.IsUnspecified || ip.Source.Bits >> 118 == 0xFE80 >> 6);
        if (!isFromLink || !icmp.HasValidChecksum(ip) || !IsWellFormed(icmp))
        {
            Invalid.Increment();
            frame.Drop();
            return;
        }
        if (icmp.Type == Query)
        {
            Queries.Increment();
            if (!ip.Source.IsUnspecified) // a switch that asks for itself has no address (RFC 4541 §2.1.1)
            {
                _routers = Routers(frame) | PortSet.Of(frame.Ingress);
                _routersUntil = frame.Seconds + (ulong)listenerSeconds;
            }
            return;
        }
        if (icmp.Type == Report2) ReadRecords(frame, icmp);
        else if (icmp.Type == Report) Join(frame, icmp.Message.GetIPv6Address(GroupOffset));
        else Leave(frame, icmp.Message.GetIPv6Address(GroupOffset));
        Reports.Increment();
        frame.ForwardTo(Routers(frame));
    }

    private void ReadRecords(in Frame frame, Icmpv6 icmp)
    {
        var records = icmp.Data;
        for (var left = RecordCount(icmp); left > 0; left--)
        {
            var type = (RecordType)records[0];
            var hasSources = BinaryPrimitives.ReadUInt16BigEndian(records[2..]) != 0;
            var group = records.GetIPv6Address(4);
            if (type is RecordType.IsExclude or RecordType.ToExclude || (hasSources && type != RecordType.Block))
                Join(frame, group);
            else if (type == RecordType.ToInclude) Leave(frame, group);
            records = records[RecordLength(records)..];
        }
    }

    /// <summary>True if the message has its group, or all the records that it speaks of.</summary>
    private static bool IsWellFormed(Icmpv6 icmp)
    {
        if (icmp.Type != Report2) return icmp.Message.Length >= Version1Length;
        var records = icmp.Data;
        for (var left = RecordCount(icmp); left > 0; left--)
        {
            if (records.Length < RecordHeader) return false;
            var length = RecordLength(records);
            if (length > records.Length) return false;
            records = records[length..];
        }
        return true;
    }

    private static int RecordCount(Icmpv6 icmp) => (int)(icmp.RestOfHeader & 0xFFFF);

    private static int RecordLength(ReadOnlySpan<byte> record) =>
        RecordHeader + AddressLength * BinaryPrimitives.ReadUInt16BigEndian(record[2..]) + WordLength * record[1];

    private void Join(in Frame frame, IPv6Address group)
    {
        if (!group.IsMulticast || Scope(group) <= 2) return; // flooded anyway
        ref var ports = ref Groups.GetOrAdd(group, frame.Seconds, out _);
        ports |= PortSet.Of(frame.Ingress);
    }

    private void Leave(in Frame frame, IPv6Address group)
    {
        if (!Groups.TryGet(group, frame.Seconds, out var ports)) return;
        ports -= PortSet.Of(frame.Ingress);
        if (ports.IsEmpty) Groups.Remove(group, frame.Seconds);
        else Groups.Set(group, ports, frame.Seconds);
    }

    private PortSet Routers(in Frame frame) => frame.Seconds < _routersUntil ? _routers : PortSet.None;

    /// <summary>The scope of a group (RFC 4291 §2.7): 1 the node, 2 the link, 14 everywhere.</summary>
    private static int Scope(IPv6Address group) => (int)(group.Bits >> 112) & 0xF;
}
