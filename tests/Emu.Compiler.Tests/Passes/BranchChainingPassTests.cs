namespace Emu.Compiler.Tests;

/// <summary>The pass <c>branch-chaining</c> takes joins out of the slow path that lead to joins.</summary>
public sealed class BranchChainingPassTests() : PassTests("branch-chaining")
{
    [Fact]
    public void Returns_that_join_twice_join_once() =>
        AloneMakes(
            """
            function Process
            b0:
                side-exit b1 "a copy is sent"
            b1:  from b0
                %0:16 = FrameRead 36:32
                %1:1 = LessUnsigned %0, 80:16
                branch %1 ? b2 : b3
            b2:  from b1
                FrameWrite 0:32, 1:8
                jump b4
            b3:  from b1
                FrameWrite 1:32, 1:8
                %4:16 = FrameRead 38:32
                %5:1 = LessUnsigned %4, 80:16
                branch %5 ? b4 : b5
            b4:  from b2, b3
                %6:64 = phi 1:64, 2:64
                jump b6
            b5:  from b3
                FrameWrite 2:32, 1:8
                jump b6
            b6:  from b4, b5
                %8:64 = phi %6, 4:64
                return frame 0:32, length 60:32, egress %8

            """,
            """
            function Process
            b0:
                side-exit "a copy is sent"
            function Process
            b0:
                jump b1
            b1:  from b0
                %0:16 = FrameRead 36:32
                %1:1 = LessUnsigned %0, 80:16
                branch %1 ? b4 : b2
            b2:  from b1
                FrameWrite 1:32, 1:8
                %3:16 = FrameRead 38:32
                %4:1 = LessUnsigned %3, 80:16
                branch %4 ? b5 : b3
            b3:  from b2
                FrameWrite 2:32, 1:8
                jump b5
            b4:  from b1
                FrameWrite 0:32, 1:8
                jump b5
            b5:  from b3, b4, b2
                %7:64 = phi 4:64, 1:64, 2:64
                return frame 0:32, length 60:32, egress %7

            """);

    [Fact]
    public void A_join_whose_value_is_used_further_on_stays() =>
        Leaves("""
            function Process
            b0:
                side-exit b1 "a copy is sent"
            b1:  from b0
                %0:16 = FrameRead 36:32
                %1:1 = LessUnsigned %0, 80:16
                branch %1 ? b2 : b3
            b2:  from b1
                FrameWrite 0:32, 1:8
                jump b4
            b3:  from b1
                FrameWrite 0:32, 1:8
                jump b4
            b4:  from b2, b3
                %4:8 = phi 1:8, 2:8
                jump b5
            b5:  from b4, b5
                FrameWrite 2:32, %4
                %6:8 = FrameRead 2:32
                %7:1 = Equal %6, %4
                branch %7 ? b6 : b5
            b6:  from b5
                return frame 0:32, length 60:32, egress 1:64

            """);
}
