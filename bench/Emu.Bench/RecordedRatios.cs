using System.Runtime.InteropServices;
using System.Text.Json;

namespace Emu.Bench;

/// <summary>Ratios of an earlier run: they say how this machine, or this change, compares.</summary>
/// <param name="Machine">The kind of machine that measured them.</param>
/// <param name="Ratios">Medians, by name.</param>
internal sealed record RecordedRatios(string Machine, SortedDictionary<string, double> Ratios)
{
    private static readonly JsonSerializerOptions s_json = new()
    {
        WriteIndented = true,
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>This machine, in words that hold for its like.</summary>
    public static string ThisMachine =>
        $"{Environment.ProcessorCount} cores, {RuntimeInformation.OSArchitecture}, "
        + $"Linux {Environment.OSVersion.Version.ToString(2)}, {RuntimeInformation.FrameworkDescription}";

    /// <summary>Reads bench/recorded.json; empty when there is none.</summary>
    public static RecordedRatios Load() => File.Exists(Places.Recorded)
        ? JsonSerializer.Deserialize<RecordedRatios>(File.ReadAllText(Places.Recorded), s_json)!
        : new RecordedRatios(ThisMachine, []);

    /// <summary>Replaces what was measured again, and writes the file.</summary>
    public void Save(IEnumerable<Ratio> measured)
    {
        foreach (var ratio in measured) Ratios[ratio.Name] = Math.Round(ratio.Median, 2);
        File.WriteAllText(
            Places.Recorded, JsonSerializer.Serialize(this with { Machine = ThisMachine }, s_json) + "\n");
    }
}
