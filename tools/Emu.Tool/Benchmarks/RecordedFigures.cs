using System.Text.Json;
using System.Text.Json.Serialization;

namespace Emu.Tool;

/// <summary>Figures of an earlier state of the repository, in a file of the folder bench.</summary>
/// <typeparam name="T">The figures of a circuit.</typeparam>
/// <param name="Synthesis">The program and recipe that counted the cells.</param>
/// <param name="Circuits">The figures.</param>
internal sealed record RecordedFigures<T>(string? Synthesis, IReadOnlyList<T> Circuits)
    where T : class, INamedFigures
{
    private static readonly JsonSerializerOptions s_json = new()
    {
        WriteIndented = true,
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    };

    /// <summary>Reads a file by its name.</summary>
    public static RecordedFigures<T> Load(string file) =>
        JsonSerializer.Deserialize<RecordedFigures<T>>(File.ReadAllText(Place(file)), s_json)!;

    /// <summary>Writes a file by its name.</summary>
    public void Save(string file) => File.WriteAllText(Place(file), JsonSerializer.Serialize(this, s_json) + "\n");

    /// <summary>The figures of a circuit; null when there are none.</summary>
    public T? Of(T measured) => Circuits.FirstOrDefault(circuit => circuit.Name == measured.Name);

    /// <summary>The figures that got worse: cycles at all, cells by more than their tolerance.</summary>
    public IEnumerable<string> Worse(IEnumerable<T> measured)
    {
        foreach (var now in measured)
        {
            if (Of(now) is not { } before)
            {
                yield return $"new: {now.Name} is not recorded";
                continue;
            }
            foreach (var (figure, was) in now.All.Zip(before.All, (figure, was) => (figure, was.Value)))
            {
                if (figure.Value > was + HardwareFigures.Tolerance(figure.Name, was ?? 0))
                    yield return $"worse: {now.Name}: {figure.Name} {was} -> {figure.Value}";
            }
        }
    }

    private static string Place(string file) => Path.Combine(Repository.Root, "bench", file);
}
