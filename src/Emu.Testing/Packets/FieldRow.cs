namespace Emu.Testing;

/// <summary>One row of two frames side by side.</summary>
/// <param name="Name">The field.</param>
/// <param name="Expected">Its value in the frame expected; null when that has no such field.</param>
/// <param name="Actual">Its value in the frame that came; null when that has no such field.</param>
internal readonly record struct FieldRow(string Name, string? Expected, string? Actual)
{
    /// <summary>True if both have the field, with the same value.</summary>
    public bool IsSame => Expected == Actual;

    /// <summary>
    /// Pairs the fields of two frames by name, in order: a field that the other has further on, or never, stands alone.
    /// </summary>
    public static IEnumerable<FieldRow> Align(
        IReadOnlyList<(string Name, string Value)> expected, IReadOnlyList<(string Name, string Value)> actual)
    {
        var next = 0;
        foreach (var (name, value) in expected)
        {
            var match = next;
            while (match < actual.Count && actual[match].Name != name) match++;
            if (match == actual.Count)
            {
                yield return new FieldRow(name, value, null);
                continue;
            }
            for (; next < match; next++) yield return new FieldRow(actual[next].Name, null, actual[next].Value);
            yield return new FieldRow(name, value, actual[next++].Value);
        }
        for (; next < actual.Count; next++) yield return new FieldRow(actual[next].Name, null, actual[next].Value);
    }
}
