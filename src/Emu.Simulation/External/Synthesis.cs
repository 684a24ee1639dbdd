using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using Emu.Compiler.Rtl;
using Emu.Compiler.Verilog;

namespace Emu.Simulation;

/// <summary>
/// Synthesis of a design by Yosys, the same for every design: what it costs, and how deep its logic is.
/// </summary>
public static partial class Synthesis
{
    /// <summary>The recipe, but for the design's own names.</summary>
    public const string Recipe = "synth_xilinx -family xc7 -flatten -noiopad";

    /// <summary>The cells that make up a path.</summary>
    private const string Combinational = "t:LUT* t:MUXF* t:CARRY4 t:INV";

    /// <summary>The name of a file of synthesised cells.</summary>
    private const string Cells = "cells.v";

    private static readonly TimeSpan s_longest = TimeSpan.FromMinutes(30);

    /// <summary>
    /// The time that timing analysis is given. It takes seconds, and would go on for ever where logic goes round.
    /// </summary>
    private static readonly TimeSpan s_longestAnalysis = TimeSpan.FromMinutes(2);

    /// <summary>LUTs of a SLICEM that a distributed RAM occupies (Xilinx UG474, table 2-3).</summary>
    private static readonly Dictionary<string, int> s_lutsOfRam = new[]
    {
        ("RAM16X1D", 2), ("RAM32X1S", 1), ("RAM32X1D", 2), ("RAM64X1S", 1), ("RAM64X1D", 2), ("RAM128X1S", 2),
        ("RAM128X1D", 4), ("RAM256X1S", 4), ("RAM32M", 4), ("RAM64M", 4), ("RAM32M16", 8), ("RAM64M8", 8),
    }.ToDictionary();

    /// <summary>Null when Yosys is there, otherwise a sentence that says how to get it.</summary>
    public static string? WhyNot => OutsideTool.WhyNot("synthesis", "yosys", "yosys");

    /// <summary>The program and its version: figures of different ones are not to be compared.</summary>
    /// <exception cref="SimulationException">Yosys is missing.</exception>
    public static string Tool
    {
        get
        {
            if (WhyNot is { } whyNot) throw new SimulationException(whyNot);
            var (_, output) = OutsideTool.Run(Path.GetTempPath(), "yosys", "-V");
            return string.Join(' ', output.Split(' ').Take(2)).Trim();
        }
    }

    /// <summary>Synthesises a design. It takes a few minutes for a large one.</summary>
    /// <param name="design">Any design.</param>
    /// <exception cref="SimulationException">Yosys is missing or fails, or takes more than half an hour.</exception>
    public static SynthesisFigures Run(Design design) =>
        Run(design, s_longest)
        ?? throw new SimulationException($"yosys did not end in {s_longest.TotalMinutes:0} minutes");

    /// <summary>Synthesises a design if that can be done in a limited time.</summary>
    /// <param name="design">Any design.</param>
    /// <param name="limit">After which Yosys is ended.</param>
    /// <returns>Null when it would have taken longer.</returns>
    /// <exception cref="SimulationException">Yosys is missing or fails.</exception>
    public static SynthesisFigures? Run(Design design, TimeSpan limit)
    {
        ArgumentNullException.ThrowIfNull(design);
        if (WhyNot is { } whyNot) throw new SimulationException(whyNot);
        using var folder = new TemporaryFolder();
        var top = VerilogPrinter.ModuleName(design);
        File.WriteAllText(folder["design.v"], VerilogPrinter.Print(design));
        // The path is looked for among combinational cells and their wires; %u joins the selections,
        // one less than there are.
        File.WriteAllLines(folder["run.ys"],
        [
            "read_verilog design.v",
            $"hierarchy -check -top {top}",
            .. Steps(design, $"{Recipe} -top {top}"),
            "tee -q -o stat.json stat -json",
            $"tee -q -o path.txt ltp -noff w:* {Combinational} %u %u %u %u",
            $"write_verilog -noattr {Cells}",
        ]);
        if (OutsideTool.RunWithin(limit, folder.FullName, "yosys", "-q", "-s", "run.ys") is not { } ended) return null;
        OutsideTool.EnsureSuccess("yosys", ended);
        using var cells = JsonDocument.Parse(File.ReadAllText(folder["stat.json"]));
        return Figures(
            cells.RootElement.GetProperty("design").GetProperty("num_cells_by_type"),
            File.ReadAllText(folder["path.txt"]), Arrival(folder, top));
    }

