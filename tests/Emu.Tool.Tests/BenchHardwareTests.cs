using System.Text.Json;
using System.Text.Json.Nodes;

namespace Emu.Tool.Tests;

/// <summary>The figures of services in hardware are those recorded, and those of the documentation.</summary>
public sealed class BenchHardwareTests
{
    private static readonly string s_recorded = Path.Combine(Commands.Root, "bench/hardware.json");
    private static readonly string[] s_cells = ["lut", "ff", "lut_ram", "srl", "block_ram_kbit", "dsp", "depth"];
    private static readonly string[] s_lengths = ["60", "64", "128", "256", "512", "1024", "1514"];

    [Fact]
    public void No_circuit_is_slower_than_recorded_and_no_report_promises_what_simulation_does_not_find()
    {
        var outcome = Commands.Emu("bench", "hardware", "--check", "--cycles-only").Succeeded();
        Assert.DoesNotContain("worse", outcome.Output);
        foreach (var circuit in Recorded()) Assert.Contains($"| {circuit.GetProperty("service").GetString()}", outcome.Output);
    }

    [Fact]
    public void What_got_worse_is_named_and_fails_a_check()
    {
        using var folder = new TemporaryFolder();
        var figures = JsonNode.Parse(File.ReadAllText(s_recorded))!;
        var pipeline = figures["circuits"]!.AsArray().Single(c => (string?)c!["layout"] == "pipeline" && (string?)c["service"] == "LearningSwitch")!;
        var latency = (int)pipeline["latency"]!;
        pipeline["latency"] = latency - 1;
        pipeline["interval"]!["1514"] = 1000;
        File.WriteAllText(folder["before.json"], figures.ToJsonString());

        var outcome = Commands.Emu("bench", "hardware", "--check", "--cycles-only", "--against", folder["before.json"]);
        Assert.Equal(1, outcome.ExitCode);
        Assert.Contains($"worse: LearningSwitch, pipeline, 256 bit: latency {latency - 1} -> {latency}", outcome.Output);
        Assert.Contains("better: LearningSwitch, pipeline, 256 bit: 1514 B 1000 -> ", outcome.Output);
        Assert.Single(outcome.Output.Split('\n'), line => line.StartsWith("worse", StringComparison.Ordinal));
    }

    [Fact]
    public void Each_service_is_recorded_with_all_its_figures()
    {
        var services = Recorded().Select(c => c.GetProperty("service").GetString()).Distinct().Order();
        Assert.Equal(["Filter", "IcmpEcho", "LearningSwitch", "Nat", "TcpPing"], services);
        foreach (var circuit in Recorded())
        {
            Assert.True(circuit.GetProperty("latency").GetInt64() > 0);
            Assert.Equal(s_lengths, circuit.GetProperty("interval").EnumerateObject().Select(i => i.Name));
            var cells = circuit.GetProperty("cells");
            Assert.True(cells.GetProperty("lut").GetInt32() > 0);
            Assert.True(cells.GetProperty("depth").GetInt32() > 0);
        }
    }

    [Fact]
    public void The_documentation_has_the_recorded_figures()
    {
        var table = File.ReadAllLines(Path.Combine(Commands.Root, "docs/benchmarks.md"));
        foreach (var circuit in Recorded())
        {
            var interval = circuit.GetProperty("interval");
            var hasCells = circuit.TryGetProperty("cells", out var cells);
            string[] row =
            [
                $"{circuit.GetProperty("service").GetString()} {circuit.GetProperty("arguments").GetString()}".Trim(),
                circuit.GetProperty("layout").GetString()!,
                $"{circuit.GetProperty("latency")}",
                .. s_lengths.Select(length => $"{interval.GetProperty(length)}"),
                .. s_cells.Select(name => hasCells ? $"{cells.GetProperty(name)}" : "–"),
            ];
            Assert.Contains($"| {string.Join(" | ", row)} |", table);
        }
    }

    private static List<JsonElement> Recorded()
    {
        using var json = JsonDocument.Parse(File.ReadAllText(s_recorded));
        return [.. json.RootElement.Clone().GetProperty("circuits").EnumerateArray()];
    }
}
