using System.Text.Json;

namespace Emu.Bench;

/// <summary>Prints what was measured beside what was recorded and what is aimed at.</summary>
internal static class Report
{
    private static readonly JsonSerializerOptions s_json =
        new() { WriteIndented = true, PropertyNamingPolicy = JsonNamingPolicy.CamelCase };

    /// <summary>A table.</summary>
    public static void Print(IReadOnlyCollection<Ratio> measured, RecordedRatios recorded)
    {
        Console.WriteLine($"measured on {RecordedRatios.ThisMachine}; recorded on {recorded.Machine}");
        Console.WriteLine($"{"",-58} {"ratio",7} {"quartiles",15} {"recorded",9} {"goal",7}");
        foreach (var ratio in measured)
        {
            var before = recorded.Ratios.TryGetValue(ratio.Name, out var value) ? $"{value:F2}" : "-";
            Console.WriteLine(
                $"{ratio.Name,-58} {ratio.Median,7:F2} {$"{ratio.LowerQuartile:F2} … {ratio.UpperQuartile:F2}",15}"
                + $" {before,9} {ratio.Goal ?? "",7}  {ratio.Details}");
        }
    }

    /// <summary>The same as JSON.</summary>
    public static void PrintJson(IReadOnlyCollection<Ratio> measured, RecordedRatios recorded) =>
        Console.WriteLine(JsonSerializer.Serialize(
            new { machine = RecordedRatios.ThisMachine, ratios = measured, recorded }, s_json));
}
