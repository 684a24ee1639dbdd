using System.Text.RegularExpressions;
using System.Xml.Linq;
using Emu.Compiler.Layouts;
using Emu.Compiler.Reports;
using Emu.Compiler.Reports.Page;
using Emu.Services;

namespace Emu.Compiler.Tests;

/// <summary>The page is well-formed, needs nothing else, shows what the report has, and trusts no name.</summary>
public sealed class ReportPageTests
{
    private const string Hostile =
        "</style><script>alert(1)</script><img src=x onerror=\"a()\">&amp;'\u0001\u202E\uD800 end";

    [Theory]
    [InlineData(nameof(LearningSwitch), Layout.Pipeline, 4)]
    [InlineData(nameof(IcmpEcho), Layout.Engine, 20)]
    public void It_shows_every_step_with_its_lines(string service, Layout layout, int leastSteps)
    {
        var compiled = HardwareCompiler.Compile(HardwareSubject.Construct(service), new HardwareOptions(), layout);
        var report = Report(compiled);
        var (page, text) = Page(report);

        var steps = page.Descendants("details").Where(d => (string?)d.Attribute("class") == "step").ToList();
        Assert.True(steps.Count >= leastSteps);
        Assert.Equal(report.Steps.Select(s => s.Title), steps.Select(s => s.Descendants("b").Single().Value));
        foreach (var (step, shown) in report.Steps.Zip(steps))
        {
            var places = shown.Descendants("td")
                .Where(td => (string?)td.Attribute("class") == "place").Select(td => td.Value);
            Assert.Equal(step.Lines.Where(l => l.Line > 0).Select(l => $"{Path.GetFileName(l.File)}:{l.Line}"), places);
        }
        Assert.Contains(report.Steps, s => s.Lines.Any(l => l.Method == $"{service}.Process" && l.Depth == 0));
        Assert.Contains(report.Steps, s => s.Lines.Any(l => l.Depth > 1));

        // Every register and every cost has its row, and the drawings are there.
        foreach (var register in report.Registers) Assert.Contains(register.Name, text);
        foreach (var cost in report.Costs) Assert.Contains(page.Descendants("td"), td => td.Value == cost.Name);
        Assert.Equal(2, page.Descendants("svg").Count());
    }

    /// <summary>From a line of the service to the steps that it is done in, and back.</summary>
    [Theory]
    [InlineData(nameof(LearningSwitch), Layout.Pipeline)]
    [InlineData(nameof(IcmpEcho), Layout.Engine)]
    public void A_line_leads_to_its_steps_and_a_step_to_its_lines(string service, Layout layout)
    {
        var compiled = HardwareCompiler.Compile(HardwareSubject.Construct(service), new HardwareOptions(), layout);
        var report = Report(compiled);
        var (page, _) = Page(report);
        var ids = page.Descendants().Attributes("id").Select(id => id.Value).ToList();
        Assert.Equal(ids.Count, ids.Distinct().Count());
        var links = page.Descendants("a").Select(a => a.Attribute("href")!.Value[1..]).ToList();
        Assert.Empty(links.Except(ids));

        var line = report.Steps.SelectMany(s => s.Lines).First(l => l.Depth == 0 && l.Line > 0);
        var steps = report.Steps.Index()
            .Where(s => s.Item.Lines.Any(l => l.File == line.File && l.Line == line.Line))
            .Select(s => $"#step{s.Index}").ToList();
        var program = page.Descendants("table").Where(t => (string?)t.Attribute("class") == "program");
        var row = program.Descendants("tr").Single(tr =>
            tr.Attribute("id") is not null && tr.Elements("td").First().Value == $"{line.Line}"
            && tr.Ancestors("details").First().Element("summary")!.Value == Path.GetFileName(line.File));
        Assert.Contains(row.Descendants("a").Select(a => a.Attribute("href")!.Value), steps.Contains);
        Assert.Contains(links, link => link == row.Attribute("id")!.Value);
    }

    [Fact]
    public void It_shows_what_differs_from_another_report()
    {
        var (before, after) = (HostileReport("engine"), Empty("pipeline"));
        var text = ReportPage.Of(after, _ => [], ReportComparison.Of(before, after));
        Assert.Contains(
            "<td>layout</td><td class=\"number\">engine</td><td class=\"number\"><b>pipeline</b></td>", text);
        Assert.Contains("No longer there", text);
        Assert.DoesNotContain("<script", text);
    }

    [Fact]
    public void It_needs_nothing_from_elsewhere_and_runs_nothing()
    {
        var (page, text) = Page(Report(HardwareCompiler.Compile(new LearningSwitch(), new HardwareOptions())));
        Assert.DoesNotContain("http", text);
        Assert.DoesNotMatch(new Regex(@"@import|url\(|src="), text);
        string[] foreign = ["script", "link", "img", "iframe", "object", "embed"];
        Assert.DoesNotContain(page.Descendants(), element => foreign.Contains(element.Name.LocalName));
        Assert.All(page.Descendants("a"), link => Assert.StartsWith("#", (string?)link.Attribute("href")));
        Assert.Contains("prefers-color-scheme: dark", text);
        Assert.Contains("@media print", text);
    }

