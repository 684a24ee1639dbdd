using System.Globalization;

namespace Emu.Protocols.Tests;

/// <summary>
/// The header fields of one frame by name, several values where a header comes more than once,
/// in a form that parsers can be compared in.
/// </summary>
internal sealed class FieldTable
{
    private readonly Dictionary<string, List<string>> _values = [];

    /// <summary>The fields as the views see them.</summary>
    public static FieldTable Of(byte[] frame)
    {
        var table = new FieldTable();
        foreach (var (name, value) in PacketText.Fields(frame)) table.Add(name, value);
        return table;
    }

    public IReadOnlyCollection<string> Names => _values.Keys;

    public void Add(string name, string value)
    {
        if (!_values.TryGetValue(name, out var values)) _values[name] = values = [];
        values.Add(Normal(value));
    }

    public string this[string name] => _values.TryGetValue(name, out var values) ? string.Join(',', values) : "";

    /// <summary>
    /// Fails, with every field of the frame, unless both parsers see the same values in all fields of
    /// <paramref name="names"/>.
    /// </summary>
    public static void AssertEqual(
        byte[] frame, int number, string outside, FieldTable theirs, IEnumerable<string> names)
    {
        var ours = Of(frame);
        var differences = names.Where(name => ours[name] != theirs[name])
            .Select(name => $"  {name}: '{ours[name]}', {outside}: '{theirs[name]}'").ToList();
        if (differences.Count == 0) return;
        var fields = PacketText.Fields(frame).Select(field => $"  {field.Name} = {field.Value}");
        Assert.Fail(
            $"frame {number}: {PacketText.Describe(frame)}\n{string.Join('\n', differences)}\nall fields:\n"
            + $"{string.Join('\n', fields)}");
    }

    /// <summary>Parsers differ in leading zeros of hexadecimal numbers.</summary>
    private static string Normal(string value) =>
        value.StartsWith("0x", StringComparison.Ordinal)
            ? uint.Parse(value.AsSpan(2), NumberStyles.AllowHexSpecifier).ToString()
            : value;
}
