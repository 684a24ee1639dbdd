using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation.Tests.External;

[Slow("Icarus, Verilator, Yosys")]
public sealed class VerilatorBuildTests
{
    [Fact]
    public void Designs_that_are_built_together_run_apart()
    {
        if (VerilatorSimulator.WhyNot is { } whyNot) Assert.Skip(whyNot);
        Design[] designs = [Scaled("by_three", 3, 8), Scaled("by_five", 5, 100)];
        var simulators = VerilatorSimulator.OfAll(designs, VerilatorSimulator.CacheOfTests);
        for (var i = 0; i < designs.Length; i++)
        {
            using var both = new LockstepSimulator(new ManagedSimulator(designs[i]), simulators[i]);
            both.IsInReset = false;
            for (var cycle = 0UL; cycle < 20; cycle++)
            {
                both.Input("a")[0] = cycle;
                both.Step();
            }
            Assert.Equal(19UL * (i == 0 ? 3UL : 5UL), both.Output("product")[0]);
        }
    }

    private static Design Scaled(string name, int factor, int width)
    {
        var input = new InputPort("a", width);
        var product = new Flop("product_reg", width, null);
        product.Set(new Operation(Opcode.Multiply, width, input.All(), Rtl.Number(width, (UInt128)factor)));
        return Rtl.Of(name, [input], [new OutputPort("product", product)], product);
    }
}
