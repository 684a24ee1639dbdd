using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Switches frames between stations that are given, each at its port. A frame in the name of a station at another port
/// is dropped; so is one from or to a station that is not known.
/// </summary>
/// <remarks>Broadcasts and multicasts of a known station go to all other ports.</remarks>
/// <example>--station 02:00:00:00:00:0a=0 --station 02:00:00:00:00:0b=1</example>
/// <param name="station">The stations.</param>
public sealed class StaticSwitch(Station[] station) : Service
{
    private readonly ConstantTable<MacAddress, PortId> _stations =
        new(station.ToDictionary(s => s.Address, s => new PortId(s.Port)));

    /// <summary>Frames sent on.</summary>
    public Counter Forwarded { get; } = new();

    /// <summary>Frames dropped: their source is not known, or at another port.</summary>
    public Counter Foreign { get; } = new();

    /// <summary>Frames dropped: their destination is not known, or where they came from.</summary>
    public Counter Undeliverable { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (!_stations.TryGet(ethernet.Source, out var source) || source != frame.Ingress)
        {
            Foreign.Increment();
            return;
        }
        if (ethernet.Destination.IsGroup)
            frame.Flood();
        else if (_stations.TryGet(ethernet.Destination, out var destination) && destination != source)
            frame.ForwardTo(destination);
        else
        {
            Undeliverable.Increment();
            return;
        }
        Forwarded.Increment();
    }
}
