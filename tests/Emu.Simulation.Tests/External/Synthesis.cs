using System.Diagnostics;
using System.Text.RegularExpressions;
using Emu.Compiler.Rtl;
using Emu.Compiler.Verilog;

namespace Emu.Simulation.Tests.External;

/// <summary>The cells that Yosys makes of a design for a Xilinx device.</summary>
internal static partial class Synthesis
{
    private static readonly TimeSpan s_longest = TimeSpan.FromMinutes(30);

    public static string? WhyNot => Lint.WhyNot;

    /// <summary>The cells and how many of each.</summary>
    public static Dictionary<string, int> Cells(Design design)
    {
        var file = Path.GetTempFileName();
        try
        {
            File.WriteAllText(file, VerilogPrinter.Print(design));
            var script = $"read_verilog {file}; synth_xilinx -family xc7 -noiopad -top {design.Name}; stat";
            var start = new ProcessStartInfo("yosys", ["-p", script]) { RedirectStandardOutput = true };
            using var process = Process.Start(start)!;
            var output = process.StandardOutput.ReadToEndAsync();
            if (!process.WaitForExit(s_longest)) process.Kill();
            Assert.Equal(0, process.ExitCode);
            var statistics = output.Result[output.Result.LastIndexOf("Number of cells:", StringComparison.Ordinal)..];
            return CellLine()
                .Matches(statistics).ToDictionary(m => m.Groups[1].Value, m => int.Parse(m.Groups[2].Value));
        }
        finally
        {
            File.Delete(file);
        }
    }

    [GeneratedRegex(@"^ +([A-Z][A-Z0-9_]+) +(\d+)$", RegexOptions.Multiline)]
    private static partial Regex CellLine();
}
