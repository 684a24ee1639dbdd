namespace Emu.Compiler.Tests;

/// <summary>The pass <c>frame-loops</c> writes out what goes over many bytes of the frame.</summary>
public sealed class FrameLoopsPassTests() : PassTests("frame-loops")
{
    [Fact]
    public void All_bytes_of_a_move_are_read_before_one_is_written() =>
        AloneMakes(
            """
            function Process
            b0:
                FrameMove 12:32, 16:32, 20:32
                FrameResize 60:32, 64:32
                return frame 0:32, length 64:32, egress 1:64

            """,
            """
            function Process
            b0:
                %0:128 = FrameRead 12:32
                %1:32 = FrameRead 28:32
                FrameWrite 16:32, %0
                FrameWrite 32:32, %1
                FrameWrite 60:32, 0:32
                return frame 0:32, length 64:32, egress 1:64

            """);

    [Fact]
    public void In_a_slow_path_a_move_of_any_number_of_bytes_is_a_loop() =>
        AloneMakes(
            """
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b3 : b1
            b1:  from b0
                side-exit b2 "a loop has no constant bound"
            b2:  from b1
                FrameMove 16:32, 12:32, %0
                return frame 0:32, length %0, egress 1:64
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
                side-exit "a loop has no constant bound"
            b2:  from b0
                return frame 0:32, length %0, egress 1:64
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b6 : b1
            b1:  from b0
                jump b2
            b2:  from b1
                %2:1 = LessUnsigned 16:32, 12:32
                %3:32 = Subtract %0, 1:32
                jump b3
            b3:  from b2, b5
                %4:32 = phi 0:32, %12
                %5:1 = LessUnsigned %4, %0
                branch %5 ? b5 : b4
            b4:  from b3
                return frame 0:32, length %0, egress 1:64
            b5:  from b3
                %6:32 = Subtract %3, %4
                %7:32 = Select %2, %6, %4
                %8:32 = Add 16:32, %7
                %9:8 = FrameRead %8
                %10:32 = Add 12:32, %7
                FrameWrite %10, %9
                %12:32 = Add %4, 1:32
                jump b3
            b6:  from b0
                side-exit "such events are not deferred"

            """, place: 2);

    [Fact]
    public void A_computed_number_of_bytes_and_a_cut_are_left() =>
        Leaves("""
            function Process
            b0:
                %0:32 = Input Length
                %1:32 = Subtract %0, 12:32
                FrameMove 12:32, 16:32, %1
                FrameResize 64:32, 60:32
                return frame 0:32, length 60:32, egress 1:64

            """);
}
