using Emu.Compiler.Rtl;
using Emu.Compiler.Verilog;

namespace Emu.Simulation.Tests.External;

/// <summary>Runs a design in the outside simulators and by the contract, cycle by cycle.</summary>
internal static class Lockstep
{
    /// <summary>Compares all outputs at power-up and after each edge, and asks what lint says.</summary>
    /// <param name="design">Any design.</param>
    /// <param name="cycles">The number of edges.</param>
    /// <param name="drive">Sets the inputs before an edge; the cycle is its argument.</param>
    public static void Check(Design design, int cycles, Action<Simulator, int> drive)
    {
        if ((Lint.WhyNot ?? IcarusSimulator.WhyNot ?? VerilatorSimulator.WhyNot) is { } whyNot) Assert.Skip(whyNot);
        Assert.Empty(Lint.Run(design));

        using var computed = new ComputedSimulator(design);
        using var icarus = new IcarusSimulator(design);
        using var verilator = VerilatorSimulator.OfAll([design], VerilatorSimulator.CacheOfTests)[0];
        Compare(computed, icarus, "Icarus");
        Compare(computed, verilator, "Verilator");
        for (var cycle = 0; cycle < cycles; cycle++)
        {
            foreach (var simulator in (Simulator[])[computed, icarus, verilator])
            {
                drive(simulator, cycle);
                simulator.Step();
            }
            Compare(computed, icarus, "Icarus");
            Compare(computed, verilator, "Verilator");
        }
    }

    private static void Compare(Simulator expected, Simulator actual, string name)
    {
        foreach (var output in expected.Design.Outputs)
        {
            var (right, shown) = (expected.Output(output.Name), actual.Output(output.Name));
            if (!right.AsSpan().SequenceEqual(shown))
                Assert.Fail(
                    $"{name}: {output.Name} is {Hex(shown)} after {expected.Cycle} cycles, not {Hex(right)}\n"
                    + $"{VerilogPrinter.Print(expected.Design)}");
        }
    }

    private static string Hex(ulong[] words) => string.Concat(words.Reverse().Select(w => w.ToString("x16")));
}
