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

    /// <summary>Writes new figures in place of those of the same services.</summary>
    /// <param name="services">The services that were measured.</param>
    /// <param name="synthesis">The program and recipe of this run; null when nothing was synthesised.</param>
    /// <param name="measured">The circuits of these services, but for those that keep what they have.</param>
    /// <param name="kept">The names of circuits that could not be measured as a whole.</param>
    public static void Save(
        IEnumerable<Type> services, string? synthesis, IReadOnlyList<HardwareFigures> measured,
        IEnumerable<string> kept)
    {
        // In the order of the whole benchmark, whatever was measured now.
        string[] order = [.. ServiceCatalog.All().Concat(ServiceCatalog.Samples()).Select(service => service.Name)];
        var after = Load(Place)
            .With(services.Select(service => service.Name).ToHashSet(), synthesis, measured, kept.ToHashSet(), order);
        File.WriteAllText(Place, JsonSerializer.Serialize(after, s_json) + "\n");
    }

    /// <summary>
    /// New figures in place of those of the same services. Of cells that were not counted again the old ones stay, and
    /// of circuits that could not be measured all of the old ones.
    /// </summary>
    /// <param name="services">The services that were measured.</param>
    /// <param name="synthesis">The program and recipe; null when nothing was synthesised.</param>
    /// <param name="measured">The circuits of these services, but for those that keep what they have.</param>
    /// <param name="kept">The names of circuits that could not be measured as a whole.</param>
    /// <param name="order">All services in their order.</param>
    public RecordedHardware With(
        IReadOnlySet<string> services, string? synthesis, IReadOnlyList<HardwareFigures> measured,
        IReadOnlySet<string> kept, string[] order)
    {
        var circuits = Circuits.Where(circuit => !services.Contains(circuit.Service) || kept.Contains(circuit.Name))
            .Concat(measured.Select(m => m.Cells is null ? m with { Cells = Of(m)?.Cells } : m));
        return new RecordedHardware(
            synthesis ?? Synthesis,
            [.. circuits.OrderBy(circuit => Array.IndexOf(order, circuit.Service)).ThenBy(Before)]);

        // A service's circuits stay in the order that they had; new ones come last.
        int Before(HardwareFigures circuit) => Circuits.TakeWhile(before => before.Name != circuit.Name).Count();
    }
}
