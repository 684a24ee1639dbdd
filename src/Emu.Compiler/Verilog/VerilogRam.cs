using System.Text;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Verilog;

/// <summary>RAMs in the form that synthesis recognises.</summary>
internal static class VerilogRam
{
    /// <summary>
    /// Words that one block sets at most where synthesis reads it. Yosys takes a time for a block that grows with the
    /// square of its words: 4,096 of them, each set twice, took a minute, and in blocks like these a second.
    /// </summary>
    private const int MaxWordsInBlock = 128;

    private const string BlockEnd = "end\n";

    /// <summary>The array, with the kind of memory that it is to be.</summary>
    public static VerilogDeclaration Declaration(Ram ram, string name)
    {
        var kind = ram.Write is null ? "rom_style" : "ram_style";
        var style = Style(ram) is { } wanted ? $"(* {kind} = \"{wanted}\" *)\n" : "";
        var array = $"{VerilogLayout.Declaration("reg", ram.Width, name)} [0:{ram.Depth - 1}];";
        return new VerilogDeclaration("reg", ram.Width, $"{style}{array}", Comment: ram.Comment, IsWhole: true);
    }

    /// <summary>The contents of ROMs at power-up: blocks of few words.</summary>
    public static string Roms(IEnumerable<(Ram Ram, string Name)> roms) => Blocks("roms", roms, MaxWordsInBlock);

    /// <summary>The contents of RAMs at power-up, which only simulators read: one block.</summary>
    public static string Rams(IEnumerable<(Ram Ram, string Name)> rams) => Blocks("memories", rams, int.MaxValue);

    private static string Blocks(string label, IEnumerable<(Ram Ram, string Name)> rams, int maxWords)
    {
        var (text, words, blocks) = (new StringBuilder(), 0, 0);
        foreach (var (statement, set) in rams.GroupBy(r => r.Ram.Depth).OrderBy(sizes => sizes.Key)
            .SelectMany(sizes => Words(sizes, maxWords)))
        {
            if (words > 0 && words + set > maxWords)
            {
                text.Append(BlockEnd);
                words = 0;
            }
            if (words == 0)
            {
                text.Append($"initial begin : {label}{(blocks == 0 ? "" : $"_{blocks}")}\n    integer i;\n");
                blocks++;
            }
            text.Append(statement);
            words += set;
        }
        return words == 0 ? "" : text.Append(BlockEnd).ToString();
    }

    /// <summary>Statements that set the words of RAMs of one depth, and how many words each sets.</summary>
    private static IEnumerable<(string Statement, int Words)> Words(
        IGrouping<int, (Ram Ram, string Name)> rams, int maxWords)
    {
        // Small ones are set to zero together.
        foreach (var together in rams.Chunk(rams.Key <= maxWords ? rams.Count() : 1))
        {
            for (var (first, end) = (0, 0); first < rams.Key; first = end)
            {
                end = first + Math.Min(rams.Key - first, maxWords);
                var zeros = together.Select(r => $"        {r.Name}[i] = {VerilogLiteral.Of(r.Ram.Width, 0)};\n");
                yield return (
                    $"    for (i = {first}; i < {end}; i = i + 1) begin\n{string.Concat(zeros)}    end\n",
                    (end - first) * together.Length);
            }
        }
        foreach (var (ram, name) in rams)
        {
            for (var word = 0; word < (ram.Initial?.Count ?? 0); word++)
            {
                if (ram.Initial![word] != 0)
                    yield return ($"    {name}[{word}] = {VerilogLiteral.Of(ram.Width, ram.Initial[word])};\n", 1);
            }
        }
    }

    private static string? Style(Ram ram) => ram.Kind switch
    {
        RamKind.Distributed => "distributed",
        RamKind.Block => "block",
        _ => null,
    };
}
