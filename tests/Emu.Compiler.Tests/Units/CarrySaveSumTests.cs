using Emu.Compiler.Units;

namespace Emu.Compiler.Tests;

/// <summary>Several numbers are added up with one carry.</summary>
public sealed class CarrySaveSumTests
{
    [Theory]
    [InlineData(1, 8)]
    [InlineData(2, 8)]
    [InlineData(3, 1)]
    [InlineData(3, 16)]
    [InlineData(5, 32)]
    [InlineData(8, 64)]
    [InlineData(11, 7)]
    public void It_is_their_sum(int count, int width)
    {
        var design = new UnitDesign("carry_save_sum");
        var terms = Enumerable.Range(0, count).Select(i => design.In($"term_{i}", width)).ToList();
        design.Netlist.Begin("sum");
        design.Out("sum", CarrySaveSum.Of(design.Netlist, [.. terms]));
        using var bench = new UnitBench(design, outside: false);
        var (random, mask) = (new Random(count), (UInt128.One << width) - 1);
        for (var i = 0; i < 100; i++)
        {
            var sum = UInt128.Zero;
            for (var term = 0; term < count; term++)
            {
                var number = (i == 0 ? UInt128.MaxValue : (UInt128)random.NextInt64() << 1) & mask;
                bench.Set($"term_{term}", number);
                sum += number;
            }
            bench.Step();
            Assert.Equal(sum & mask, bench.Get("sum"));
        }
    }
}
