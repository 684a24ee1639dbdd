using System.Runtime.CompilerServices;

namespace Emu.Compiler.Tests;

/// <summary>The inner walls of the compiler are as docs/compiler.md draws them.</summary>
public sealed class FolderGraphTests
{
    private static readonly FolderGraph s_graph = new();

    [Fact]
    public void No_folder_uses_itself_by_way_of_others() => Assert.Null(s_graph.Cycle());

    [Fact]
    public void Nothing_uses_the_files_at_the_top() =>
        Assert.DoesNotContain(FolderGraph.Top, s_graph.Uses.Values.SelectMany(used => used));

    [Fact]
    public void Each_folder_is_a_namespace() => Assert.All(s_graph.Namespaces, file =>
    {
        var folder = Path.GetDirectoryName(file.Key)!.Replace(Path.DirectorySeparatorChar, '.');
        Assert.Equal(folder.Length == 0 ? "Emu.Compiler" : $"Emu.Compiler.{folder}", file.Value);
    });

    /// <summary>
    /// The table of docs/compiler.md: a folder in the first column, the folders that it uses in the last.
    /// </summary>
    [Fact]
    public void The_page_draws_the_graph()
    {
        var drawn = File.ReadLines(Path.Combine(Here(), "..", "..", "..", "docs", "compiler.md"))
            .SkipWhile(line => !line.StartsWith("| folder |", StringComparison.Ordinal)).Skip(2)
            .TakeWhile(line => line.StartsWith('|'))
            .Select(line => line.Split('|', StringSplitOptions.TrimEntries))
            .Select(row => $"{row[1].Trim('`')}: {row[^2]}");
        var found = s_graph.Uses.Select(folder => $"{folder.Key}: {string.Join(", ", folder.Value)}");
        Assert.Equal(found.Order(StringComparer.Ordinal), drawn.Order(StringComparer.Ordinal));
    }

    private static string Here([CallerFilePath] string file = "") => Path.GetDirectoryName(file)!;
}
