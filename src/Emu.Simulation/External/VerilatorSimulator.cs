using System.Security.Cryptography;
using System.Text;
using Emu.Compiler;

namespace Emu.Simulation;

/// <summary>A design's Verilog, compiled by Verilator.</summary>
public sealed class VerilatorSimulator : Simulator
{
    private const string Program = "Vbench";

    // The model itself is worth optimising; what runs once is not.
    private static readonly string[] s_optimisation = ["OPT_FAST=-O2", "OPT_SLOW=-O0", "OPT_GLOBAL=-O1"];

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
        var (verilog, bench, main) = (VerilogPrinter.Print(design), Bench(design), Main(isTraced));
        var version = OutsideTool.Run(_folder.FullName, "verilator", "--version").Output;
        var kept = cache is null ? null : new BuildCache(cache, $"verilator {version} traced {isTraced}");
        var key = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(verilog + bench + main)));
        if (kept?.Find(key) is { } built) return built;

        File.WriteAllText(_folder["design.v"], verilog);
        File.WriteAllText(_folder["bench.v"], bench);
        File.WriteAllText(_folder["main.cpp"], main);
        OutsideTool.MustRun(_folder.FullName, "verilator",
            ["--cc", "--exe", "-Wno-lint", "-Wno-style", "-Wno-fatal", .. isTraced ? (string[])["--trace"] : [], "--top-module", BenchName(design), "--prefix", Program, "-Mdir", "build", "design.v", "bench.v", "main.cpp"]);
        kept?.CopyRuntime(_folder["build"]);
        OutsideTool.MustRun(_folder["build"], "make", ["-f", Program + ".mk", "-j", "2", .. s_optimisation]);
        kept?.Keep(key, _folder["build"], Program);
        return Path.Combine(_folder["build"], Program);
    }

    private static string BenchName(Design design) => VerilogPrinter.ModuleName(design) + "_bench";

    private static string Bench(Design design) => $$"""
        `timescale 1ns / 1ps

        module {{BenchName(design)}} (
            input wire clk,
            input wire [{{64 * BenchWords.StimulusWords(design) - 1}}:0] stimulus,
            output wire [{{64 * BenchWords.ResponseWords(design) - 1}}:0] response
        );
            {{VerilogPrinter.ModuleName(design)}} dut (
        {{BenchWords.Connections(design)}}
            );

        {{BenchWords.Padding(design)}}endmodule

        """;

    private static string Main(bool isTraced) => (isTraced ? "#define TRACED 1\n" : "#define TRACED 0\n") + """
        #include <cstddef>
        #include <cstdint>
        #include <unistd.h>
        #include "Vbench.h"
        #include "verilated.h"
        #if TRACED
        #include "verilated_vcd_c.h"
        #endif

        static bool take(char* bytes, size_t count)
        {
            while (count > 0) {
                ssize_t got = read(0, bytes, count);
                if (got <= 0) return false;
                bytes += got;
                count -= got;
            }
            return true;
        }

        static bool give(const char* bytes, size_t count)
        {
            while (count > 0) {
                ssize_t given = write(1, bytes, count);
                if (given <= 0) return false;
                bytes += given;
                count -= given;
            }
            return true;
        }

        int main(int argc, char** argv)
        {
            VerilatedContext context;
            context.traceEverOn(TRACED);
            Vbench bench(&context);
            uint64_t now = 0;
            char* stimulus = reinterpret_cast<char*>(bench.stimulus.data());
            const char* response = reinterpret_cast<const char*>(bench.response.data());
            const size_t stimulus_size = sizeof(bench.stimulus);
            const size_t response_size = sizeof(bench.response);

        #if TRACED
            VerilatedVcdC trace;
            bench.trace(&trace, 99);
            trace.open(argv[1]);
        #endif
            bench.eval();
            while (give(response, response_size) && take(stimulus, stimulus_size)) {
                bench.clk = 0;
                bench.eval();
        #if TRACED
                trace.dump(now);
        #endif
                now += 5000;
                bench.clk = 1;
                bench.eval();
        #if TRACED
                trace.dump(now);
        #endif
                now += 5000;
            }
        #if TRACED
            trace.close();
        #endif
            bench.final();
            return 0;
        }

        """;
}
