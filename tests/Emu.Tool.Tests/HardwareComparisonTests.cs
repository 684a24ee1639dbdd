using Emu.Simulation;

namespace Emu.Tool.Tests;

/// <summary>The bounds of <c>emu bench hardware --check</c>.</summary>
public sealed class HardwareComparisonTests
{
    private const string Yosys = "Yosys 0.23";

    private static readonly HardwareFigures s_recorded = new(
        "Switch", "", 256, "pipeline", 4, new Dictionary<int, long?> { [60] = 2 },
        new SynthesisFigures(
            Lut: 1000, Ff: 2000, LutRam: 8, Srl: 3, BlockRamKbit: 36, Dsp: 1, Depth: 10, Picoseconds: 4000));

    [Theory]
    [InlineData(1010, 2020, 11)]
    [InlineData(990, 1980, 9)]
    public void Cells_within_one_per_cent_and_one_level_are_as_recorded(int luts, int flops, int depth)
    {
        var compared = Compare(s_recorded with
        {
            Cells = s_recorded.Cells! with { Lut = luts, Ff = flops, Depth = depth },
        });
        Assert.False(compared.IsWorse);
        Assert.Empty(compared.Changes);
    }

    [Theory]
    [InlineData(1011, 2000, 10, "worse: Switch, pipeline, 256 bit: LUT 1000 -> 1011")]
    [InlineData(1000, 2021, 10, "worse: Switch, pipeline, 256 bit: FF 2000 -> 2021")]
    [InlineData(1000, 2000, 12, "worse: Switch, pipeline, 256 bit: depth 10 -> 12")]
    [InlineData(989, 2000, 10, "better: Switch, pipeline, 256 bit: LUT 1000 -> 989")]
    public void Others_are_said_and_more_of_anything_is_worse(int luts, int flops, int depth, string change)
    {
        var compared = Compare(s_recorded with
        {
            Cells = s_recorded.Cells! with { Lut = luts, Ff = flops, Depth = depth },
        });
        Assert.Equal(change.StartsWith("worse", StringComparison.Ordinal), compared.IsWorse);
        Assert.Equal([change], compared.Changes);
    }

    [Fact]
    public void A_cycle_more_is_worse_and_so_is_a_RAM_or_a_DSP()
    {
        Assert.True(Compare(s_recorded with { Latency = 5 }).IsWorse);
        Assert.True(Compare(s_recorded with { Interval = new Dictionary<int, long?> { [60] = 3 } }).IsWorse);
        Assert.True(Compare(s_recorded with { Cells = s_recorded.Cells! with { Dsp = 2 } }).IsWorse);
        Assert.True(Compare(s_recorded with { Cells = s_recorded.Cells! with { BlockRamKbit = 54 } }).IsWorse);
    }

    /// <summary>Picoseconds that synthesis did not come to an end with are compared with nothing.</summary>
    [Theory]
    [InlineData(4400, null)]
    [InlineData(4401, "worse: Switch, pipeline, 256 bit: logic, ps 4000 -> 4401")]
    [InlineData(3599, "better: Switch, pipeline, 256 bit: logic, ps 4000 -> 3599")]
    [InlineData(null, null)]
    public void Picoseconds_are_as_recorded_within_a_tenth(int? picoseconds, string? change)
    {
        var compared = Compare(s_recorded with { Cells = s_recorded.Cells! with { Picoseconds = picoseconds } });
        Assert.Equal(change?.StartsWith("worse", StringComparison.Ordinal) ?? false, compared.IsWorse);
        Assert.Equal(change is null ? [] : [change], compared.Changes);
    }

    /// <summary>A path of 4 ns, and as much wire, is the period of 125 MHz.</summary>
    [Fact]
    public void A_path_with_its_wiring_is_a_clock_in_the_table()
    {
        Assert.EndsWith("| 10 | 4000 | 125 |", Compare(s_recorded).Table().Last());
        var unknown = s_recorded with { Cells = s_recorded.Cells! with { Picoseconds = null } };
        Assert.EndsWith("| 10 | – | – |", Compare(unknown).Table().Last());
    }

    private static HardwareComparison Compare(HardwareFigures measured) =>
        new(new RecordedHardware(Yosys, [s_recorded]), [measured], Yosys);
}
