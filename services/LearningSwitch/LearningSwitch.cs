using System.ComponentModel.DataAnnotations;
using Emu.Protocols;

namespace Emu.Services;

/// <summary>Forwards frames between its ports and learns where stations are (IEEE 802.1D-2004 §7.7 to §7.9).</summary>
/// <remarks>
/// Ports: any number; all alike. Not done: spanning tree, VLANs (tags are carried, not looked at), multicast snooping.
/// </remarks>
/// <example>--capacity 256 --ageing-seconds 300 --static 02:00:00:00:00:99=0</example>
/// <param name="capacity">Stations that there is room for.</param>
/// <param name="ageingSeconds">Seconds after which a silent station is forgotten (IEEE 802.1D-2004 Table 7-5).</param>
/// <param name="static">
/// A static entry, MAC=PORTS: frames to this address leave by these ports only (02:00:00:00:00:05=1,2),
/// or not at all (…=none).
/// </param>
/// <param name="hashSeed">Seed of the station table's hash; choose your own where hosts are not trusted.</param>
public sealed class LearningSwitch(
    [PowerOfTwo(4, 1 << 20)] int capacity = 256, [Range(10, 1_000_000)] int ageingSeconds = 300,
    StaticEntry[]? @static = null, ulong hashSeed = 1) : Service
{
    /// <summary>The filtering database: where frames to an address leave (IEEE 802.1D-2004 §7.9).</summary>
    [Control]
    public AgeingTable<MacAddress, PortSet> Stations
    {
        get;
    } = FilteringDatabase(capacity, ageingSeconds, @static ?? [], hashSeed);

    /// <summary>Frames whose destination is known.</summary>
    public Counter Forwarded { get; } = new();

    /// <summary>Frames whose destination is unknown or a group.</summary>
    public Counter Flooded { get; } = new();

    /// <summary>Frames to addresses that bridges do not relay (IEEE 802.1D-2004 §7.12.6).</summary>
    public Counter Reserved { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.Source.IsIndividual) Stations.Set(ethernet.Source, PortSet.Of(frame.Ingress), frame.Seconds);

        if (ethernet.Destination.IsReservedForBridges)
        {
            Reserved.Increment();
            frame.Drop();
        }
        else if (Stations.TryGet(ethernet.Destination, frame.Seconds, out var ports))
        {
            Forwarded.Increment();
            frame.ForwardTo(ports); // never back out of the ingress port
        }
        else
        {
            Flooded.Increment();
            frame.Flood();
        }
    }

    private static AgeingTable<MacAddress, PortSet> FilteringDatabase(
        int capacity, int ageingSeconds, StaticEntry[] @static, ulong hashSeed)
    {
        if (ageingSeconds is < 10 or > 1_000_000)
            throw new ArgumentOutOfRangeException(
                nameof(ageingSeconds), ageingSeconds,
                "the ageing time must be from 10 to 1000000 seconds (IEEE 802.1D-2004 Table 7-5)");

        var stations = new AgeingTable<MacAddress, PortSet>(capacity, ageingSeconds, hashSeed);
        foreach (var entry in @static)
        {
            if (!stations.SetPermanent(entry.Address, entry.Ports))
                throw new ArgumentException(
                    $"there is no room for {entry}: too many static entries share its hash; "
                    + "raise the capacity or change the seed",
                    nameof(@static));
        }
        return stations;
    }
}
