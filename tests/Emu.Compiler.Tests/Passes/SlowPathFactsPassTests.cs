namespace Emu.Compiler.Tests;

/// <summary>The pass <c>slow-path-facts</c> removes checks that no deferred frame fails.</summary>
public sealed class SlowPathFactsPassTests() : PassTests("slow-path-facts")
{
    [Fact]
    public void A_deferred_frame_is_not_asked_whether_it_is_one() =>
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
                jump b1
            b1:  from b0
                jump b2
            b2:  from b1
                Send 0:32, %0, 1:64
                return frame 0:32, length %0, egress 2:64

            """);

    [Fact]
    public void A_question_behind_the_exit_stays() =>
        Leaves("""
            function Process
            b0:
                side-exit b1 "a copy is sent"
            b1:  from b0
                %0:32 = Input Length
                Send 0:32, %0, 1:64
                %2:1 = LessUnsigned %0, 100:32
                branch %2 ? b3 : b2
            b2:  from b1
                return frame 0:32, length %0, egress 2:64
            b3:  from b1
                return frame 0:32, length %0, egress 1:64

            """);
}
