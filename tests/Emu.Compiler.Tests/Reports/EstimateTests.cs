using Emu.Compiler.Layouts;
using Emu.Compiler.Reports;
using Emu.Compiler.Reports.Size;
using Emu.Estimate;
using Emu.Simulation;

namespace Emu.Compiler.Tests;

/// <summary>
/// LUTs and DSPs within a third of what synthesis finds, for services that nobody tuned and for those of
/// the repository, its samples among them.
/// </summary>
public sealed class EstimateTests
{
    private const int OneOf = 5;

    /// <summary>Circuits of bench/hardware.json, by their place there; one of a few but in <c>--all</c>.</summary>
    public static TheoryData<int, string> Recorded
    {
        get
        {
            var data = new TheoryData<int, string>();
            foreach (var (i, circuit) in RecordedCircuit.All.Index())
            {
                if (circuit.Cells("lut") is null || !Tier.IsAll && i % OneOf != 0) continue;
                data.Add(i, $"{circuit.Service}, {circuit.Layout}");
            }
            return data;
        }
    }

    /// <summary>
    /// Multiplications of several widths, a table, headers, and an engine; all samples: ./emu bench estimate.
    /// </summary>
    [Theory]
    [InlineData("MixedSpread, Pipeline", Traits = ["tier", "campaign"])]
    [InlineData("TokenBuckets, Pipeline")]
    [InlineData("OneHop, Pipeline", Traits = ["tier", "campaign"])]
    [InlineData("ScaledChoice, Pipeline", Traits = ["tier", "campaign"])]
    [Slow("Yosys")]
    public void Of_a_service_that_nobody_tuned(string name)
    {
        if (Synthesis.WhyNot is { } why) Assert.Skip(why);
        var circuit = Sample.All.Single(sample => sample.Name == name).Compile();
        var found = Synthesis.Run(circuit.Design);
        AssertNear(circuit, found.Lut, found.Dsp);
    }

    [Theory]
    [MemberData(nameof(Recorded))]
    [Slow("time")]
    public void Of_a_service_of_the_repository(int place, string name)
    {
        var recorded = RecordedCircuit.All[place];
        Assert.StartsWith(recorded.Service, name, StringComparison.Ordinal);
        var options = new HardwareOptions { BusBits = recorded.BusBits };
        var layout = recorded.Layout == Layout.Pipeline ? (Layout?)null : recorded.Layout;
        var circuit = HardwareCompiler.Compile(recorded.Construct(), options, layout).Circuit;
        if (circuit.Design.Cores.Any()) Assert.Skip("what a module of its own takes is not estimated");
        AssertNear(circuit, recorded.Cells("lut")!.Value, recorded.Cells("dsp")!.Value);
    }

    /// <summary>
    /// Wide products are several DSPs, of which those count whose bits are asked for; a shift is none.
    /// </summary>
    [Theory]
    [InlineData(8, 8, 16, 1)]
    [InlineData(17, 24, 41, 1)]
    [InlineData(18, 24, 42, 2)]
    [InlineData(25, 17, 42, 2)]
    [InlineData(32, 32, 32, 3)]
    [InlineData(32, 32, 64, 4)]
    [InlineData(64, 64, 64, 10)]
    [InlineData(64, 64, 128, 16)]
    [InlineData(4, 4, 8, 0)]
    public void A_product_is_DSPs(int first, int second, int bits, int dsps) =>
        Assert.Equal(
            dsps, Multiplier.Product(new Factor(first, false, null), new Factor(second, false, null), bits).Dsps);

    private static void AssertNear(Circuit circuit, int luts, int dsps)
    {
        var estimated = Resources.Of(circuit.Design, Cost.Of(circuit));
        Assert.InRange(estimated.Luts, 2 * luts / 3, 4 * luts / 3);
        Assert.InRange(estimated.Dsps, (2 * dsps + 2) / 3, 4 * dsps / 3);
    }
}
