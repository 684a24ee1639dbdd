using Emu.Compiler.IR;

namespace Emu.Compiler.Layouts;

/// <summary>Lines of C# as a short text.</summary>
internal static class SourceLines
{
    /// <summary>
    /// The service's own lines among some, by file, neighbours as a range: <c>Filter.cs:12, 14-16; Rules.cs:7</c>.
    /// </summary>
    public static string Of(IEnumerable<SourceLocation?> locations) =>
        string.Join("; ", locations.OfType<SourceLocation>().Select(location => location.Own)
            .Where(line => line.Line > 0)
            .GroupBy(line => Path.GetFileName(line.File)).OrderBy(file => file.Key, StringComparer.Ordinal)
            .Select(file => $"{file.Key}:{Ranges([.. file.Select(line => line.Line).Distinct().Order()])}"));

    private static string Ranges(List<int> lines)
    {
        var ranges = new List<(int First, int Last)>();
        foreach (var line in lines)
        {
            if (ranges.Count > 0 && ranges[^1].Last == line - 1) ranges[^1] = (ranges[^1].First, line);
            else ranges.Add((line, line));
        }
        return string.Join(", ", ranges.Select(r => r.First == r.Last ? $"{r.First}" : $"{r.First}-{r.Last}"));
    }
}
