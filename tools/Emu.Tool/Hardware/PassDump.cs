using Emu.Compiler;
using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>The steps of the compiler as a list, and the IR that the passes leave as files.</summary>
internal static class PassDump
{
    /// <summary>The name that stands for every pass.</summary>
    private const string All = "all";

    /// <summary>The folder for the files, in that of the Verilog.</summary>
    private const string Folder = "passes";

    private static IEnumerable<string> Names =>
        HardwareCompiler.Steps.Where(step => step.Phase is "optimise" or "split").Select(step => step.Name).Distinct();

    /// <summary>Every step: its number, its phase, its name and its work, then why it stands there.</summary>
    public static IEnumerable<string> List()
    {
        foreach (var (number, step) in HardwareCompiler.Steps.Index())
        {
            yield return $"{number + 1,3}  {step.Phase,-9}  {step.Name,-16}  {step.Does}";
            yield return $"{"",34}{step.Place}";
        }
    }

    /// <summary>The name of a pass that the user gave, checked.</summary>
    /// <exception cref="CommandException">There is no such pass.</exception>
    public static string Check(string pass) => pass == All || Names.Contains(pass)
        ? pass
        : throw CommandException.Usage($"--dump: '{pass}' is none of {All}, {string.Join(", ", Names)}");

    /// <summary>Compiles once more, and writes the functions that each run of a pass leaves.</summary>
    /// <param name="pass">The name of the pass, or that of all.</param>
    /// <param name="folder">The folder of the Verilog.</param>
    /// <param name="compile">Compiles, and tells of each pass.</param>
    public static void Write(string pass, string folder, Action<PassObserver> compile)
    {
        var files = Path.Combine(folder, Folder);
        if (Directory.Exists(files)) Directory.Delete(files, recursive: true);
        Directory.CreateDirectory(files);
        var number = 0;
        compile((name, functions) =>
        {
            number++;
            if (pass != All && pass != name) return;
            File.WriteAllText(Path.Combine(files, $"{number:D3}-{name}.ir"), Printer.Print(functions));
        });
    }
}
