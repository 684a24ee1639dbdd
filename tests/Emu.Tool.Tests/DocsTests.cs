using System.Text.Json;
using System.Xml.Linq;

namespace Emu.Tool.Tests;

/// <summary><c>emu docs</c></summary>
public sealed class DocsTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Every_link_and_every_name_leads_to_a_place_in_a_page()
    {
        Commands.Emu("docs", "--out", _folder["api"]).Succeeded();
        var pages = Directory.GetFiles(_folder["api"], "*.html").ToDictionary(
            file => Path.GetFileName(file),
            file => XDocument.Parse(File.ReadAllText(file)["<!DOCTYPE html>".Length..]));
        Assert.InRange(pages.Count, 100, 2000);
        var places = pages.SelectMany(page => page.Value.Descendants().Attributes("id")
            .Select(id => $"{page.Key}#{id.Value}").Append(page.Key)).ToHashSet();
        Assert.Equal(pages.Values.Sum(page => page.Descendants().Attributes("id").Count()) + pages.Count, places.Count);
        var links = pages.Values.SelectMany(page => page.Descendants("a").Attributes("href")).Select(a => a.Value);
        Assert.Empty(links.Where(link => !link.StartsWith("http", StringComparison.Ordinal)).Except(places));
        Assert.All(Names(), name => Assert.Contains(name[1], places));
    }

    [Fact]
    public void A_page_shows_a_declaration_and_its_text()
    {
        Commands.Emu("docs", "--out", _folder["api"]).Succeeded();
        var frame = File.ReadAllText(_folder["api/Emu.Frame.html"]);
        Assert.Contains("public ref struct Frame", frame);
        Assert.Contains("public ulong Seconds { get; }", frame);
        Assert.Contains(
            "<a href=\"Emu.Frame.html#Emu.Frame.Time\"><code>Frame.Time</code></a> in whole seconds", frame);
        var table = File.ReadAllText(_folder["api/Emu.AgeingTable-2.html"]);
        Assert.Contains("public ref TValue GetOrAdd(TKey key, ulong time, out bool isNew)", table);
        Assert.Contains("An IPv4 address (RFC 791 §3.2).", File.ReadAllText(_folder["api/index.html"]));
    }

    /// <summary>
    /// Public members have text, their own or inherited; of the compiler's and the director's own records the
    /// parameters alone.
    /// </summary>
    [Fact]
    public void Every_name_is_described()
    {
        Commands.Emu("docs", "--out", _folder["api"]).Succeeded();
        string[] records = ["Emu.Compiler.", "Emu.Direction.Language."];
        Assert.Empty(Names()
            .Where(name => name[2].Length == 0)
            .Where(name => !records.Any(own => name[1].StartsWith(own, StringComparison.Ordinal)))
            .Select(name => name[0]));
    }

    /// <summary>The script runs with as much of a browser as it uses.</summary>
    [Fact]
    public void A_search_gives_the_nearest_name_first()
    {
        Commands.Emu("docs", "--out", _folder["api"]).Succeeded();
        _folder.Write("search.js", """
            const made = () => ({
              items: [],
              append(...more) { this.items.push(...more); },
              replaceChildren() { this.items = []; },
            });
            const parts = { search: { addEventListener(_, does) { this.does = does; } }, found: made() };
            globalThis.document = { getElementById: id => parts[id], createElement: made };
            const { readFileSync } = require("fs");
            (0, eval)(readFileSync("api/names.js", "utf8").replace("const names", "names"));
            (0, eval)(readFileSync("api/search.js", "utf8"));
            parts.search.value = process.argv[2];
            parts.search.does();
            console.log(parts.found.items.map(item => item.items?.[0].textContent ?? item).join("\n"));
            """);
        string[] Search(string words) => Commands.Run("sh", "-c", $"cd '{_folder["."]}' && node search.js '{words}'")
            .Succeeded().Output.TrimEnd().Split('\n');
        Assert.Equal("AgeingTable<TKey, TValue>.GetOrAdd", Search("getoradd")[0]);
        Assert.Contains("TokenBucket", Search("token bucket")[0]);
        Assert.Equal(["Nothing is named so."], Search("zzzz"));
    }

    [Fact]
    public void A_folder_that_cannot_be_made_is_said()
    {
        _folder.Write("file", "");
        Commands.Emu("docs", "--out", _folder["file/api"]).Refused(1, "docs:", "file/api");
    }

    private List<string[]> Names()
    {
        var text = File.ReadAllText(_folder["api/names.js"]);
        return JsonSerializer.Deserialize<List<string[]>>(text["const names = ".Length..text.LastIndexOf(';')])!;
    }
}
