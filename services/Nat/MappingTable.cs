using System.Numerics;
using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// The ports outside of endpoints inside, the same for all peers (RFC 4787 REQ-1), and the time for which they last.
/// </summary>
/// <remarks>
/// <para>A mapping lies in a slot that its port outside gives: the bits behind the last choose one of some memories,
/// its ways; the rest, cut to their size, and the protocol an entry there.
/// So a packet from outside needs one look at one entry.</para>
/// <para>An endpoint may have one of as many ports as there are ways, each in another: its own number, and for each
/// other way one that is drawn from a keyed hash of it, of the same parity (RFC 4787 REQ-4) and range (REQ-3). So a
/// packet from inside needs one look at one entry of each, which finds its mapping or a place for it; if all places are
/// taken, there is none.</para>
/// <para>A mapping that has expired stays in its slot. For a time its port is given to no one else; its endpoint gets
/// it back, also later, as long as it is there.</para>
/// </remarks>
public sealed partial class MappingTable : IControlTable
{
    /// <summary>The most ports that an endpoint may have.</summary>
    public const int MaxWays = 16;

    /// <summary>The most mappings: one for each number of a port.</summary>
    public const int MaxCapacity = 1 << 16;

    private const ulong NanosecondsPerSecond = 1_000_000_000;
    private const int HashBits = 16;

    private struct Entry
    {
        /// <summary>Bits of the <see cref="Endpoint"/> inside; 0 while there has been none.</summary>
        public ulong Inside;
        public ushort ExternalPort;

        /// <summary>Bits of the other end of the TCP connection that is followed.</summary>
        public ulong Remote;
        public TcpProgress Progress;

        /// <summary>The second from which on the slot may be another endpoint's.</summary>
        public ulong FreeAt;
        public bool IsPermanent;
    }

    private readonly Entry[][] _ways;
    private readonly int _wayBits;
    private readonly H3Hash _hash;
    private readonly int _mask;
    private readonly NatTimeouts _timeouts;
    private readonly StaticForward[] _forwards;

    internal MappingTable(NatCapacity capacity, NatTimeouts timeouts, StaticForward[] forwards)
    {
        var (mappings, ways) = (capacity.Mappings, capacity.Ways);
        if (mappings < ways)
            throw new ArgumentOutOfRangeException(
                nameof(capacity), mappings, $"there must be as many mappings as ways, {ways}, at least");
        _ways = new Entry[ways][];
        for (var way = 0; way < ways; way++) _ways[way] = new Entry[mappings / ways];
        _wayBits = BitOperations.Log2((uint)ways);
        _hash = new H3Hash(Endpoint.Width, HashBits, capacity.HashSeed);
        _mask = mappings / ways - 1;
        _timeouts = timeouts;
        _forwards = forwards;
        foreach (var forward in forwards)
        {
            ref var entry = ref _ways[WayOf(forward.ExternalPort)][IndexOf(forward.Protocol, forward.ExternalPort)];
            if (entry.IsPermanent)
                throw new ArgumentException(
                    $"there is no room for {forward}: raise the number of mappings", nameof(forwards));
            entry = new Entry { Inside = forward.Inside.Bits, ExternalPort = forward.ExternalPort, IsPermanent = true };
        }
    }

    /// <inheritdoc/>
    IReadOnlyList<string> IControlTable.Columns => ["inside", "port", "seconds left"];

    /// <inheritdoc/>
    IEnumerable<IReadOnlyList<string>> IControlTable.Rows(ulong nanoseconds) =>
        from way in _ways
        let seconds = nanoseconds / NanosecondsPerSecond
        from entry in way
        where IsLive(entry, seconds)
        let left = entry.FreeAt - (ulong)_timeouts.QuarantineSeconds - seconds
        select new[]
        {
            $"{Endpoint.Of(entry.Inside)}",
            $"{entry.ExternalPort}",
            entry.IsPermanent ? "permanent" : $"{left}",
        };

    /// <summary>Finds who has a port outside.</summary>
    /// <param name="external">The protocol and the port; whatever the address.</param>
    /// <param name="seconds">The time of the event.</param>
    /// <param name="inside">Who has it.</param>
    internal bool TryFind(Endpoint external, ulong seconds, out Endpoint inside)
    {
        ref readonly var entry = ref EntryOf(external);
        inside = Endpoint.Of(entry.Inside);
        return Has(entry, external, seconds);
    }

