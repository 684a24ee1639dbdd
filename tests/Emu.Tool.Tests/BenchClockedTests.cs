using System.Text.Json;

namespace Emu.Tool.Tests;

/// <summary>The figures of programs of the clock level are those recorded, and those of the documentation.</summary>
public sealed class BenchClockedTests
{
    private static readonly string[] s_figures = ["latency", "shortest", "longest", "lut", "lut_ram", "ff", "depth"];

    [Fact]
    [Slow("time")]
    public void A_service_as_a_program_takes_no_more_cycles_than_recorded()
    {
        string[] bench = ["bench", "clocked", "--check", "--cycles-only", "--service"];
        var outcome = Commands.Emu([.. bench, "LearningSwitch"]).Succeeded();
        Assert.Contains("| LearningSwitch | clock level |", outcome.Output);
        Assert.DoesNotContain("IcmpEcho", outcome.Output);
        Commands.Emu([.. bench, "Router"]).Refused(2, "'Router'");
    }

    [Fact]
    public void The_documentation_has_the_recorded_figures()
    {
        var table = File.ReadAllLines(Path.Combine(Commands.Root, "docs/clock-level.md"));
        using var json = JsonDocument.Parse(File.ReadAllText(Path.Combine(Commands.Root, "bench/clocked.json")));
        var circuits = json.RootElement.GetProperty("circuits").EnumerateArray().ToList();
        Assert.NotEmpty(circuits);
        foreach (var circuit in circuits)
        {
            string[] row =
            [
                circuit.GetProperty("program").GetString()!, circuit.GetProperty("compiler").GetString()!,
                .. s_figures.Select(name => circuit.TryGetProperty(name, out var figure) ? figure.ToString() : "–"),
            ];
            Assert.Contains($"| {string.Join(" | ", row)} |", table);
        }
    }
}
