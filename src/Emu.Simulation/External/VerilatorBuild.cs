using System.Security.Cryptography;
using System.Text;
using Emu.Compiler.Rtl;
using Emu.Compiler.Verilog;

namespace Emu.Simulation;

/// <summary>The program that Verilator makes of designs. Its files may go once it runs.</summary>
internal sealed class VerilatorBuild : IDisposable
{
    // Code that runs once is not worth optimising.
    // With -fno-expand wide operations stay calls: the build is three times as quick.
    private static readonly BuildOptions s_forLongRuns = new("-O1", ["-j", "2"]);

    // One file, so that headers are read once, and not optimised, is built in a third of the time.
    private static readonly BuildOptions s_forShortRuns = new("-O0", ["VM_PARALLEL_BUILDS=0"]);

    private readonly TemporaryFolder _folder = new();
    private readonly string _program;

    public VerilatorBuild(IReadOnlyList<Design> designs, bool isTraced, bool runsLong, string? cache)
    {
        if (VerilatorSimulator.WhyNot is { } whyNot) throw new SimulationException(whyNot);
        try
        {
            _program = Build(designs, isTraced, runsLong, cache);
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>Starts the program for one of the designs.</summary>
    public SimulationProcess Start(int design, string? vcd) =>
        new(
            "Verilator's program",
            _folder.FullName,
            _program,
            vcd is null ? [$"{design}"] : [$"{design}", Path.GetFullPath(vcd)]);

    /// <inheritdoc/>
    public void Dispose() => _folder.Dispose();

    private string Build(IReadOnlyList<Design> designs, bool isTraced, bool runsLong, string? cache)
    {
        var verilog = string.Concat(designs.Select(VerilogPrinter.PrintForSimulation));
        var (bench, main) = (VerilatorBench.Module(designs), VerilatorBench.Main(designs, isTraced));
        var version = OutsideTool.Run(_folder.FullName, "verilator", "--version").Output;
        var kept = cache is null
            ? null
            : new BuildCache(cache, $"verilator {version} traced {isTraced} long {runsLong}");
        var key = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(verilog + bench + main)));
        if (kept?.Find(key) is { } built) return built;

        File.WriteAllText(_folder["design.v"], verilog);
        File.WriteAllText(_folder["bench.v"], bench);
        File.WriteAllText(_folder["main.cpp"], main);
        OutsideTool.MustRun(_folder.FullName, "verilator",
        [
            "--cc", "--exe", "-Wno-lint", "-Wno-style", "-Wno-fatal", "-fno-expand",
            .. isTraced ? (string[])["--trace"] : [], "--top-module", VerilatorBench.Name, "--prefix",
            VerilatorBench.Program, "-Mdir", "build", "design.v", "bench.v", "main.cpp",
        ]);
        using var held = kept?.WhileRuntimeIsBuilt();
        kept?.CopyRuntime(_folder["build"]);
        var (level, options) = runsLong ? s_forLongRuns : s_forShortRuns;
        var headers = kept is null ? "" : $" -include '{Headers(kept, isTraced, level)}'";
        Make(VerilatorBench.Program, $"OPT_FAST={level}{headers}", ["OPT_SLOW=-O0", "OPT_GLOBAL=-O1", .. options]);
        kept?.Keep(key, _folder["build"], VerilatorBench.Program);
        return Path.Combine(_folder["build"], VerilatorBench.Program);
    }

    /// <summary>
    /// The headers of Verilator's runtime, compiled before: to read them is most of a small build.
    /// </summary>
    private string Headers(BuildCache kept, bool isTraced, string level)
    {
        const string header = "runtime.h", makefile = "headers";
        if (kept.Header(header) is { } ready) return ready;

        File.WriteAllText(_folder["build/" + header], VerilatorBench.Includes(isTraced));
        File.WriteAllText(
            _folder[$"build/{makefile}.mk"],
            $"include {VerilatorBench.Program}.mk\n{header}{BuildCache.Compiled}: {header}\n"
            + "\t$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(OPT_FAST) -x c++-header -o $@ $<\n");
        Make(makefile, $"OPT_FAST={level}", [header + BuildCache.Compiled]);
        return kept.KeepHeader(_folder["build"], header);
    }

    private void Make(string makefile, string fast, string[] others) =>
        OutsideTool.MustRun(_folder["build"], "make", ["-f", makefile + ".mk", fast, .. others]);

    /// <param name="Level">How much the code is optimised that runs often.</param>
    /// <param name="Others">For make.</param>
    private sealed record BuildOptions(string Level, string[] Others);
}
