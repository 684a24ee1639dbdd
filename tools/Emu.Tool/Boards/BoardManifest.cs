using System.Text.Json;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>The facts about a generated project that its later use needs: board.json in its folder.</summary>
/// <param name="Service">The service, as it was named to the command.</param>
/// <param name="Arguments">Its arguments.</param>
/// <param name="Top">The service's module.</param>
/// <param name="Board">The board's name.</param>
/// <param name="Ports">The ports of the service.</param>
/// <param name="BusBits">Bits of the stream.</param>
/// <param name="Mtu">The most bytes behind an Ethernet header.</param>
/// <param name="Shell">The repository of the shell.</param>
/// <param name="Commit">The commit of the shell that the project was written for; null where it was not read.</param>
/// <param name="Vivado">The version of Vivado that it was written for.</param>
/// <param name="Registers">The addresses of the registers by name, those of the board included.</param>
/// <param name="Tables">The registers of them that show an entry of a table.</param>
/// <param name="EstimatedLuts">LUTs of the service's module before synthesis.</param>
/// <param name="EstimatedDsps">Its multipliers before synthesis.</param>
internal sealed record BoardManifest(
    string Service, IReadOnlyList<string> Arguments, string Top, string Board, int Ports, int BusBits, int Mtu,
    string Shell, string? Commit, string Vivado, IReadOnlyDictionary<string, int> Registers,
    IReadOnlyList<string> Tables, long EstimatedLuts, long EstimatedDsps)
{
    /// <summary>The file.</summary>
    public const string FileName = "board.json";

    private static readonly JsonSerializerOptions s_json =
        new() { WriteIndented = true, PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower };

    /// <summary>The text of the file.</summary>
    public string ToJson() => JsonSerializer.Serialize(this, s_json) + "\n";

    /// <summary>Reads a project's.</summary>
    /// <param name="folder">The project.</param>
    /// <exception cref="CommandException">It is no project of <c>emu board</c>.</exception>
    public static BoardManifest Read(string folder)
    {
        var file = Path.Combine(folder, FileName);
        if (!File.Exists(file))
            throw CommandException.Usage(
                $"{folder}: there is no {FileName}; make a project first: ./emu board SERVICE --board BOARD --out DIR");
        try
        {
            return JsonSerializer.Deserialize<BoardManifest>(File.ReadAllText(file), s_json)
                ?? throw CommandException.Failure($"{file}: it is empty");
        }
        catch (JsonException exception)
        {
            throw CommandException.Failure($"{file}: {exception.Message.ReplaceLineEndings(" ")}");
        }
    }
}
