using System.Text.Json;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>The boards of netfpga/boards/boards.json.</summary>
internal static class BoardCatalog
{
    private static readonly JsonSerializerOptions s_json =
        new() { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower };

    /// <summary>The folder of the Verilog, the templates and the list.</summary>
    public static string Folder { get; } = Repository.Folder("netfpga");

    /// <summary>All boards, in the order of the file.</summary>
    public static IReadOnlyList<Board> All { get; } = JsonSerializer.Deserialize<List<Board>>(
        File.ReadAllText(Path.Combine(Folder, "boards/boards.json")), s_json)!;

    /// <summary>The board of a name.</summary>
    /// <exception cref="CommandException">There is none.</exception>
    public static Board Find(string? name) =>
        All.FirstOrDefault(board => board.Name == name)
        ?? throw CommandException.Usage(
            (name is null ? "board: --board is needed: " : $"--board: '{name}' is none of ")
            + string.Join(", ", All.Select(board => board.Name)));
}
