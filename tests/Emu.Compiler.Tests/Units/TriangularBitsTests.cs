using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Units;

namespace Emu.Compiler.Tests;

/// <summary>The low bits of a number, of which a turn makes each of itself and of lower ones.</summary>
public sealed class TriangularBitsTests
{
    private const int Bits = 8, Turns = 5;

    [Fact]
    public void They_are_those_of_the_whole_number()
    {
        var (design, changes) = (new UnitDesign("triangular_bits"), new List<Value>());
        var n = design.Netlist;
        var number = design.In("number", 32);
        for (var turn = 0; turn < Turns; turn++) changes.Add(design.In($"change_{turn}", Bits));
        n.Begin("bits");
        var bits = new TriangularBits(n, FoldingBuilder.Bit(true), number, Bits);
        foreach (var change in changes)
        {
            var state = new Wire("state", FoldingBuilder.Zero(32));
            Assert.True(bits.TryTake(FoldingBuilder.Bit(true), new(state, []), Turn(n, state, change)));
        }
        design.Out("low", bits.Number);
        design.Out("whole", changes.Aggregate((Value)number, (so, change) => Turn(n, so, change)));
        using var bench = new UnitBench(design, outside: false);
        var random = new Random(7);
        for (var i = 0; i < 200; i++)
        {
            bench.Set("number", (UInt128)random.NextInt64() & uint.MaxValue);
            for (var turn = 0; turn < Turns; turn++) bench.Set($"change_{turn}", (UInt128)random.Next(256));
            bench.Step();
            Assert.Equal(bench.Get("whole") & 255, bench.Get("low"));
        }
    }

    [Fact]
    public void A_product_by_an_even_number_is_no_such_turn()
    {
        var n = new UnitDesign("even").Netlist;
        n.Begin("bits");
        var bits = new TriangularBits(n, FoldingBuilder.Bit(true), FoldingBuilder.Zero(32), Bits);
        var state = new Wire("state", FoldingBuilder.Zero(32));
        Assert.False(bits.TryTake(FoldingBuilder.Bit(true), new(state, []), n.Add(state, state)));
    }

    [Fact]
    public void Bits_that_come_down_from_above_are_no_such_turn()
    {
        var n = new UnitDesign("down").Netlist;
        n.Begin("bits");
        var bits = new TriangularBits(n, FoldingBuilder.Bit(true), FoldingBuilder.Zero(32), Bits);
        var state = new Wire("state", FoldingBuilder.Zero(32));
        Assert.False(bits.TryTake(
            FoldingBuilder.Bit(true), new(state, []), n.Xor(state, n.Resize(n.Extract(state, 3, 29), 32))));
    }

    /// <summary>A number with other low bits, times 19.</summary>
    private static Value Turn(FoldingBuilder n, Value number, Value change)
    {
        var taken = n.Xor(number, n.Resize(change, 32));
        Value Shifted(int by) => n.Concat(n.Extract(taken, 0, 32 - by), FoldingBuilder.Zero(by));
        return n.Add(n.Add(Shifted(4), Shifted(1)), taken);
    }
}
