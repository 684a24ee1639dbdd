using System.Text.Json;
using System.Text.Json.Serialization;

namespace Emu.Tool;

/// <summary>Figures of the clock level of an earlier state of the repository, in bench/clocked.json.</summary>
/// <param name="Synthesis">The program and recipe that counted the cells.</param>
/// <param name="Circuits">The figures.</param>
internal sealed record RecordedClocked(string? Synthesis, IReadOnlyList<ClockedFigures> Circuits)
{
    private static readonly JsonSerializerOptions s_json = new()
    {
        WriteIndented = true,
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    };

    private static string Place => Path.Combine(Repository.Root, "bench", "clocked.json");

    /// <summary>Reads the file.</summary>
    public static RecordedClocked Load() =>
        JsonSerializer.Deserialize<RecordedClocked>(File.ReadAllText(Place), s_json)!;

    /// <summary>The figures of a circuit; null when there are none.</summary>
    public ClockedFigures? Of(ClockedFigures measured) => Circuits.FirstOrDefault(c => c.Name == measured.Name);

    /// <summary>Writes the file.</summary>
    public void Save() => File.WriteAllText(Place, JsonSerializer.Serialize(this, s_json) + "\n");
}
