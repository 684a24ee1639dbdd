using Emu.Compiler.IR;
using Emu.Compiler.Passes;

namespace Emu.Compiler.Tests;

/// <summary>The blocks that may be reached from one, as constants tell.</summary>
public sealed class ReachedBlocksTests
{
    /// <summary>Blocks 1 and 2 are joined in 3, whose branch depends on which of them it was, or on bytes.</summary>
    private const string Text =
        """
        function Process
        b0:
            %0:8 = FrameRead 14:32
            %1:8 = FrameRead 15:32
            %2:1 = Equal %0, 7:8
            %3:1 = Equal %1, 9:8
            branch %2 ? b2 : b1
        b1:  from b0
            jump b3
        b2:  from b0
            jump b3
        b3:  from b1, b2
            %4:1 = phi 1:1, 0:1
            %5:8 = FrameRead 16:32
            %6:1 = Equal %5, 3:8
            %7:1 = CONDITION
            branch %7 ? b5 : b4
        b4:  from b3
            return frame 0:32, length 60:32, egress 2:64
        b5:  from b3
            return frame 0:32, length 60:32, egress 1:64

        """;

    [Theory]
    [InlineData("And %4, %6", 0, new[] { 0, 1, 2, 3, 4, 5 })]
    [InlineData("And %4, %6", 2, new[] { 2, 3, 4 })]
    [InlineData("And %4, %6", 1, new[] { 1, 3, 4, 5 })]
    [InlineData("Or %4, %6", 2, new[] { 2, 3, 4, 5 })]
    [InlineData("Or %4, %6", 1, new[] { 1, 3, 5 })]
    [InlineData("Select %6, %4, %4", 1, new[] { 1, 3, 5 })]
    // What a branch has decided before is known, and only that.
    [InlineData("And %2, %6", 2, new[] { 2, 3, 4, 5 })]
    [InlineData("And %2, %6", 1, new[] { 1, 3, 4 })]
    [InlineData("And %3, %6", 1, new[] { 1, 3, 4, 5 })]
    [InlineData("Xor %2, 1:1", 2, new[] { 2, 3, 4 })]
    public void They_are_those_that_no_constant_cuts_off(string condition, int from, int[] reached)
    {
        var function = Reader.Read(Text.Replace("CONDITION", condition, StringComparison.Ordinal)).Functions[0];
        var blocks = function.Blocks().OrderBy(block => block.Number).ToList();
        var found = new ReachedBlocks(blocks, blocks[from]);
        Assert.Equal(reached, blocks.FindAll(found.Contains).ConvertAll(block => block.Number));
    }

    /// <summary>Block, and whether the phi can be 1 for those that come by it, and 0.</summary>
    [Theory]
    [InlineData(0, true, true)]
    [InlineData(1, true, false)]
    [InlineData(2, false, true)]
    [InlineData(3, true, true)]
    [InlineData(4, true, true)]
    [InlineData(5, true, false)]
    public void A_phi_has_the_constants_of_the_ways_that_are_left(int from, bool one, bool zero)
    {
        var function = Reader.Read(Text.Replace("CONDITION", "And %4, %6", StringComparison.Ordinal)).Functions[0];
        var blocks = function.Blocks().OrderBy(block => block.Number).ToList();
        var found = new ReachedBlocks(blocks, blocks[from]);
        var phi = blocks[3].Phis[0];
        Assert.Equal((one, zero), (found.CanBe(phi, 1), found.CanBe(phi, 0)));
    }
}
