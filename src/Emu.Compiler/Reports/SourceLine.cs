using Emu.Compiler.IR;

namespace Emu.Compiler.Reports;

/// <summary>A line of C#.</summary>
/// <param name="File">The C# file; empty when unknown.</param>
/// <param name="Line">The line, from 1; 0 when unknown.</param>
/// <param name="Method">The method whose code it is.</param>
/// <param name="Depth">
/// 0 for a line of the service's own; of a line in a called method one more than that of the call,
/// which stands before it.
/// </param>
public sealed record SourceLine(string File, int Line, string Method, int Depth)
{
    /// <summary>The lines of some locations, with the calls that led there, each once below its call.</summary>
    /// <param name="locations">The locations, in any order.</param>
    public static IReadOnlyList<SourceLine> Tree(IEnumerable<SourceLocation> locations)
    {
        ArgumentNullException.ThrowIfNull(locations);
        var lines = new List<SourceLine>();
        Add(lines, [.. locations.Select(PathOf)], 0);
        return lines;
    }

    private static void Add(List<SourceLine> lines, List<List<SourceLocation>> paths, int depth)
    {
        var calls = paths.Where(path => path.Count > depth)
            .GroupBy(path => (path[depth].File, path[depth].Line, path[depth].Method));
        foreach (var call in calls.OrderBy(c => c.Key.File, StringComparer.Ordinal)
            .ThenBy(c => c.Key.Line).ThenBy(c => c.Key.Method, StringComparer.Ordinal))
        {
            lines.Add(new SourceLine(call.Key.File, call.Key.Line, call.Key.Method, depth));
            Add(lines, [.. call], depth + 1);
        }
    }

    /// <summary>The locations from the service's own line inwards.</summary>
    private static List<SourceLocation> PathOf(SourceLocation location)
    {
        var path = new List<SourceLocation>();
        for (var at = location; at is not null; at = at.Caller) path.Insert(0, at);
        return path;
    }
}
