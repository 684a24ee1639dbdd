using Emu.Compiler.Devices;
using Emu.Compiler.IR;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Tests;

/// <summary>Sums in parts, of each of which the carry below selects one of two.</summary>
public sealed class CarrySelectTests
{
    [Theory]
    [InlineData(Opcode.Add, 64, 32, true)]
    [InlineData(Opcode.Subtract, 64, 32, true)]
    [InlineData(Opcode.Add, 128, 32, false)]
    [InlineData(Opcode.Subtract, 128, 40, false)]
    [InlineData(Opcode.Add, 41, 16, false)]
    [InlineData(Opcode.Subtract, 41, 16, false)]
    [InlineData(Opcode.Add, 17, 16, false)]
    public void They_are_the_sums(Opcode opcode, int width, int longestCarry, bool outside)
    {
        var design = new UnitDesign("sum");
        var sum = new Operation(opcode, width, [design.In("a", width), design.In("b", width)]);
        design.Out("sum", CarrySelect.Make(design.Netlist, sum, longestCarry));
        using var bench = new UnitBench(design, outside);
        var (random, mask) = (new Random(width), Arithmetic.Mask(width));
        for (var i = 0; i < 400; i++)
        {
            var (a, b) = (Number(random) & mask, Number(random) & mask);
            bench.Set("a", a);
            bench.Set("b", b);
            bench.Step();
            Assert.Equal((opcode == Opcode.Add ? a + b : a - b) & mask, bench.Get("sum"));
        }
    }

    [Fact]
    public void Their_carries_are_short()
    {
        var design = new UnitDesign("sum");
        var sum = new Operation(Opcode.Add, 64, [design.In("a", 64), design.In("b", 64)]);
        var delays = new Delays(Device.Default);
        var made = CarrySelect.Make(design.Netlist, sum, 32);
        Assert.InRange(delays.Of(made), 0, 45);
        Assert.InRange(delays.Of(design.Netlist.Make(sum)), 55, 60);
    }

    /// <summary>Runs of ones and zeros, so that carries go far.</summary>
    private static UInt128 Number(Random random) => random.Next(3) switch
    {
        0 => UInt128.MaxValue << random.Next(128),
        1 => UInt128.MaxValue >> random.Next(128),
        _ => new UInt128((ulong)random.NextInt64(), (ulong)random.NextInt64()),
    };
}
