using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using Emu.Compiler.Devices;
using Emu.Delays;
using Emu.Simulation;

// The delays of the cells of the 7 series, fitted to static timing analysis by Yosys: measured and modelled picoseconds
// of small circuits as a table of Markdown. With --record ROOT the data file and the table in the documentation become
// what was found.
if (Synthesis.WhyNot is { } whyNot)
{
    Console.Error.WriteLine($"emu: {whyNot}");
    return 1;
}
var before = Device.Default;
var measured = new List<(Sample Sample, int Picoseconds)>();
foreach (var sample in Sample.For(before))
{
    measured.Add((sample, Synthesis.LongestPath(sample.Design)));
    Console.Error.WriteLine($"{sample.Name}: {measured[^1].Picoseconds} ps");
}
var device = Fit.Of(before, measured);
var rows = measured.Select(m => (m.Sample.Name, m.Picoseconds, Model: Fit.Model(device, m.Sample))).ToList();
var worst = rows.MaxBy(Error);
string[] table =
[
    "| circuit | measured, ps | modelled, ps | |",
    "|---|---|---|---|",
    .. rows.Select(row =>
        $"| {row.Name} | {row.Picoseconds} | {row.Model:0} | {100 * (row.Model / row.Picoseconds - 1):+0;-0;0} % |"),
    "",
    $"The worst is off by {100 * Error(worst):0} %, {worst.Name}; half of them by less than "
        + $"{100 * Median([.. rows.Select(Error)]):0.#} %.",
];
foreach (var line in table) Console.WriteLine(line);
Console.WriteLine(device.Delays);
if (args is ["--record", var root])
{
    var json = new JsonSerializerOptions
    {
        WriteIndented = true,
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };
    var file = Path.Combine(root, "src/Emu.Compiler/Devices/7series.json");
    var data = JsonNode.Parse(File.ReadAllText(file))!;
    data["delays"] = JsonSerializer.SerializeToNode(device.Delays, json);
    File.WriteAllText(file, data.ToJsonString(json) + "\n");
    var page = Path.Combine(root, "docs/devices.md");
    const string Begin = "<!-- fit -->\n", End = "<!-- end of fit -->";
    var text = File.ReadAllText(page);
    var (from, to) = (text.IndexOf(Begin, StringComparison.Ordinal), text.IndexOf(End, StringComparison.Ordinal));
    File.WriteAllText(page, $"{text[..(from + Begin.Length)]}{string.Join('\n', table)}\n{text[to..]}");
}
return 0;

static double Error((string Name, int Picoseconds, double Model) row) => Math.Abs(row.Model / row.Picoseconds - 1);

static double Median(double[] numbers) => numbers.Order().ElementAt(numbers.Length / 2);
