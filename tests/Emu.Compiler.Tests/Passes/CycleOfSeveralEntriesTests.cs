using Emu.Compiler.IR;
using Emu.Compiler.Passes;

namespace Emu.Compiler.Tests;

/// <summary>Loops that are entered at several places, which no natural loop is.</summary>
public sealed class CycleOfSeveralEntriesTests
{
    private const string TwoEntries =
        """
        function Process
        b0:
            %0:32 = Input Length
            %1:1 = LessUnsigned %0, 100:32
            branch %1 ? b1 : b3
        b1:  from b0, b3
            FrameWrite %0, 1:8
            %3:8 = FrameRead 0:32
            %4:1 = Equal %3, 7:8
            branch %4 ? b3 : b2
        b2:  from b1
            return frame 0:32, length 60:32, egress 1:64
        b3:  from b0, b1
            FrameWrite 1:32, 1:8
            jump b1

        """;

    [Fact]
    public void One_is_found_where_there_is_no_natural_loop()
    {
        var function = Reader.Read(TwoEntries).Functions[0];
        var blocks = function.Blocks();
        Assert.Empty(Loop.All(function));
        var cycle = Cycle.In(blocks);
        Assert.NotNull(cycle);
        Assert.Equal([1, 3], blocks.Index().Where(each => cycle.Contains(each.Item)).Select(each => each.Index));
    }

    [Fact]
    public void Blocks_in_front_of_it_and_behind_it_are_none()
    {
        var blocks = Reader.Read(TwoEntries).Functions[0].Blocks();
        Assert.Null(Cycle.In([blocks[0], blocks[2]]));
        Assert.Null(Cycle.In([blocks[0], blocks[1], blocks[2]]));
    }

    [Fact]
    public void It_is_left_to_the_slow_path_at_each_entry()
    {
        var function = Reader.Read(TwoEntries).Functions[0];
        SideExits.DeferCycles(function);
        Verifier.Verify(function, nameof(SideExits));
        var fast = PathDivision.FastBlocks(function);
        Assert.Null(Cycle.In(fast));
        Assert.Equal(2, fast.Count(block => block.Terminator is SideExit));
    }
}