    /// <summary>
    /// The commands of the recipe. For Verilog of another compiler its step <c>coarse</c> is spelled out, as
    /// <c>help synth_xilinx</c> lists it, so that reads of neighbouring words do not become wider ones: there Yosys
    /// 0.23 breaks down on arrays that many states read. Where no array is read so, both give the same cells.
    /// </summary>
    private static string[] Steps(Design design, string recipe) => design.Source is null
        ? [recipe]
        :
        [
            $"{recipe} -run begin:coarse",
            "techmap -map +/cmp2lut.v -map +/cmp2lcu.v -D LUT_WIDTH=6",
            "alumacc",
            "share",
            "opt",
            "memory -nomap -nowiden",
            "opt_clean",
            $"{recipe} -run map_memory:",
        ];

    /// <summary>
    /// The time of the longest path of a design, from the edge that launches it, in picoseconds without any wiring:
    /// static timing analysis of the synthesised cells.
    /// </summary>
    /// <param name="design">Any design.</param>
    /// <exception cref="SimulationException">Yosys is missing or fails, or takes more than half an hour.</exception>
    public static int LongestPath(Design design)
    {
        ArgumentNullException.ThrowIfNull(design);
        if (WhyNot is { } whyNot) throw new SimulationException(whyNot);
        using var folder = new TemporaryFolder();
        var top = VerilogPrinter.ModuleName(design);
        File.WriteAllText(folder["design.v"], VerilogPrinter.Print(design));
        File.WriteAllLines(folder["run.ys"],
        [
            "read_verilog design.v",
            $"hierarchy -check -top {top}",
            $"{Recipe} -abc9 -top {top}",
            $"write_verilog -noattr {Cells}",
        ]);
        OutsideTool.MustRun(folder.FullName, "yosys", "-q", "-s", "run.ys");
        return Arrival(folder, top)
            ?? throw new SimulationException($"yosys did not end in {s_longestAnalysis.TotalMinutes:0} minutes");
    }

    /// <summary>
    /// The latest arrival at a cell that ends a path, with its set-up time; null when that is not found in time.
    /// </summary>
    private static int? Arrival(TemporaryFolder folder, string top)
    {
        // Directly behind synthesis, Yosys 0.23 knows no way through carry cells, wide multiplexers and RAMs: the
        // netlist is read back behind the cells' descriptions. It keeps arrivals as the text of a wire's attribute, so
        // wires of one bit are much faster. A buffer of the clock delays both ends of a path.
        File.WriteAllText(
            folder["unbuffered.v"], "module BUFG(output O, input I); assign O = I; endmodule\n");
        File.WriteAllLines(folder["time.ys"],
        [
            "read_verilog -lib -specify +/xilinx/cells_sim.v",
            $"read_verilog {Cells}",
            $"hierarchy -top {top}",
            "techmap -map unbuffered.v",
            "splitnets",
            "tee -q -o time.txt sta",
        ]);
        if (OutsideTool.RunWithin(s_longestAnalysis, folder.FullName, "yosys", "-q", "-s", "time.ys") is not { } ended)
            return null;
        OutsideTool.EnsureSuccess("yosys", ended);
        var path = File.ReadAllText(folder["time.txt"]);
        var arrival = LatestArrival().Match(path);
        return arrival.Success
            ? int.Parse(arrival.Groups[1].Value, CultureInfo.InvariantCulture)
            : throw new SimulationException($"yosys says nothing of the latest arrival:\n{OutsideTool.First(path)}");
    }

    private static SynthesisFigures Figures(JsonElement cells, string path, int? picoseconds)
    {
        var counts = cells.EnumerateObject().ToDictionary(cell => cell.Name, cell => cell.Value.GetInt32());
        int Sum(Regex type) => counts.Where(cell => type.IsMatch(cell.Key)).Sum(cell => cell.Value);
        var length = PathLength().Match(path);
        if (!length.Success)
            throw new SimulationException($"yosys says nothing of the longest path:\n{OutsideTool.First(path)}");
        return new SynthesisFigures(
            Sum(Lut()),
            Sum(FlipFlop()),
            counts.Sum(cell => s_lutsOfRam.GetValueOrDefault(cell.Key) * cell.Value),
            Sum(ShiftRegister()),
            18 * counts.GetValueOrDefault("RAMB18E1") + 36 * counts.GetValueOrDefault("RAMB36E1"),
            counts.GetValueOrDefault("DSP48E1"),
            int.Parse(length.Groups[1].Value, CultureInfo.InvariantCulture),
            picoseconds);
    }

    [GeneratedRegex("^LUT[1-6]$")]
    private static partial Regex Lut();

    [GeneratedRegex("^(FD[RCSP]E(_1)?|LD[CP]E)$")]
    private static partial Regex FlipFlop();

    [GeneratedRegex("^SRL(16E|C16E|C32E)$")]
    private static partial Regex ShiftRegister();

    [GeneratedRegex(@"Latest arrival time in '[^']*' is (\d+)")]
    private static partial Regex LatestArrival();

    [GeneratedRegex(@"length=(\d+)")]
    private static partial Regex PathLength();
}
