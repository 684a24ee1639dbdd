using System.Globalization;
using System.Text.Json;

namespace Emu.Tool.Tests;

/// <summary>The figures of direction are those recorded, and those of the documentation.</summary>
public sealed class BenchDirectionTests
{
    [Fact]
    [Slow("time")]
    public void Direction_costs_no_more_cycles_than_recorded()
    {
        string[] bench = ["bench", "direction", "--check", "--cycles-only", "--service"];
        var outcome = Commands.Emu([.. bench, "LearningSwitch"]).Succeeded();
        Assert.Contains("| LearningSwitch | `print:Forwarded` | pipeline |", outcome.Output);
        Assert.DoesNotContain("IcmpEcho", outcome.Output);
        Commands.Emu([.. bench, "Router"]).Refused(2, "'Router'");
    }

    [Fact]
    public void The_documentation_has_the_recorded_figures()
    {
        var table = File.ReadAllLines(Path.Combine(Commands.Root, "docs/direction.md"));
        using var json = JsonDocument.Parse(File.ReadAllText(Path.Combine(Commands.Root, "bench/direction.json")));
        var circuits = json.RootElement.GetProperty("circuits").EnumerateArray().ToList();
        Assert.NotEmpty(circuits);
        foreach (var circuit in circuits)
        {
            var (service, features) = (Text(circuit, "service"), Text(circuit, "features"));
            int? Luts(string of, string by) =>
                circuits.First(c => Text(c, "service") == service && Text(c, "features") == of)
                    .TryGetProperty(by, out var lut) ? lut.GetInt32() : null;
            string Share(string by) =>
                features is not ("" or "status") && Luts(features, by) - Luts("status", by) + Luts("", by) is { } all
                    ? string.Create(CultureInfo.InvariantCulture, $"{100.0 * all / Luts("", by):N1} %")
                    : "–";
            string Shown(string by) => Luts(features, by)?.ToString(CultureInfo.InvariantCulture) ?? "–";
            string[] row =
            [
                service, features.Length > 0 ? $"`{features}`" : "–", Text(circuit, "layout"),
                circuit.GetProperty("latency").ToString(), circuit.GetProperty("interval").ToString(),
                Shown("lut"), Share("lut"), Shown("estimate"), Share("estimate"),
            ];
            Assert.Contains($"| {string.Join(" | ", row)} |", table);
        }
    }

    private static string Text(JsonElement circuit, string name) => circuit.GetProperty(name).GetString()!;
}
