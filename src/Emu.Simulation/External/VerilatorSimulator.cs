using System.Security.Cryptography;
using System.Text;
using Emu.Compiler;

namespace Emu.Simulation;

/// <summary>A design's Verilog, compiled by Verilator.</summary>
public sealed class VerilatorSimulator : Simulator
{
    // What runs once is not worth optimising; what runs in each cycle, no more than soon pays.
    private static readonly string[] s_optimisation = ["OPT_FAST=-O1", "OPT_SLOW=-O0", "OPT_GLOBAL=-O1"];

    private readonly TemporaryFolder _folder = new();
    private readonly SimulationProcess? _process;
    private readonly BenchWords _words;

    /// <summary>Prints, builds and starts a design.</summary>
    /// <param name="design">Any design.</param>
    /// <param name="vcd">A file for the waveforms of all that has a name; null for none. A cycle is 10 ns; the rising edge is in its middle.</param>
    /// <param name="cache">A folder that keeps what was built for the next simulator of the same Verilog; null for none. It may be deleted at any time.</param>
    /// <exception cref="SimulationException">Verilator or a C++ compiler is not there, or does not take the design.</exception>
    public VerilatorSimulator(Design design, string? vcd = null, string? cache = null) : base(design)
    {
        if (WhyNot is { } whyNot) throw new SimulationException(whyNot);
        _words = new BenchWords(this);
        try
        {
            var program = Build(design, vcd is not null, cache);
            _process = new SimulationProcess("Verilator's program", _folder.FullName, program, vcd is null ? [] : [Path.GetFullPath(vcd)]);
            Answer();
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>Null when Verilator and what it needs are there, otherwise a sentence that says what is missing and how to get it.</summary>
    public static string? WhyNot => OutsideTool.WhyNot("Verilator", "verilator g++ make", "verilator", "g++", "make");

    /// <inheritdoc/>
    protected override void Edge()
    {
        _process!.Write(_words.Stimulus());
        Answer();
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _process?.Dispose();
        _folder.Dispose();
        base.Dispose(disposing);
    }

    private void Answer()
    {
        _process!.Read(_words.Response);
        _words.Show();
    }

    private string Build(Design design, bool isTraced, string? cache)
    {
        var (verilog, bench, main) = (VerilogPrinter.Print(design), VerilatorBench.Module(design), VerilatorBench.Main(design, isTraced));
        var version = OutsideTool.Run(_folder.FullName, "verilator", "--version").Output;
        var kept = cache is null ? null : new BuildCache(cache, $"verilator {version} traced {isTraced}");
        var key = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(verilog + bench + main)));
        if (kept?.Find(key) is { } built) return built;

        File.WriteAllText(_folder["design.v"], verilog);
        File.WriteAllText(_folder["bench.v"], bench);
        File.WriteAllText(_folder["main.cpp"], main);
        OutsideTool.MustRun(_folder.FullName, "verilator",
        [
            "--cc", "--exe", "-Wno-lint", "-Wno-style", "-Wno-fatal", .. isTraced ? (string[])["--trace"] : [],
            "--top-module", VerilatorBench.Name, "--prefix", VerilatorBench.Program, "-Mdir", "build",
            "design.v", "bench.v", "main.cpp",
        ]);
        kept?.CopyRuntime(_folder["build"]);
        OutsideTool.MustRun(_folder["build"], "make", ["-f", VerilatorBench.Program + ".mk", "-j", "2", .. s_optimisation]);
        kept?.Keep(key, _folder["build"], VerilatorBench.Program);
        return Path.Combine(_folder["build"], VerilatorBench.Program);
    }
}
