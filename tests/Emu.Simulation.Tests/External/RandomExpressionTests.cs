namespace Emu.Simulation.Tests.External;

/// <summary>Random designs do in Verilog what the contract says, and no tool warns of them.</summary>
[Slow("Icarus, Verilator, Yosys")]
public sealed class RandomExpressionTests
{
    [Fact]
    public void Random_operations()
    {
        var design = new RandomExpressions(seed: 1).Build(Tier.IsAll ? 250 : 100);
        Lockstep.Check(design, 200, (simulator, cycle) =>
        {
            var random = new Random(cycle);
            simulator.IsInReset = random.Next(20) == 0;
            foreach (var input in design.Inputs) simulator.Set(input.Name, Numbers.Next(random, input.Width));
        });
    }

    [Fact]
    public void Lint_of_many()
    {
        if (Lint.WhyNot is { } whyNot) Assert.Skip(whyNot);
        for (var seed = 10; seed < (Tier.IsAll ? 20 : 14); seed++)
            Assert.Empty(Lint.Run(new RandomExpressions(seed).Build(120)));
    }
}
