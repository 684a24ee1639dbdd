using Emu.Compiler.Rtl;
using Emu.Simulation;

namespace Emu.Tool.Tests;

/// <summary>A synthesis that fails or takes too long leaves the others, and what was recorded.</summary>
public sealed class CellCountTests
{
    private static readonly SynthesisFigures s_cells = new(10, 20, 0, 0, 0, 0, 5, 2000);
    private static readonly Design s_design = new("top");

    [Fact]
    public void What_synthesis_fails_with_or_does_not_end_with_is_named_and_the_others_are_counted()
    {
        var calls = 0;
        var count = new CellCount((_, _) => ++calls switch
        {
            1 => throw new SimulationException("yosys failed:\nERROR: out of memory"),
            2 => null,
            _ => s_cells,
        });
        Assert.Null(count.Of(s_design, "first"));
        Assert.Null(count.Of(s_design, "second"));
        Assert.Equal(s_cells, count.Of(s_design, "third"));
        Assert.Equal(["first", "second"], count.Failures.Keys);
        Assert.Equal("cells are not counted: yosys failed: ERROR: out of memory", count.Failures["first"]);
        Assert.Equal("cells are not counted: synthesis did not end in 30 minutes", count.Failures["second"]);
    }

    [Fact]
    public void A_circuit_that_could_not_be_measured_keeps_its_row_and_its_place()
    {
        var before = new RecordedHardware(
            "Yosys 1", [Row("A", "pipeline", 4, 100), Row("B", "pipeline", 5, 200), Row("B", "engine", 6, 300)]);
        var after = before.With(
            new HashSet<string> { "B", "C" },
            "Yosys 2",
            [Row("B", "engine", 7, 301), Row("C", "pipeline", 8, null)],
            new HashSet<string> { Row("B", "pipeline", 9, null).Name, "D, pipeline, 256 bit" },
            ["C", "A", "B"]);
        Assert.Equal("Yosys 2", after.Synthesis);
        Assert.Equal(
            [("C", 8L, null), ("A", 4L, 100), ("B", 5L, 200), ("B", 7L, 301)],
            after.Circuits.Select(row => (row.Service, row.Latency, row.Cells?.Lut)));
    }

    [Fact]
    public void Cells_that_were_not_counted_again_stay_beside_new_cycles()
    {
        var before = new RecordedHardware("Yosys 1", [Row("A", "pipeline", 4, 100)]);
        var after = before.With(
            new HashSet<string> { "A" }, null, [Row("A", "pipeline", 3, null)], new HashSet<string>(), ["A"]);
        Assert.Equal("Yosys 1", after.Synthesis);
        Assert.Equal((3L, 100), (after.Circuits[0].Latency, after.Circuits[0].Cells?.Lut));
    }

    private static HardwareFigures Row(string service, string layout, long latency, int? luts) => new(
        service, "", 256, layout, latency, new Dictionary<int, long?>(),
        luts is { } count ? s_cells with { Lut = count } : null);
}
