using Emu.Compiler.Rtl;
using Emu.Compiler.Verilog;

namespace Emu.Simulation;

/// <summary>Runs the tools of the field over a design's Verilog for their warnings.</summary>
public static class Lint
{
    /// <summary>
    /// Null when all three tools are there, otherwise a sentence that says what is missing and how to get it.
    /// </summary>
    public static string? WhyNot =>
        OutsideTool.WhyNot("Lint", "verilator iverilog yosys", "verilator", "iverilog", "yosys");

    /// <summary>Runs Verilator with all its warnings, Icarus Verilog with all of its, and Yosys' check.</summary>
    /// <param name="design">Any design.</param>
    /// <returns>The lines they wrote, each with the name of the tool before it; none when nothing is wrong.</returns>
    /// <exception cref="SimulationException">A tool is missing.</exception>
    public static IReadOnlyList<string> Run(Design design)
    {
        if (WhyNot is { } whyNot) throw new SimulationException(whyNot);
        using var folder = new TemporaryFolder();
        var file = VerilogPrinter.ModuleName(design) + ".v";
        File.WriteAllText(folder[file], VerilogPrinter.Print(design));
        return
        [
            .. Said(folder, "verilator", "--lint-only", "-Wall", file),
            .. Said(folder, "iverilog", "-g2005", "-Wall", "-t", "null", file),
            .. Said(
                folder, "yosys", "-q", "-p",
                $"read_verilog {file}; hierarchy -check -top {VerilogPrinter.ModuleName(design)}; proc; check -assert"),
        ];
    }

    /// <summary>
    /// The warnings of Yosys when it synthesises a design, up to the step that maps it to the cells of a device.
    /// </summary>
    /// <param name="design">Any design.</param>
    /// <returns>The lines; none when nothing is wrong.</returns>
    /// <exception cref="SimulationException">A tool is missing.</exception>
    public static IReadOnlyList<string> Synthesise(Design design)
    {
        if (WhyNot is { } whyNot) throw new SimulationException(whyNot);
        using var folder = new TemporaryFolder();
        File.WriteAllText(folder["design.v"], VerilogPrinter.Print(design));
        return [.. Said(
            folder, "yosys", "-q", "-p",
            $"read_verilog design.v; synth -top {VerilogPrinter.ModuleName(design)} -run begin:fine")];
    }

    private static IEnumerable<string> Said(TemporaryFolder folder, string tool, params IEnumerable<string> arguments)
    {
        var (exitCode, output) = OutsideTool.Run(folder.FullName, tool, arguments);
        var lines = output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        return (exitCode != 0 && lines.Length == 0 ? [$"exit code {exitCode}"] : lines)
            .Select(line => $"{tool}: {line}");
    }
}
