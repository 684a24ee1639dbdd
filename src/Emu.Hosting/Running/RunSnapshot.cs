using System.Reflection;

namespace Emu.Hosting;

/// <summary>The state of a run between two events: for people, and as JSON for machines.</summary>
/// <param name="Time">The time of the last event, in nanoseconds.</param>
/// <param name="FramesIn">Frames received.</param>
/// <param name="FramesOut">Frames that left.</param>
/// <param name="Drops">Frames received that did not leave by their verdict.</param>
/// <param name="Faults">Events that ended in a fault, by kind, where there were any.</param>
/// <param name="Counters">The service's own counters, by name.</param>
/// <param name="Ports">The traffic of each port.</param>
/// <param name="LatencyNanoseconds">For live ports: from arrival to departure, by percentile.</param>
/// <param name="Tables">The service's <see cref="ControlAttribute"/> tables, by name.</param>
public sealed record RunSnapshot(
    ulong Time,
    ulong FramesIn,
    ulong FramesOut,
    ulong Drops,
    IReadOnlyDictionary<string, ulong> Faults,
    IReadOnlyDictionary<string, ulong> Counters,
    IReadOnlyList<PortSnapshot> Ports,
    IReadOnlyDictionary<string, ulong> LatencyNanoseconds,
    IReadOnlyDictionary<string, TableSnapshot> Tables)
{
    /// <summary>Looks at a run; call it between two events.</summary>
    public static RunSnapshot Of(Service service, IReadOnlyList<Port> ports, ServiceRunner runner)
    {
        ArgumentNullException.ThrowIfNull(service);
        ArgumentNullException.ThrowIfNull(ports);
        ArgumentNullException.ThrowIfNull(runner);
        var sequence = runner.Sequence;
        var properties = service.GetType().GetProperties();
        return new RunSnapshot(
            sequence.Now,
            sequence.FramesIn.Value,
            sequence.FramesOut.Value,
            sequence.Drops.Value,
            Enum.GetValues<FaultKind>().Where(k => sequence.Faults(k).Value > 0)
                .ToDictionary(k => k.ToString(), k => sequence.Faults(k).Value),
            CountersOf(service).ToDictionary(c => c.Name, c => c.Counter.Value),
            [.. ports.Select((port, i) => PortSnapshot.Of(port, runner.Traffic[i]))],
            runner.Latency.Count == 0
                ? new Dictionary<string, ulong>()
                : s_percentiles.ToDictionary(p => p.Name, p => runner.Latency.Percentile(p.Share)),
            properties.Where(p => IsShown(p, service))
                .ToDictionary(p => p.Name, p => TableSnapshot.Of((IControlTable)p.GetValue(service)!, sequence.Now)));
    }

    /// <summary>
    /// The counters of a service by name: its public properties, and those of the families there
    /// (<see cref="CounterFamilyAttribute"/>).
    /// </summary>
    public static IEnumerable<(string Name, Counter Counter)> CountersOf(Service service)
    {
        ArgumentNullException.ThrowIfNull(service);
        return CountersIn(service);
    }

    private static IEnumerable<(string Name, Counter Counter)> CountersIn(object owner)
    {
        var properties = owner.GetType().GetProperties();
        var names = properties.Where(p => p.PropertyType == typeof(Counter)).Select(p => p.Name).ToHashSet();
        foreach (var property in properties)
        {
            if (property.PropertyType == typeof(Counter))
                yield return (property.Name, (Counter)property.GetValue(owner)!);
            if (property.PropertyType.IsDefined(typeof(CounterFamilyAttribute), inherit: false)
                && property.GetValue(owner) is { } family)
                foreach (var (name, counter) in CountersIn(family))
                    yield return (names.Add(name) ? name : $"{property.Name}.{name}", counter);
        }
    }

    private static readonly (string Name, double Share)[] s_percentiles =
    [
        ("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("max", 1),
    ];

    /// <summary>
    /// True if a property is a table for people, and the service has it: what it does without is null.
    /// </summary>
    private static bool IsShown(PropertyInfo property, Service service) =>
        property.GetCustomAttribute<ControlAttribute>() is not null && !property.PropertyType.IsByRefLike
        && property.GetValue(service) is IControlTable;
}
