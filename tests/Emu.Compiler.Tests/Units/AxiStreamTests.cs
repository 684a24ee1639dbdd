using Emu.Compiler.Units;

namespace Emu.Compiler.Tests;

/// <summary>Ports as bits of <c>tuser</c> and back.</summary>
public sealed class AxiStreamTests
{
    [Fact]
    public void MAC_ports_are_the_even_bits()
    {
        var design = new UnitDesign("ports");
        var n = design.Netlist;
        design.Out("field", AxiStream.PortField(n, design.In("set", 4)));
        design.Out("index", AxiStream.PortIndex(n, design.In("source", 8)));
        using var bench = new UnitBench(design, outside: false);
        for (var set = 0u; set < 16; set++)
        {
            bench.Set("set", set);
            bench.Step();
            Assert.Equal((set & 1) | (set & 2) << 1 | (set & 4) << 2 | (set & 8) << 3, (uint)bench.Get("field"));
        }
        for (var port = 0; port < 4; port++)
        {
            bench.Set("source", 1u << 2 * port);
            bench.Step();
            Assert.Equal(port, (int)bench.Get("index"));
        }
    }
}
