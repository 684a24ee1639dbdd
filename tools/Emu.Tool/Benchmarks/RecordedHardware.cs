using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>
/// Figures of an earlier state of the repository, in bench/hardware.json,
/// with the arguments that services are measured with.
/// </summary>
/// <param name="Synthesis">The program and recipe that counted the cells.</param>
/// <param name="Circuits">The figures.</param>
internal sealed record RecordedHardware(string Synthesis, IReadOnlyList<HardwareFigures> Circuits)
{
    private static readonly JsonSerializerOptions s_json = new()
    {
        WriteIndented = true,
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    };

    /// <summary>The path of the recorded figures.</summary>
    public static string Place => Path.Combine(Repository.Root, "bench", "hardware.json");

    /// <summary>Reads such a file.</summary>
    /// <exception cref="CommandException">It cannot be read.</exception>
    public static RecordedHardware Load(string file)
    {
        try
        {
            return JsonSerializer.Deserialize<RecordedHardware>(File.ReadAllText(file), s_json)!;
        }
        catch (JsonException exception)
        {
            throw CommandException.Failure($"{file}: {exception.Message.ReplaceLineEndings(" ")}");
        }
    }

    /// <summary>The figures of a circuit; null when there are none.</summary>
    public HardwareFigures? Of(HardwareFigures measured) => Circuits.FirstOrDefault(c => c.Name == measured.Name);

    /// <summary>
    /// Writes new figures in place of those of the same services; of cells that were not counted again the old ones
    /// stay.
    /// </summary>
    /// <param name="services">The services that were measured.</param>
    /// <param name="synthesis">The program and recipe of this run; null when nothing was synthesised.</param>
    /// <param name="measured">All circuits of these services.</param>
    public static void Save(
        IEnumerable<Type> services, string? synthesis, IReadOnlyList<HardwareFigures> measured)
    {
        var before = Load(Place);
        var names = services.Select(service => service.Name).ToHashSet();
        var circuits = before.Circuits.Where(circuit => !names.Contains(circuit.Service))
            .Concat(measured.Select(m => m.Cells is null ? m with { Cells = before.Of(m)?.Cells } : m));
        // In the order of the whole benchmark, whatever was measured now.
        string[] order = [.. ServiceCatalog.All().Concat(ServiceCatalog.Samples()).Select(service => service.Name)];
        circuits = circuits.OrderBy(circuit => Array.IndexOf(order, circuit.Service));
        var after = new RecordedHardware(synthesis ?? before.Synthesis, [.. circuits]);
        File.WriteAllText(Place, JsonSerializer.Serialize(after, s_json) + "\n");
    }
}