    /// <summary>
    /// HTML has no empty elements but its own: a browser would take the rest of the page as their content.
    /// </summary>
    [Fact]
    public void Elements_have_end_tags()
    {
        var (_, text) = Page(Report(HardwareCompiler.Compile(new LearningSwitch(), new HardwareOptions())));
        Assert.Equal(["meta"], Regex.Matches(text, @"<(\w+)[^>]*/>").Select(m => m.Groups[1].Value).Distinct());
    }

    [Theory]
    [InlineData("pipeline")]
    [InlineData("engine")]
    public void Names_are_text_whatever_they_are(string layout)
    {
        var (page, text) = Page(HostileReport(layout), _ => [Hostile]);
        Assert.DoesNotContain("<script", text);
        Assert.DoesNotContain("<img", text);
        Assert.DoesNotContain(text, c => c is '\u0001' or '\u202E' or '\uD800');
        Assert.Empty(page.Descendants("script").Concat(page.Descendants("img")));
        Assert.All(
            page.Descendants().SelectMany(e => e.Attributes()),
            attribute => Assert.DoesNotMatch("^on", attribute.Name.LocalName));
        var shown = Hostile.Replace('\u0001', '\uFFFD').Replace('\u202E', '\uFFFD').Replace('\uD800', '\uFFFD');
        // The name of the service, of a register, a step, a cost, a part, a bound, a diagnostic, a line of C#.
        foreach (var element in new[] { "h1", "code", "b", "p", "td", "title" })
            Assert.Contains(page.Descendants(element), e => e.Value.Contains(shown, StringComparison.Ordinal));
    }

    private static (XDocument Page, string Text) Page(
        CompileReport report, Func<string, IReadOnlyList<string>>? source = null)
    {
        const string Head = "<!DOCTYPE html>\n";
        var text = ReportPage.Of(report, source ?? (file => File.Exists(file) ? File.ReadAllLines(file) : []));
        Assert.StartsWith(Head, text);
        return (XDocument.Parse(text[Head.Length..]), text);
    }

    private static CompileReport Report(CompiledService compiled)
    {
        var costs = Cost.Of(compiled.Circuit);
        var cycles = new Dictionary<int, IReadOnlyList<long>>();
        if (compiled.Layout == Layout.Engine) cycles[60] = [.. compiled.Circuit.Steps.Select((_, i) => (long)i % 3)];
        return Empty($"{compiled.Layout}".ToLowerInvariant()) with
        {
            Service = compiled.Service,
            Stages = Stage.Of(compiled.Circuit.Design),
            Steps = Step.Of(compiled.Circuit, cycles),
            Costs = costs,
            Resources = Resources.Of(compiled.Circuit.Design, costs),
            Registers = compiled.Circuit.Registers,
        };
    }

    private static CompileReport HostileReport(string layout) => Empty(layout) with
    {
        Service = Hostile,
        Arguments = [Hostile],
        BoundedBy = [new Bound(Hostile, 1, Hostile, Hostile)],
        Stages = [new Stage(Hostile, 1, 1)],
        Steps = [new Step(
            Hostile, [new SourceLine(Hostile, 1, Hostile, 0)], [Hostile], [Hostile], [0], 1, 1, 1, 1,
            new Dictionary<int, long> { [60] = 1 })],
        Costs = [new Cost(Hostile, 0, false, 1, 1, 1, 1)],
        Registers = [new RegisterEntry(0, Hostile, Hostile)],
        Diagnostics = [new Diagnostic(Hostile, Hostile, 1, Hostile)],
        Measurement = new MeasurementNote(Hostile, Hostile, 60, null, null, [], 1, 1, [Kind(Hostile)], Hostile),
        SlowPath = [new SlowPathNote(Hostile, 1, Hostile, 1, 1, 1, 1)],
    };

    private static KindNote Kind(string name) =>
        new(name, 60, 1, 4, new Dictionary<int, long> { [60] = 2 }, "pipeline");

    private static CompileReport Empty(string layout) => new()
    {
        Service = "",
        Arguments = [],
        Top = "top",
        Files = ["top.v"],
        BusBits = 256,
        Ports = 4,
        Mtu = 1500,
        Device = "7series",
        ClockMhz = 200,
        LogicPicoseconds = 4400,
        LogicLevels = 11,
        Layout = layout,
        LatencyCycles = 4,
        IntervalCycles = new Dictionary<int, long> { [60] = 2, [1514] = 48 },
        Measurement = new MeasurementNote("managed", "frames", 60, 4, null, [60], 1, 2, [Kind("frames")], "method"),
        SlowPath = [],
        BoundedBy = [],
        Stages = [],
        Steps = [],
        Costs = [],
        Resources = new Resources(1, 1, 1, 1),
        Registers = [],
        Diagnostics = [],
    };
}
