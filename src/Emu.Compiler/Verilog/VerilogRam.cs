using System.Text;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Verilog;

/// <summary>RAMs in the form that synthesis recognises.</summary>
internal static class VerilogRam
{
    /// <summary>The array, with the kind of memory that it is to be.</summary>
    public static VerilogDeclaration Declaration(Ram ram, string name)
    {
        var kind = ram.Write is null ? "rom_style" : "ram_style";
        var style = Style(ram) is { } wanted ? $"(* {kind} = \"{wanted}\" *)\n" : "";
        var array = $"{VerilogLayout.Declaration("reg", ram.Width, name)} [0:{ram.Depth - 1}];";
        return new VerilogDeclaration("reg", ram.Width, $"{style}{array}", Comment: ram.Comment, IsWhole: true);
    }

    /// <summary>The contents of RAMs of one depth at power-up, as statements.</summary>
    public static string Initial(IEnumerable<(Ram Ram, string Name)> rams)
    {
        var text = new StringBuilder();
        foreach (var sizes in rams.GroupBy(r => r.Ram.Depth).OrderBy(sizes => sizes.Key))
        {
            text.Append($"    for (i = 0; i < {sizes.Key}; i = i + 1) begin\n");
            foreach (var (ram, name) in sizes)
                text.Append($"        {name}[i] = {VerilogLiteral.Of(ram.Width, 0)};\n");
            text.Append("    end\n").AppendJoin("", sizes.Select(r => Words(r.Ram, r.Name)));
        }
        return text.ToString();
    }

    private static string Words(Ram ram, string name)
    {
        var text = new StringBuilder();
        for (var word = 0; word < (ram.Initial?.Count ?? 0); word++)
        {
            if (ram.Initial![word] == 0) continue;
            text.Append($"    {name}[{word}] = {VerilogLiteral.Of(ram.Width, ram.Initial[word])};\n");
        }
        return text.ToString();
    }

    private static string? Style(Ram ram) => ram.Kind switch
    {
        RamKind.Distributed => "distributed",
        RamKind.Block => "block",
        _ => null,
    };
}
