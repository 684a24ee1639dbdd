using System.Text;
using Emu.Compiler.Rtl;

namespace Emu.Simulation;

/// <summary>A design's Verilog, compiled by Verilator.</summary>
public sealed class VerilatorSimulator : Simulator
{
    private readonly SimulationProcess _process;
    private readonly BenchWords _words;

    /// <summary>Prints, builds and starts a design.</summary>
    /// <param name="design">Any design.</param>
    /// <param name="vcd">
    /// A file for the waveforms of all that has a name; null for none. A cycle is 10 ns;
    /// the rising edge is in its middle.
    /// </param>
    /// <param name="cache">
    /// A folder that keeps what was built for the next simulator of the same Verilog; null for none.
    /// It may be deleted at any time.
    /// </param>
    /// <exception cref="SimulationException">
    /// Verilator or a C++ compiler is not there, or does not take the design.
    /// </exception>
    public VerilatorSimulator(Design design, string? vcd = null, string? cache = null) : base(design)
    {
        using var build = new VerilatorBuild([design], vcd is not null, runsLong: true, cache);
        (_process, _words) = (build.Start(0, vcd), new BenchWords(this));
        Begin();
    }

    private VerilatorSimulator(Design design, SimulationProcess process) : base(design)
    {
        (_process, _words) = (process, new BenchWords(this));
        Begin();
    }

    /// <summary>
    /// The folder that EMU_VERILATOR_CACHE names, which several programs can share; if it is not set, one beside this
    /// program.
    /// </summary>
    public static string CacheOfTests { get; } = Environment.GetEnvironmentVariable("EMU_VERILATOR_CACHE")
        ?? Path.Combine(AppContext.BaseDirectory, "verilator-cache");

    /// <summary>
    /// Null when Verilator and what it needs are there, otherwise a sentence that says what is missing
    /// and how to get it.
    /// </summary>
    public static string? WhyNot => OutsideTool.WhyNot("Verilator", "verilator g++ make", "verilator", "g++", "make");

    /// <summary>
    /// Prints and builds designs as one program, which takes less time than one by one, and starts each.
    /// It is built quickly, for runs of some thousands of cycles.
    /// </summary>
    /// <param name="designs">The designs, at least one; no two have the same name.</param>
    /// <param name="cache">A folder that keeps what was built, as for one design; null for none.</param>
    /// <returns>A simulator for each, in order.</returns>
    /// <exception cref="SimulationException">
    /// Verilator or a C++ compiler is not there, or does not take the designs.
    /// </exception>
    public static IReadOnlyList<VerilatorSimulator> OfAll(IReadOnlyList<Design> designs, string? cache = null)
    {
        ArgumentNullException.ThrowIfNull(designs);
        ArgumentOutOfRangeException.ThrowIfZero(designs.Count);
        using var build = new VerilatorBuild(designs, isTraced: false, runsLong: false, cache);
        return [.. designs.Select((design, i) => new VerilatorSimulator(design, build.Start(i, vcd: null)))];
    }

    /// <inheritdoc/>
    protected override void Edge()
    {
        _process.Write(_words.Stimulus());
        Answer();
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _process.Dispose();
        base.Dispose(disposing);
    }

    private void Begin()
    {
        try
        {
            Answer();
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    private void ReadPrinted()
    {
        var length = new byte[sizeof(long)];
        _process.Read(length);
        var text = new byte[BitConverter.ToInt64(length)];
        _process.Read(text);
        Printed = Encoding.UTF8.GetString(text);
    }

    private void Answer()
    {
        if (VerilatorBench.Prints(Design)) ReadPrinted();
        _process.Read(_words.Response);
        _words.Show();
    }
}
