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
            int? Lut(string of) => circuits.First(c => Text(c, "service") == service && Text(c, "features") == of)
                .TryGetProperty("lut", out var lut) ? lut.GetInt32() : null;
            var share = features is "" or "status" || Lut(features) is not { } own
                ? "–"
                : string.Create(
                    CultureInfo.InvariantCulture, $"{100.0 * (own - Lut("status") + Lut("")) / Lut(""):N1} %");
            string[] row =
            [
                service, features.Length > 0 ? $"`{features}`" : "–", Text(circuit, "layout"),
                circuit.GetProperty("latency").ToString(), circuit.GetProperty("interval").ToString(),
                Lut(features)?.ToString(CultureInfo.InvariantCulture) ?? "–", share,
            ];
            Assert.Contains($"| {string.Join(" | ", row)} |", table);
        }
    }

    private static string Text(JsonElement circuit, string name) => circuit.GetProperty(name).GetString()!;
}
