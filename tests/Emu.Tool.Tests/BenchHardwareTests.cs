using System.Text.Json;
using System.Text.Json.Nodes;

namespace Emu.Tool.Tests;

/// <summary>The figures of services in hardware are those recorded, and those of the documentation.</summary>
public sealed class BenchHardwareTests
{
    private static readonly string s_recorded = Path.Combine(Commands.Root, "bench/hardware.json");
    private static readonly string[] s_cells = ["lut", "ff", "lut_ram", "srl", "block_ram_kbit", "dsp", "depth"];
    private static readonly string[] s_lengths = ["60", "64", "128", "256", "512", "1024", "1514"];

    private static readonly string[] s_services = ["Filter", "IcmpEcho", "LearningSwitch", "Nat", "TcpPing"];

    /// <summary>Services whose circuits are too large to be measured in a test.</summary>
    private static readonly string[] s_large = ["Dns", "LruCache", "Memcached"];

    /// <summary>
    /// The circuits of all services are measured once, beside figures that are those recorded but for two.
    /// </summary>
    [Fact]
    [Slow("time")]
    public void No_circuit_is_slower_than_recorded_and_what_got_worse_is_named_and_fails_a_check()
    {
        using var folder = new TemporaryFolder();
        var figures = JsonNode.Parse(File.ReadAllText(s_recorded))!;
        var pipeline = figures["circuits"]!.AsArray().Single(IsPipelineOfSwitch)!;
        var (latency, interval) = ((int)pipeline["latency"]!, (int)pipeline["interval"]!["1514"]!);
        pipeline["latency"] = latency - 1;
        pipeline["interval"]!["1514"] = 1000;
        File.WriteAllText(folder["before.json"], figures.ToJsonString());

        string[] only = [.. s_services.SelectMany(service => (string[])["--service", service])];
        var outcome = Commands.Emu(
            ["bench", "hardware", "--check", "--cycles-only", "--against", folder["before.json"], .. only]);
        Assert.Equal(1, outcome.ExitCode);
        Assert.DoesNotContain("emu: ", outcome.Error); // no report promises what simulation does not find
        Assert.All(s_services, service => Assert.Contains($"| {service}", outcome.Output));
        const string name = "LearningSwitch, pipeline, 256 bit";
        var lines = outcome.Output.Split('\n');
        Assert.Equal(
            [$"worse: {name}: latency {latency - 1} -> {latency}"],
            lines.Where(line => line.StartsWith("worse: ", StringComparison.Ordinal)));
        Assert.Contains($"better: {name}: 1514 B 1000 -> {interval}", lines);
    }

    [Fact]
    [Slow("time")]
    public void Where_nothing_got_worse_a_check_succeeds()
    {
        string[] check = ["bench", "hardware", "--check", "--cycles-only", "--service"];
        var outcome = Commands.Emu([.. check, "LearningSwitch"]).Succeeded();
        Assert.Contains("| LearningSwitch | pipeline |", outcome.Output);
        Assert.DoesNotContain("worse", outcome.Output);
        Assert.DoesNotContain("IcmpEcho", outcome.Output);
        Commands.Emu([.. check, "Nonesuch"]).Refused(2, "'Nonesuch'", "./emu list");
    }

    [Fact]
    [Campaign("Yosys")]
    public void No_circuit_has_more_cells_or_is_deeper_than_recorded()
    {
        // Memcached and Host are not recorded: their synthesis does not end within the time that one is given.
        var recorded = Recorded().Select(c => c.GetProperty("service").GetString()!).Distinct();
        string[] only = [.. recorded.SelectMany(service => (string[])["--service", service])];
        Commands.Emu(["bench", "hardware", "--check", .. only]).Succeeded();
    }

    [Fact]
    public void Each_service_is_recorded_with_all_its_figures()
    {
        var services = Recorded().Select(c => c.GetProperty("service").GetString()).Distinct().Order();
        var known = s_services.Concat(s_large).Concat(ServiceCatalog.Samples().Select(sample => sample.Name));
        Assert.Equal(known.Order(), services);
        foreach (var circuit in Recorded())
        {
            if (circuit.TryGetProperty("latency", out var latency)) Assert.True(latency.GetInt64() > 0);
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
                circuit.TryGetProperty("latency", out var latency) ? $"{latency}" : "–",
                .. s_lengths.Select(length => interval.GetProperty(length))
                    .Select(cycles => cycles.ValueKind == JsonValueKind.Null ? "–" : $"{cycles}"),
                .. s_cells.Select(name => hasCells ? $"{cells.GetProperty(name)}" : "–"),
                .. Timing(hasCells && cells.TryGetProperty("picoseconds", out var path) ? path.GetInt32() : null),
            ];
            Assert.Contains($"| {string.Join(" | ", row)} |", table);
        }
    }

    /// <summary>The longest path, and the clock that has time for it and as much wire.</summary>
    private static string[] Timing(int? picoseconds) =>
        picoseconds is { } path ? [$"{path}", $"{1_000_000 / (2 * path)}"] : ["–", "–"];

    private static bool IsPipelineOfSwitch(JsonNode? circuit) =>
        (string?)circuit!["layout"] == "pipeline" && (string?)circuit["service"] == "LearningSwitch";

    private static List<JsonElement> Recorded()
    {
        using var json = JsonDocument.Parse(File.ReadAllText(s_recorded));
        return [.. json.RootElement.Clone().GetProperty("circuits").EnumerateArray()];
    }
}
