using Emu.Protocols;

namespace Emu.Samples;

/// <summary>Forwards frames between its ports and learns where stations are, by the table that is asked for.</summary>
/// <remarks>
/// A hashed table has room for 256 stations, and may be unable to hold five whose addresses have one hash; an
/// associative one holds any 16. Nothing is forgotten by age.
/// </remarks>
/// <example>--table associative</example>
/// <param name="table">How stations are found: by a hash of their address, or all compared at once.</param>
public sealed class StationSwitch(StationTableKind table = StationTableKind.Hashed) : Service
{
    private readonly StationTable _stations = StationTable.Of(table);

    /// <summary>Frames whose destination is known.</summary>
    public Counter Forwarded { get; } = new();

    /// <summary>Frames whose destination is not.</summary>
    public Counter Flooded { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (_stations.Exchange(
            ethernet.Source.IsIndividual, ethernet.Source, frame.Ingress, ethernet.Destination, out var port))
        {
            Forwarded.Increment();
            frame.ForwardTo(port);
        }
        else
        {
            Flooded.Increment();
            frame.Flood();
        }
    }
}
