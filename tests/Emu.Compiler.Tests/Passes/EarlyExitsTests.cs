using Emu.Compiler.IR;
using Emu.Compiler.Passes;

namespace Emu.Compiler.Tests;

/// <summary>Exits are taken in front of checksums and state, where the header decides on them.</summary>
public sealed class EarlyExitsTests
{
    private const string ChecksFirst =
        """
        function Process
        b0:
            %0:16 = FrameSum 14:32, 20:32
            %1:1 = Equal %0, 65535:16
            branch %1 ? b1 : b4
        b1:  from b0
            %2:8 = FrameRead 13:32
            %3:1 = Equal %2, 7:8
            branch %3 ? b2 : b5
        b2:  from b1
            side-exit b3 "a method that it comes to is marked as cold"
        b3:  from b2
            FrameWrite 5:32, 1:8
            return frame 0:32, length 60:32, egress 2:64
        b4:  from b0
            return frame 0:32, length 0:32, egress 0:64
        b5:  from b1
            return frame 0:32, length 60:32, egress 1:64

        """;

    [Fact]
    public void A_frame_is_deferred_by_its_type_before_its_checksum_is_known()
    {
        var before = Reader.Read(ChecksFirst).Functions[0];
        Assert.False(PathDivision.DefersByHeader(PathDivision.Fast(before)));
        var early = EarlyExits.Of(before);
        Assert.NotNull(early);
        var fast = PathDivision.Fast(early);
        Assert.True(PathDivision.DefersByHeader(fast));
        Assert.Single(fast.Blocks(), block => block.Terminator is SideExit);
        // The other function checks the sum itself.
        Assert.Contains(
            PathDivision.Slow(early, takesAll: false)!.Blocks().SelectMany(block => block.Operations),
            operation => operation.Opcode == Opcode.FrameSum);
    }

    [Fact]
    public void It_is_not_where_others_of_its_type_leave_by_the_state() => Assert.Null(EarlyExits.Of(Reader.Read(
        ChecksFirst.Replace("egress 0:64", "egress 4:64", StringComparison.Ordinal)).Functions[0]));

    [Fact]
    public void Nor_where_a_byte_is_written_between() => Assert.Null(EarlyExits.Of(Reader.Read(
        ChecksFirst.Replace(
            "%2:8 = FrameRead 13:32", "FrameWrite 13:32, 7:8\n    %2:8 = FrameRead 13:32", StringComparison.Ordinal))
        .Functions[0]));
}
