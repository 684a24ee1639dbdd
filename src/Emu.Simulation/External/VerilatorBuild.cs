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
    private static readonly string[] s_forLongRuns = ["-j", "2", "OPT_FAST=-O1", "OPT_SLOW=-O0", "OPT_GLOBAL=-O1"];

    // One file, so that headers are read once, and not optimised, is built in a third of the time.
    private static readonly string[] s_forShortRuns =
    [
        "VM_PARALLEL_BUILDS=0", "OPT_FAST=-O0", "OPT_SLOW=-O0", "OPT_GLOBAL=-O1",
    ];

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
        var verilog = string.Concat(designs.Select(VerilogPrinter.Print));
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
        kept?.CopyRuntime(_folder["build"]);
        OutsideTool.MustRun(
            _folder["build"],
            "make",
            ["-f", VerilatorBench.Program + ".mk", .. runsLong ? s_forLongRuns : s_forShortRuns]);
        kept?.Keep(key, _folder["build"], VerilatorBench.Program);
        return Path.Combine(_folder["build"], VerilatorBench.Program);
    }
}
