namespace Emu.Compiler.Tests;

/// <summary>The pass <c>division</c> makes two functions of one with side exits.</summary>
public sealed class DivisionPassTests() : PassTests("division")
{
    [Fact]
    public void One_part_ends_at_the_exit_and_the_other_handles_only_frames_that_reach_it() =>
        AloneMakes(
            """
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b3 : b1
            b1:  from b0
                side-exit b2 "a copy is sent"
            b2:  from b1
                Send 0:32, %0, 1:64
                return frame 0:32, length %0, egress 2:64
            b3:  from b0
                return frame 0:32, length %0, egress 1:64

            """,
            """
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b2 : b1
            b1:  from b0
                side-exit "a copy is sent"
            b2:  from b0
                return frame 0:32, length %0, egress 1:64
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b3 : b1
            b1:  from b0
                jump b2
            b2:  from b1
                Send 0:32, %0, 1:64
                return frame 0:32, length %0, egress 2:64
            b3:  from b0
                side-exit "such events are not deferred"

            """);

    [Fact]
    public void A_function_without_exits_stays_whole() =>
        Leaves("""
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b3 : b1
            b1:  from b0
                jump b2
            b2:  from b1
                Send 0:32, %0, 1:64
                return frame 0:32, length %0, egress 2:64
            b3:  from b0
                return frame 0:32, length %0, egress 1:64

            """);
}
