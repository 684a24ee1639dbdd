namespace Emu.Direction.Weaving;

/// <summary>
/// The commands that a woven service obeys: a list such as <c>print,set:Forwarded</c>. A feature with a name is for
/// this variable, or for those below it; without one it is for all.
/// </summary>
public sealed class DirectionFeatures
{
    private const string Print = "print", Set = "set";

    private readonly List<(string Feature, string Name)> _entries;

    private DirectionFeatures(List<(string Feature, string Name)> entries) => _entries = entries;

    /// <summary>The features that there are, for messages.</summary>
    public static string Known => $"{Print}, {Set}";

    /// <summary>Reads a list of features.</summary>
    /// <exception cref="WeaveException">One is not known.</exception>
    public static DirectionFeatures Parse(string list)
    {
        ArgumentNullException.ThrowIfNull(list);
        var entries = list.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
            .Select(entry => entry.Split(':', 2) is [var feature, var name] ? (feature, name) : (entry, "")).ToList();
        var unknown = entries.Find(entry => entry.Item1 is not (Print or Set)).Item1;
        if (unknown is not null)
            throw new WeaveException(
                $"unknown feature '{unknown}': there are {Known}, each for all variables or, as in {Print}:Forwarded, "
                + "for one");
        return new DirectionFeatures(entries);
    }

    /// <summary>True if there is none: nothing is woven.</summary>
    internal bool IsEmpty => _entries.Count == 0;

    /// <summary>True if a variable can be read: by either feature.</summary>
    internal bool Reads(string variable) => _entries.Exists(entry => Names(entry.Name, variable));

    /// <summary>True if a variable can be set.</summary>
    internal bool Sets(string variable) =>
        _entries.Exists(entry => entry.Feature == Set && Names(entry.Name, variable));

    /// <summary>The first name that names no variable; null if all do.</summary>
    internal string? Unmatched(IEnumerable<string> variables) =>
        _entries.Select(entry => entry.Name).FirstOrDefault(name => !variables.Any(v => Names(name, v)));

    private static bool Names(string name, string variable) =>
        name.Length == 0 || variable == name
        || (variable.StartsWith(name, StringComparison.Ordinal) && variable[name.Length] is '.' or '[');
}
