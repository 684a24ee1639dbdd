using Emu.Compiler.Layouts;
using Emu.Compiler.Reports;
using Emu.Services;

namespace Emu.Compiler.Tests;

/// <summary>Two reports beside each other, one of them from its file.</summary>
public sealed class ReportComparisonTests
{
    [Fact]
    public void A_report_is_read_as_it_was_written()
    {
        var text = Report().ToJson();
        Assert.Equal(text, CompileReport.FromJson(text).ToJson());
    }

    [Theory]
    [InlineData("")]
    [InlineData("null")]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("""{ "service": "S" }""")]
    public void Another_text_is_none(string text) =>
        Assert.Throws<FormatException>(() => CompileReport.FromJson(text));

    [Fact]
    public void A_report_does_not_differ_from_itself()
    {
        var comparison = ReportComparison.Of(Report(), Report());
        Assert.DoesNotContain(comparison.Figures, pair => pair.IsChanged);
        Assert.Empty(comparison.Gone);
        Assert.Empty(comparison.Added);
    }

    [Fact]
    public void Figures_and_reasons_that_differ_are_named()
    {
        var before = Report();
        var after = before with
        {
            LatencyCycles = 5,
            IntervalCycles = new Dictionary<int, long> { [60] = 2, [128] = 4 },
            Resources = before.Resources with { Luts = 1234 },
            BoundedBy = [new Bound("S.cs", 3, "the bus", "")],
        };
        var comparison = ReportComparison.Of(before, after);
        Assert.Equal(
            [
                new FigurePair("latency, cycles", "4", "5"),
                new FigurePair("interval of 60 bytes, cycles", "3", "2"),
                new FigurePair("interval of 128 bytes, cycles", "–", "4"),
                new FigurePair("LUT, about", "1,000", "1,234"),
            ],
            comparison.Figures.Where(pair => pair.IsChanged));
        Assert.Equal(["bounded by: a loop"], comparison.Gone);
        Assert.Equal(["bounded by: the bus"], comparison.Added);
    }

    /// <summary>A line that moved is no other reason.</summary>
    [Fact]
    public void A_reason_at_another_line_is_the_same()
    {
        var after = Report() with { BoundedBy = [new Bound("S.cs", 40, "a loop", "unroll it")] };
        Assert.Empty(ReportComparison.Of(Report(), after).Added);
    }

    private static CompileReport Report()
    {
        var compiled = HardwareCompiler.Compile(new LearningSwitch(), new HardwareOptions());
        return new CompileReport
        {
            Service = "S",
            Arguments = ["--a"],
            Top = "s",
            Files = ["s.v"],
            BusBits = 256,
            Ports = 4,
            Mtu = 1500,
            Device = "7series",
            ClockMhz = 200,
            LogicPicoseconds = 4400,
            LogicLevels = 11,
            Layout = "pipeline",
            LatencyCycles = 4,
            IntervalCycles = new Dictionary<int, long> { [60] = 3 },
            Measurement = new MeasurementNote(
                "managed", "frames", 60, 4, null, [60], 1, 2,
                [new KindNote("frames", 60, 1, 4, new Dictionary<int, long> { [60] = 3 }, "pipeline")], "method"),
            SlowPath = [new SlowPathNote("S.cs", 1, "a reason", 1, 1, null, 7)],
            BoundedBy = [new Bound("S.cs", 3, "a loop", "unroll it")],
            Stages = Stage.Of(compiled.Circuit.Design),
            Steps = Step.Of(compiled.Circuit, new Dictionary<int, IReadOnlyList<long>>()),
            Costs = Cost.Of(compiled.Circuit),
            Resources = new Resources(1, 1, 1000, 1),
            Registers = compiled.Circuit.Registers,
            Diagnostics = [new Diagnostic("EMU0028", "S.cs", 2, "long")],
        };
    }
}
