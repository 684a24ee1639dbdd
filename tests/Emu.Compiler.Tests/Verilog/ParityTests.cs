using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Verilog;

namespace Emu.Compiler.Tests.Verilog;

/// <summary>The parity of some bits of a value, of which no more is counted than is asked.</summary>
public sealed class ParityTests
{
    private const ulong Alone = 0x0400, Few = 0x8000_0000_0000_0011, Many = 0x14CF_8BE0_D44D_0001;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_lowest_bit_of_a_number_of_ones_is_their_parity(bool outside)
    {
        using var bench = new UnitBench(Design(), outside);
        var random = new Random(1);
        for (var i = 0; i < 200; i++)
        {
            var value = (ulong)random.NextInt64(long.MinValue, long.MaxValue);
            bench.Set("value", value);
            bench.Step();
            foreach (var (name, mask) in new[] { ("alone", Alone), ("few", Few), ("many", Many) })
                Assert.Equal(BitOperations.PopCount(value & mask) & 1, (int)bench.Get(name));
            Assert.Equal(BitOperations.PopCount(value & Many), (int)bench.Get("count"));
        }
    }

    [Fact]
    public void Bits_that_are_0_have_no_part_in_it()
    {
        var text = VerilogPrinter.Print(Design().Netlist.Design);
        Assert.Contains("parity_3(", text, StringComparison.Ordinal);
        Assert.DoesNotContain("parity_64(", text, StringComparison.Ordinal);
        Assert.DoesNotContain("parity_1(", text, StringComparison.Ordinal);
    }

    private static UnitDesign Design()
    {
        var design = new UnitDesign("parity_of");
        var n = design.Netlist;
        var value = design.In("value", 64);
        Value Count(ulong mask) => n.Make(Opcode.PopCount, 32, n.And(value, new Constant(64, mask)));
        foreach (var (name, mask) in new[] { ("alone", Alone), ("few", Few), ("many", Many) })
            design.Out(name, n.Extract(Count(mask), 0, 1));
        design.Out("count", Count(Many));
        return design;
    }
}
