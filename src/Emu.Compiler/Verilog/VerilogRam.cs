using System.Text;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Verilog;

/// <summary>RAMs in the form that synthesis recognises.</summary>
internal static class VerilogRam
{
    private const int BlockWords = 64;
    private const int BlockBits = 2048;

    /// <summary>The array and what it holds at power-up.</summary>
    public static string Declaration(Ram ram, string name, VerilogNames names)
    {
        var style = Style(ram);
        var kind = ram.Write is null ? "rom_style" : "ram_style";
        var text = new StringBuilder(style is null ? "" : $"(* {kind} = \"{style}\" *)\n");
        text.Append(VerilogLayout.Commented(
            $"{VerilogLayout.Declaration("reg", ram.Width, name)} [0:{ram.Depth - 1}];", ram.Comment));
        var loop = names.Derive(name, "initial");
        text.Append('\n');
        // A RAM that is written is set by a walk after reset, or before it is read.
        // Synthesis would take a minute for the words of a large table.
        if (ram.Write is not null) text.Append("`ifndef SYNTHESIS\n");
        text.Append($"initial begin : {loop}\n    integer i;\n\n");
        text.Append(
            $"    for (i = 0; i < {ram.Depth}; i = i + 1) begin\n        {name}[i] = "
            + $"{VerilogLiteral.Of(ram.Width, 0)};\n    end\n");
        text.Append(Words(ram, name));
        text.Append("end\n");
        if (ram.Write is not null) text.Append("`endif\n");
        return text.ToString();
    }

    private static string Words(Ram ram, string name)
    {
        var text = new StringBuilder();
        for (var word = 0; word < (ram.Initial?.Count ?? 0); word++)
        {
            if (ram.Initial![word] == 0) continue;
            if (text.Length == 0) text.Append('\n');
            text.Append($"    {name}[{word}] = {VerilogLiteral.Of(ram.Width, ram.Initial[word])};\n");
        }
        return text.ToString();
    }

    private static string? Style(Ram ram)
    {
        if (ram.Reads.Count == 0) return null;
        // Words that are looked up in the same cycle and never written are logic: Yosys has no memory for them.
        if (!ram.Reads.Exists(r => r.IsRegistered)) return ram.Write is null ? null : "distributed";
        return ram.Reads.TrueForAll(r => r.IsRegistered) && ram.Depth >= BlockWords
                && ram.Depth * (long)ram.Width >= BlockBits
            ? "block"
            : null;
    }
}
