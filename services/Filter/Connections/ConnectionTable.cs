using System.Numerics;

namespace Emu.Services;

/// <summary>The connections that rules with conntrack or state have let begin, for their time.</summary>
/// <remarks>
/// In sets of <see cref="Ways"/>, which keyed hashes of addresses and ports choose. A new connection takes the place of
/// none, or of one whose time is over, else of the one of its set that was never answered and would be over first;
/// where all were answered, it is not remembered.
/// </remarks>
public sealed class ConnectionTable : IControlTable
{
    /// <summary>The connections of a set: 8.</summary>
    public const int Ways = 8;

    /// <summary>The most connections: 2²⁰.</summary>
    public const int MaxCapacity = 1 << 20;

    private const ulong NanosecondsPerSecond = 1_000_000_000;
    private const int AddressWidth = 128;
    private const int PortsWidth = 40;

    private readonly Connection[] _connections;
    private readonly H3Hash _source, _destination, _ports;

    internal ConnectionTable(int capacity, ulong hashSeed)
    {
        if (capacity is < Ways or > MaxCapacity || !BitOperations.IsPow2(capacity))
            throw new ArgumentOutOfRangeException(
                nameof(capacity), capacity, $"connections must be a power of two from {Ways} to {MaxCapacity}");
        _connections = new Connection[capacity];
        var width = BitOperations.Log2((uint)capacity / Ways);
        _source = new H3Hash(AddressWidth, width, hashSeed);
        _destination = new H3Hash(AddressWidth, width, hashSeed + 1);
        _ports = new H3Hash(PortsWidth, width, hashSeed + 2);
    }

    /// <inheritdoc/>
    IReadOnlyList<string> IControlTable.Columns => ["connection", "state", "seconds left"];

    /// <inheritdoc/>
    IEnumerable<IReadOnlyList<string>> IControlTable.Rows(ulong nanoseconds) =>
        from connection in _connections
        let seconds = nanoseconds / NanosecondsPerSecond
        where seconds < connection.Expiry
        select new[] { $"{connection.Tuple}", State(connection), $"{connection.Expiry - seconds}" };

    /// <summary>
    /// The place of the connection to which such a packet belongs, sent by the side that began it; -1 for none.
    /// </summary>
    internal int Find(in ConnectionTuple tuple, ulong seconds)
    {
        var first = FirstOf(tuple);
        for (var at = first; at < first + Ways; at++)
        {
            ref readonly var connection = ref _connections[at];
            if (seconds < connection.Expiry && connection.Tuple == tuple) return at;
        }
        return -1;
    }

    internal ref Connection this[int at] => ref _connections[at];

    /// <summary>Forgets a connection.</summary>
    internal void Remove(int at) => _connections[at] = default;

    /// <summary>Remembers a connection that is not there yet.</summary>
    internal void Add(in Connection connection, ulong seconds)
    {
        var first = FirstOf(connection.Tuple);
        var (place, earliest) = (-1, ulong.MaxValue);
        for (var at = first; at < first + Ways; at++)
        {
            ref readonly var other = ref _connections[at];
            var isFree = seconds >= other.Expiry;
            if (isFree || other.IsReplaceable && other.Expiry < earliest) (place, earliest) = (at, other.Expiry);
            if (isFree) break;
        }
        if (place >= 0) _connections[place] = connection;
    }

    private static string State(Connection connection) =>
        (connection.Tcp == TcpState.None ? "" : $"{connection.Tcp}, ")
        + (connection.IsAnswered ? "answered" : "not answered");

    private int FirstOf(in ConnectionTuple tuple)
    {
        var ports = (UInt128)tuple.Protocol << 32 | (uint)tuple.DestinationPort << 16 | tuple.SourcePort;
        return (_source.Index(tuple.Source) ^ _destination.Index(tuple.Destination) ^ _ports.Index(ports)) * Ways;
    }
}
