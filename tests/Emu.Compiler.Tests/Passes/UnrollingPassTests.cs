namespace Emu.Compiler.Tests;

/// <summary>The pass <c>unrolling</c> copies the turns of a loop behind one another.</summary>
public sealed class UnrollingPassTests() : PassTests("unrolling")
{
    [Fact]
    public void A_loop_of_three_turns_is_written_out() =>
        AloneMakes(
            """
            function Process
            b0:
                jump b1
            b1:  from b0, b3
                %0:32 = phi 0:32, %3
                %1:1 = LessUnsigned %0, 3:32
                branch %1 ? b3 : b2
            b2:  from b1
                return frame 0:32, length 60:32, egress 1:64
            b3:  from b1
                FrameWrite %0, 255:8
                %3:32 = Add %0, 1:32
                jump b1

            """,
            """
            function Process
            b0:
                FrameWrite 0:32, 255:8
                FrameWrite 1:32, 255:8
                FrameWrite 2:32, 255:8
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void A_loop_over_the_frame_is_left() =>
        Leaves("""
            function Process
            b0:
                %0:32 = Input Length
                jump b1
            b1:  from b0, b3
                %1:32 = phi 0:32, %4
                %2:1 = LessUnsigned %1, %0
                branch %2 ? b3 : b2
            b2:  from b1
                return frame 0:32, length %0, egress 1:64
            b3:  from b1
                FrameWrite %1, 255:8
                %4:32 = Add %1, 1:32
                jump b1

            """);
}
