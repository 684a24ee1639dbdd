using System.Text.RegularExpressions;

namespace Emu.Api.Tests;

/// <summary>The pages for people: every link leads somewhere, and the indices name all there is.</summary>
public sealed partial class DocumentationTests
{
    private static readonly string s_docs = Path.Combine(Sources.Root, "docs");

    [Fact]
    public void Each_link_leads_to_a_file_and_a_heading()
    {
        var pages = Pages().ToList();
        Assert.NotEmpty(pages);
        Assert.Empty(pages.SelectMany(page => Links(page).Where(link => !Leads(page, link))
            .Select(link => $"{Path.GetRelativePath(Sources.Root, page)}: {link}")));
    }

    [Theory]
    [InlineData("docs/README.md", "docs")]
    [InlineData("docs/README.md", "docs/adding")]
    [InlineData("docs/diagnostics/README.md", "docs/diagnostics")]
    public void An_index_names_each_page_of_a_folder(string index, string folder)
    {
        index = Path.Combine(Sources.Root, index);
        var named = Links(index).Select(link => Path.GetFullPath(link.Split('#')[0], Path.GetDirectoryName(index)!));
        var pages = Directory.EnumerateFiles(Path.Combine(Sources.Root, folder), "*.md");
        Assert.Empty(pages.Except([index, .. named]));
    }

    [Fact]
    public void The_index_of_diagnostics_has_their_headings()
    {
        var folder = Path.Combine(s_docs, "diagnostics");
        var headings = Directory.EnumerateFiles(folder, "EMU*.md").Order(StringComparer.Ordinal).Select(RowOf);
        var rows = File.ReadLines(Path.Combine(folder, "README.md"))
            .Where(line => line.StartsWith("| [", StringComparison.Ordinal));
        Assert.Equal(headings, rows);
    }

    [Fact]
    public void Each_view_of_a_header_is_in_the_page_of_protocols()
    {
        var page = File.ReadAllText(Path.Combine(s_docs, "protocols.md"));
        var views = typeof(Protocols.Ethernet).Assembly.GetExportedTypes().Where(type => type.IsByRefLike).ToList();
        Assert.NotEmpty(views);
        Assert.All(views, view => Assert.Contains($"`{view.Name}`", page, StringComparison.Ordinal));
    }

    private static string RowOf(string page)
    {
        var heading = File.ReadLines(page).First()["# ".Length..].Split(": ", 2);
        return $"| [{heading[0]}]({Path.GetFileName(page)}) | {heading[1]} |";
    }

    private static bool Leads(string page, string link)
    {
        var parts = link.Split('#', 2);
        var target = parts[0].Length == 0 ? page : Path.GetFullPath(parts[0], Path.GetDirectoryName(page)!);
        if (parts.Length == 1) return File.Exists(target) || Directory.Exists(target);
        return File.Exists(target) && Anchors(target).Contains(parts[1]);
    }

    /// <summary>Links inside the repository; those to other hosts are left alone.</summary>
    private static IEnumerable<string> Links(string page) =>
        Link().Matches(Code().Replace(File.ReadAllText(page), "")).Select(match => match.Groups[1].Value)
            .Where(link => !link.Contains("://", StringComparison.Ordinal));

    /// <summary>The names that hosts of repositories give to headings.</summary>
    private static HashSet<string> Anchors(string page) =>
        [.. File.ReadLines(page).Where(line => line.StartsWith('#')).Select(AnchorOf)];

    private static string AnchorOf(string heading) =>
        NotInAnchors().Replace(heading.TrimStart('#').Trim().ToLowerInvariant(), "").Replace(' ', '-');

    private static IEnumerable<string> Pages() =>
        Sources.All("*.md").Where(page => !page.Contains("Snapshots", StringComparison.Ordinal));

    [GeneratedRegex(@"\]\(([^)\s]+)\)")]
    private static partial Regex Link();

    [GeneratedRegex("```.*?```|`[^`\n]*`", RegexOptions.Singleline)]
    private static partial Regex Code();

    [GeneratedRegex(@"[^\w\- ]")]
    private static partial Regex NotInAnchors();
}
