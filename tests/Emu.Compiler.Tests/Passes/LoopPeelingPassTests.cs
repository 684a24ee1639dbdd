namespace Emu.Compiler.Tests;

/// <summary>The pass <c>loop-peeling</c> takes the first turns of a chain of headers in front of its loop.</summary>
public sealed class LoopPeelingPassTests() : PassTests("loop-peeling")
{
    [Fact]
    public void Two_headers_of_a_chain_are_read_at_constants_and_a_third_leaves() =>
        AloneMakes(
            """
            function Process
            b0:
                jump b1
            b1:  from b0, b2
                %0:32 = phi 12:32, %3
                %1:8 = FrameRead %0
                %2:1 = Equal %1, 129:8
                branch %2 ? b2 : b3
            b2:  from b1
                %3:32 = Add %0, 4:32
                jump b1
            b3:  from b1
                return frame 0:32, length 60:32, egress 1:64

            """,
            """
            function Process
            b0:
                %0:8 = FrameRead 12:32
                %1:1 = Equal %0, 129:8
                branch %1 ? b1 : b2
            b1:  from b0
                %2:8 = FrameRead 16:32
                %3:1 = Equal %2, 129:8
                branch %3 ? b3 : b2
            b2:  from b0, b1
                return frame 0:32, length 60:32, egress 1:64
            b3:  from b1
                side-exit b4 "a loop has no constant bound"
            b4:  from b6, b3
                %4:32 = phi %7, 20:32
                %5:8 = FrameRead %4
                %6:1 = Equal %5, 129:8
                branch %6 ? b6 : b5
            b5:  from b4
                return frame 0:32, length 60:32, egress 1:64
            b6:  from b4
                %7:32 = Add %4, 4:32
                jump b4

            """);

    [Fact]
    public void All_turns_of_a_loop_are_taken_that_counts_up_to_a_small_number()
    {
        var (_, left) = PassRun.Of(
            PassRun.All.First(pass => pass.Name == Name),
            """
            function Process
            b0:
                %0:8 = FrameRead 12:32
                %1:2 = Extract %0 low 0
                %2:32 = Concat 0:30, %1
                jump b1
            b1:  from b0, b2
                %3:32 = phi 0:32, %8
                %5:1 = LessSigned %3, %2
                branch %5 ? b2 : b3
            b2:  from b1
                %6:32 = Add %3, 20:32
                FrameWrite %6, 1:8
                %8:32 = Add %3, 1:32
                jump b1
            b3:  from b1
                return frame 0:32, length 60:32, egress 1:64

            """);
        foreach (var at in new[] { 20, 21, 22 }) Assert.Contains($"FrameWrite {at}:32", left, StringComparison.Ordinal);
        Assert.DoesNotContain("FrameWrite 23:32", left, StringComparison.Ordinal);
        Assert.DoesNotContain("side-exit", left, StringComparison.Ordinal);
    }

    [Fact]
    public void A_loop_whose_end_the_frame_does_not_decide_stays() =>
        Leaves("""
            function Process
            b0:
                jump b1
            b1:  from b0, b2
                %0:32 = phi 12:32, %3
                %1:8 = FrameRead %0
                %2:1 = LessUnsigned %0, 100:32
                branch %2 ? b2 : b3
            b2:  from b1
                FrameWrite 0:32, %1
                %3:32 = Add %0, 4:32
                jump b1
            b3:  from b1
                return frame 0:32, length 60:32, egress 1:64

            """);
}
