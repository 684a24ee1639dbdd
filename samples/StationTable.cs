namespace Emu.Samples;

/// <summary>The kinds of table that a <see cref="StationSwitch"/> can have.</summary>
public enum StationTableKind
{
    /// <summary>A table of 256 stations by hash, four to a set.</summary>
    Hashed,

    /// <summary>A table of 16 stations of any addresses.</summary>
    Associative,
}

/// <summary>The ports that stations are at.</summary>
public abstract class StationTable
{
    /// <summary>Makes a table.</summary>
    public static StationTable Of(StationTableKind kind) =>
        kind == StationTableKind.Associative ? new AssociativeStations() : new HashedStations();

    /// <summary>Notes where a station is, then looks for another.</summary>
    /// <param name="learns">False to note nothing.</param>
    /// <param name="source">The station that was heard.</param>
    /// <param name="portOfSource">The port where it was.</param>
    /// <param name="destination">The station that is looked for.</param>
    /// <param name="portOfDestination">The port where it is.</param>
    /// <returns>True if it is known.</returns>
    public abstract bool Exchange(
        bool learns, MacAddress source, PortId portOfSource, MacAddress destination, out PortId portOfDestination);
}

/// <summary>Stations by the hash of their addresses: a fifth one of a hash takes the place of another.</summary>
public sealed class HashedStations : StationTable
{
    private readonly AgeingTable<MacAddress, PortId> _ports = new(capacity: 256, lifetime: 1, hashSeed: 1);

    /// <inheritdoc/>
    public override bool Exchange(
        bool learns, MacAddress source, PortId portOfSource, MacAddress destination, out PortId portOfDestination)
    {
        if (learns) _ports.Set(source, portOfSource, time: 0);
        return _ports.TryGet(destination, time: 0, out portOfDestination);
    }
}

/// <summary>
/// Stations of any addresses, in a content-addressable memory: a new one takes the place of the one that came first.
/// </summary>
public sealed class AssociativeStations : StationTable
{
    private const int Capacity = 16;

    private readonly MacAddress?[] _stations = new MacAddress?[Capacity];
    private readonly PortId[] _ports = new PortId[Capacity];
    private int _next;

    /// <inheritdoc/>
    [Verilog("station_cam.v", Latency = 2)]
    public override bool Exchange(
        bool learns, MacAddress source, PortId portOfSource, MacAddress destination, out PortId portOfDestination)
    {
        if (learns)
        {
            var own = Array.IndexOf(_stations, source);
            if (own < 0)
            {
                own = _next;
                _next = (_next + 1) % Capacity;
            }
            (_stations[own], _ports[own]) = (source, portOfSource);
        }
        var found = Array.IndexOf(_stations, destination);
        portOfDestination = found < 0 ? default : _ports[found];
        return found >= 0;
    }
}
