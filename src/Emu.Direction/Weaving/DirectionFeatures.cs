using Emu.Direction.Language;

namespace Emu.Direction.Weaving;

/// <summary>
/// The commands that a woven service obeys: a list such as
/// <c>print,set:Forwarded,count:writes Flooded+frame.Length</c>.
/// A feature with a name is for this variable, or for those below it; without one it is for all. Behind a plus sign are
/// names that conditions compare besides.
/// </summary>
public sealed class DirectionFeatures
{
    private const string Print = "print", Set = "set", Status = "status";
    private static readonly string[] s_all =
        [Print, Set, .. Enum.GetNames<ProbeFeature>().Select(name => name.ToLowerInvariant()), Status];

    private readonly List<Entry> _entries;

    private DirectionFeatures(List<Entry> entries) => _entries = entries;

    /// <summary>The features that there are, for messages.</summary>
    public static string Known => string.Join(", ", s_all);

    /// <summary>Reads a list of features.</summary>
    /// <exception cref="WeaveException">One is not known.</exception>
    public static DirectionFeatures Parse(string list)
    {
        ArgumentNullException.ThrowIfNull(list);
        return new DirectionFeatures([
            .. list.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
                .Select(ParseEntry),
        ]);
    }

    /// <summary>True if <c>status</c> is asked for by name: it needs no variable.</summary>
    internal bool HasStatus => _entries.Exists(e => e.Feature == Status);

    /// <summary>True if there is none: nothing is woven.</summary>
    internal bool IsEmpty => _entries.Count == 0;

    /// <summary>True if a variable can be read: by <c>print</c> or <c>set</c>.</summary>
    internal bool Reads(string variable) => _entries.Exists(e => e.IsOfState && e.Names(variable));

    /// <summary>True if a variable can be set.</summary>
    internal bool Sets(string variable) => _entries.Exists(e => e.Feature == Set && e.Names(variable));

    /// <summary>The first name of <c>print</c> or <c>set</c> that names no variable; null if all do.</summary>
    internal string? Unmatched(IEnumerable<string> variables) =>
        _entries.Find(e => e.IsOfState && !variables.Any(e.Names))?.Name;

    /// <summary>The probes that are asked for, each with the names that its conditions compare besides.</summary>
    internal IEnumerable<(ProbeFeature Feature, EventKind? Kind, string Name, IReadOnlyList<string> Others)> Probes =>
        _entries.Where(e => e.Probe is not null).Select(e => (e.Probe!.Value, e.Kind, e.Name, e.Others));

    private static Entry ParseEntry(string text)
    {
        var (feature, rest) = text.Split(':', 2) is [var first, var behind] ? (first, behind) : (text, "");
        if (!s_all.Contains(feature))
            throw new WeaveException(
                $"unknown feature '{feature}': there are {Known}, each for all variables or, as in {Print}:Forwarded, "
                + "for one");
        if (feature == Status && rest.Length > 0) throw new WeaveException($"'{text}': {Status} has no name");
        var names = rest.Split('+', StringSplitOptions.TrimEntries);
        ProbeFeature? probe =
            Enum.TryParse<ProbeFeature>(feature, ignoreCase: true, out var parsed) ? parsed : null;
        if (probe is null && names.Length > 1)
            throw new WeaveException($"'{text}': names behind '+' are for conditions, which {feature} has not");
        EventKind? kind = probe switch
        {
            ProbeFeature.Trace or ProbeFeature.Watch => EventKind.Writes,
            ProbeFeature.Break => EventKind.Calls,
            _ => null,
        };
        if (probe == ProbeFeature.Count && names[0].Split(' ', 2) is [var word, var name]
            && Enum.TryParse<EventKind>(word, ignoreCase: true, out var named))
            (kind, names[0]) = (named, name.Trim());
        return new Entry(feature, probe, kind, names[0], names[1..]);
    }

    private sealed record Entry(
        string Feature, ProbeFeature? Probe, EventKind? Kind, string Name, IReadOnlyList<string> Others)
    {
        public bool IsOfState => Feature is Print or Set;

        public bool Names(string variable) =>
            Name.Length == 0 || variable == Name
            || (variable.StartsWith(Name, StringComparison.Ordinal) && variable[Name.Length] is '.' or '[');
    }
}
