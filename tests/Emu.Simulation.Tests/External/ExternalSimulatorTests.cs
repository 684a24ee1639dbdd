using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation.Tests.External;

/// <summary>The surroundings of the outside simulators: waveforms, errors, files left behind.</summary>
[Slow("Icarus, Verilator, Yosys")]
public sealed class ExternalSimulatorTests : IDisposable
{
    private readonly string _vcd = Path.GetTempFileName();

    public void Dispose() => File.Delete(_vcd);

    [Fact]
    public void Icarus_writes_waveforms()
    {
        SkipWithout(IcarusSimulator.WhyNot);
        using (var simulator = new IcarusSimulator(Quotient(), _vcd)) Run(simulator);
        Assert.Contains("quotient_reg", File.ReadAllText(_vcd));
    }

    [Fact]
    public void Verilator_writes_waveforms()
    {
        SkipWithout(VerilatorSimulator.WhyNot);
        using (var simulator = new VerilatorSimulator(
            Quotient(), _vcd, VerilatorSimulator.CacheOfTests))
            Run(simulator);
        Assert.Contains("quotient_reg", File.ReadAllText(_vcd));
    }

    [Fact]
    public void What_is_not_known_is_an_error()
    {
        SkipWithout(IcarusSimulator.WhyNot);
        using var simulator = new IcarusSimulator(Quotient());
        Assert.Contains("not known", Assert.Throws<SimulationException>(simulator.Step).Message);
    }

    [Fact]
    public void What_does_not_compile_is_an_error_with_what_the_tool_said()
    {
        SkipWithout(IcarusSimulator.WhyNot ?? VerilatorSimulator.WhyNot);
        var design = new Design("1st");
        Assert.Contains("design.v", Assert.Throws<SimulationException>(() => new IcarusSimulator(design)).Message);
        Assert.Contains("design.v", Assert.Throws<SimulationException>(() => new VerilatorSimulator(design)).Message);
    }

    private static void SkipWithout(string? whyNot)
    {
        if (whyNot is not null) Assert.Skip(whyNot);
    }

    private static void Run(Simulator simulator)
    {
        simulator.Input("a")[0] = 100;
        simulator.Input("b")[0] = 7;
        for (var cycle = 0; cycle < 3; cycle++) simulator.Step();
        Assert.Equal(14UL, simulator.Output("quotient")[0]);
    }

    private static Design Quotient()
    {
        var design = new Design("quotient");
        design.Inputs.AddRange([new InputPort("a", 8), new InputPort("b", 8)]);
        var section = new Section("Quotient");
        design.Sections.Add(section);
        var flop = new Flop("quotient_reg", 8, null)
        {
            Next = new Operation(
                Opcode.DivideUnsigned, 8, new InputBits(design.Inputs[0], 0, 8), new InputBits(design.Inputs[1], 0, 8)),
        };
        section.Items.Add(flop);
        design.Outputs.Add(new OutputPort("quotient", flop));
        return design;
    }
}