    /// <summary>
    /// Follows a TCP connection by a segment from outside. A segment
    /// that changes the connection's state begins its time anew; other packets from outside do not.
    /// </summary>
    /// <param name="packet">The segment, or a packet of another protocol, which changes nothing.</param>
    /// <param name="seconds">The time of the event.</param>
    internal void Follow(Arrival packet, ulong seconds)
    {
        ref var entry = ref EntryOf(packet.Flow.Destination);
        var progress = entry.Progress.After(packet);
        if (progress == entry.Progress || entry.IsPermanent) return;
        // Only who was written to can end a connection, or show that it goes on.
        if (entry.Remote != packet.Flow.Source.Bits || !Has(entry, packet.Flow.Destination, seconds)) return;
        entry.Progress = progress;
        entry.FreeAt = FreeAt(FlowProtocol.Tcp, progress, seconds);
    }

    /// <summary>
    /// Finds the port outside of an endpoint inside, or chooses one, and begins its time anew;
    /// an ICMP error only finds (RFC 5508 §3.2).
    /// </summary>
    /// <param name="packet">From the inside.</param>
    /// <param name="seconds">The time of the event.</param>
    /// <param name="port">The port outside.</param>
    /// <returns>
    /// False when there is no mapping, and none is made, be it that every port that the endpoint might
    /// have is another's.
    /// </returns>
    internal bool TryMap(Arrival packet, ulong seconds, out ushort port)
    {
        var (inside, remote, flags) = (packet.Flow.Source, packet.Flow.Destination, packet.Flags);
        var (preferred, hash) = (PreferredPort(inside), _hash.Index(inside.KeyBits));
        var (known, free) = (-1, -1);
        var (isPermanent, isLive, begins, progress) = (false, false, true, TcpProgress.None.After(packet));
        for (var way = 0; way < _ways.Length; way++)
        {
            ref readonly var place = ref _ways[way][IndexOf(inside.Protocol, PortIn(way, hash, preferred))];
            if (place.Inside == inside.Bits)
            {
                (known, isPermanent, isLive) = (way, place.IsPermanent, IsLive(place, seconds));
                var isSame = place.Remote == remote.Bits;
                var before = place.Progress;
                begins = !isLive || (isSame ? (flags & TcpFlags.Syn) != 0 && !before.IsShared() : before.IsClosed());
                if (!begins) progress = isSame ? before.After(packet) : before | TcpProgress.Shared;
            }
            // The one of the preferred port before others.
            if (!place.IsPermanent && seconds >= place.FreeAt && (free < 0 || WayOf(preferred) == way)) free = way;
        }
        port = 0;
        var chosen = known >= 0 ? known : free;
        if (chosen < 0 || !isLive && !packet.MayBegin) return false;
        var freeAt = FreeAt(inside.Protocol, progress, seconds);
        for (var way = 0; way < _ways.Length; way++)
        {
            if (way != chosen) continue;
            port = PortIn(way, hash, preferred);
            if (packet.IsError || isPermanent) continue;
            ref var entry = ref _ways[way][IndexOf(inside.Protocol, port)];
            if (begins) entry.Remote = remote.Bits;
            (entry.Inside, entry.ExternalPort, entry.Progress, entry.FreeAt) = (inside.Bits, port, progress, freeAt);
        }
        return true;
    }

    /// <summary>The second from which a mapping that is used now is free again.</summary>
    private ulong FreeAt(FlowProtocol protocol, TcpProgress progress, ulong seconds) => protocol switch
    {
        FlowProtocol.Udp => FreeAt(seconds, _timeouts.UdpSeconds),
        FlowProtocol.Icmp => FreeAt(seconds, _timeouts.IcmpSeconds),
        _ => progress.IsEstablished()
            ? FreeAt(seconds, _timeouts.TcpSeconds)
            : FreeAt(seconds, _timeouts.TcpTransitorySeconds),
    };

    private ulong FreeAt(ulong seconds, int timeout) => seconds + (ulong)(timeout + _timeouts.QuarantineSeconds);

    private bool IsLive(in Entry entry, ulong seconds) =>
        entry.IsPermanent || seconds + (ulong)_timeouts.QuarantineSeconds < entry.FreeAt;

    private bool Has(in Entry entry, Endpoint external, ulong seconds) =>
        entry.ExternalPort == external.Port
        && Endpoint.Of(entry.Inside).Protocol == external.Protocol && IsLive(entry, seconds);

    private ref Entry EntryOf(Endpoint external) =>
        ref _ways[WayOf(external.Port)][IndexOf(external.Protocol, external.Port)];
}
