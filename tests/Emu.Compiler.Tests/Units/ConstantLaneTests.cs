using Emu.Compiler.IR;
using Emu.Compiler.Units;

namespace Emu.Compiler.Tests;

/// <summary>The lane of an offset is known where its low bits are the same in every turn.</summary>
public sealed class ConstantLaneTests
{
    private const int Bits = 3;

    private readonly Operation _turn = new(Opcode.Input, 8);

    [Theory]
    [InlineData(14, 6)]
    [InlineData(2, 2)]
    public void A_number_of_whole_words_and_a_constant_are_in_one_lane(int constant, int lane)
    {
        var words = new Operation(Opcode.Concat, 11, _turn, new Constant(Bits, 0));
        var offset = new Operation(Opcode.Add, 11, words, new Constant(11, (UInt128)constant));
        Assert.Equal(lane, ConstantLane.Of(new Operation(Opcode.ZeroExtend, 16, offset), Bits));
    }

    [Fact]
    public void Others_are_in_any_lane()
    {
        Assert.Null(ConstantLane.Of(_turn, Bits));
        Assert.Null(ConstantLane.Of(new Operation(Opcode.Add, 8, _turn, new Constant(8, 14)), Bits));
        Assert.Null(ConstantLane.Of(new Operation(Opcode.Concat, 10, _turn, new Constant(2, 0)), Bits));
    }
}
