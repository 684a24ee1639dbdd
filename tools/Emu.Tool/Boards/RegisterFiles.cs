using System.Text;
using Emu.Compiler.Layouts;

namespace Emu.Tool;

/// <summary>
/// A register map in the forms of NetFPGA's tools: definitions that its scripts read, a header for C, a module for
/// Python.
/// </summary>
internal static class RegisterFiles
{
    /// <summary>The files, by name.</summary>
    /// <param name="registers">The registers, in the order of the files.</param>
    public static IEnumerable<(string Name, string Text)> Of(IReadOnlyList<RegisterEntry> registers)
    {
        var names = Names(registers);
        yield return ("output_port_lookup_regs_defines.txt", string.Concat(names.SelectMany(r => new[]
        {
            $"#define NFPLUS OUTPUT_PORT_LOOKUP {r.Macro} OFFSET 0x{r.Entry.Address:X}\n",
            $"#define NFPLUS OUTPUT_PORT_LOOKUP {r.Macro} DEFAULT 0x0\n",
            $"#define NFPLUS OUTPUT_PORT_LOOKUP {r.Macro} WIDTH 32\n",
        })));
        yield return ("emu_regs.h", Header(names));
        yield return ("emu_regs.py", Module(names));
    }

    /// <summary>The module that a <c>run.py</c> of NetFPGA imports: a function for each address.</summary>
    /// <param name="registers">The registers, in the order of the files.</param>
    /// <param name="window">The window's start, as the shell maps it.</param>
    public static string Functions(IReadOnlyList<RegisterEntry> registers, long window)
    {
        var text = new StringBuilder("\"\"\"Addresses of registers, as the host sees them.\"\"\"\n");
        foreach (var (macro, entry) in Names(registers))
            text.Append($"\n\ndef {NetFpgaTest.RegisterPrefix}{macro}():\n    return 0x{window + entry.Address:X}\n");
        return text.ToString();
    }

    /// <summary>The name of each register as C and Python have it, by its own name.</summary>
    /// <param name="registers">The registers, in the order of the files.</param>
    public static IReadOnlyDictionary<string, string> Macros(IReadOnlyList<RegisterEntry> registers) =>
        Names(registers).ToDictionary(r => r.Entry.Name, r => r.Macro);

    private static string Header(IReadOnlyList<(string Macro, RegisterEntry Entry)> registers)
    {
        var text = new StringBuilder("#ifndef EMU_REGS_H\n#define EMU_REGS_H\n\n");
        foreach (var (macro, entry) in registers)
            text.Append($"/* {entry.Name}: {entry.Meaning.Replace("*/", "* /")} */\n")
                .Append($"#define EMU_{macro} 0x{entry.Address:X3}\n");
        return text.Append("\n#endif\n").ToString();
    }

    private static string Module(IReadOnlyList<(string Macro, RegisterEntry Entry)> registers)
    {
        var text = new StringBuilder("\"\"\"Addresses of registers, in bytes from the window's start.\"\"\"\n\n");
        foreach (var (macro, entry) in registers) text.Append($"{macro} = 0x{entry.Address:X3}  # {entry.Name}\n");
        return text.ToString();
    }

    /// <summary>The names as C has them; a number behind those that would be the same.</summary>
    private static List<(string Macro, RegisterEntry Entry)> Names(IReadOnlyList<RegisterEntry> registers)
    {
        var taken = new HashSet<string>();
        var names = new List<(string, RegisterEntry)>();
        foreach (var entry in registers)
        {
            var macro = string.Concat(
                entry.Name.Select(c => char.IsAsciiLetterOrDigit(c) ? char.ToUpperInvariant(c) : '_'));
            var name = macro;
            for (var i = 2; !taken.Add(name); i++) name = $"{macro}_{i}";
            names.Add((name, entry));
        }
        return names;
    }
}
