using System.Text.Json;
using System.Text.Json.Serialization;

namespace Emu.Tool;

/// <summary>Figures of direction of an earlier state of the repository, in bench/direction.json.</summary>
/// <param name="Synthesis">The program and recipe that counted the cells.</param>
/// <param name="Circuits">The figures.</param>
internal sealed record RecordedDirection(string? Synthesis, IReadOnlyList<DirectionFigures> Circuits)
{
    private static readonly JsonSerializerOptions s_json = new()
    {
        WriteIndented = true,
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    };

    private static string Place => Path.Combine(Repository.Root, "bench", "direction.json");

    /// <summary>Reads the file.</summary>
    public static RecordedDirection Load() =>
        JsonSerializer.Deserialize<RecordedDirection>(File.ReadAllText(Place), s_json)!;

    /// <summary>The figures of a circuit; null when there are none.</summary>
    public DirectionFigures? Of(DirectionFigures measured) => Circuits.FirstOrDefault(c => c.Name == measured.Name);

    /// <summary>Writes the file.</summary>
    public void Save() => File.WriteAllText(Place, JsonSerializer.Serialize(this, s_json) + "\n");
}
