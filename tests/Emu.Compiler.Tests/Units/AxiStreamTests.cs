using Emu.Compiler.Units;

namespace Emu.Compiler.Tests;

/// <summary>Ports as bits of <c>tuser</c> and back.</summary>
public sealed class AxiStreamTests
{
    /// <summary>Port 4 + i is the host's queue beside MAC port i.</summary>
    [Theory]
    [InlineData(5)]
    [InlineData(6)]
    [InlineData(8)]
    public void Queues_of_the_host_are_the_odd_bits(int ports)
    {
        var design = new UnitDesign("ports");
        var n = design.Netlist;
        design.Out("field", AxiStream.PortField(n, design.In("set", ports)));
        design.Out("index", AxiStream.PortIndex(n, design.In("source", 8), ports));
        using var bench = new UnitBench(design, outside: false);
        for (var port = 0; port < ports; port++)
        {
            var bit = 1u << (port < 4 ? 2 * port : 2 * port - 7);
            bench.Set("set", 1u << port);
            bench.Set("source", bit);
            bench.Step();
            Assert.Equal(bit, (uint)bench.Get("field"));
            Assert.Equal(port, (int)bench.Get("index"));
        }
    }

    [Fact]
    public void MAC_ports_are_the_even_bits()
    {
        var design = new UnitDesign("ports");
        var n = design.Netlist;
        design.Out("field", AxiStream.PortField(n, design.In("set", 4)));
        design.Out("index", AxiStream.PortIndex(n, design.In("source", 8), ports: 2));
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
