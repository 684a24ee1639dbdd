namespace Emu.Compiler.Tests;

/// <summary>The pass <c>frame-forwarding</c> gives reads of the frame what was written there before.</summary>
public sealed class FrameForwardingPassTests() : PassTests("frame-forwarding")
{
    [Fact]
    public void What_was_written_in_front_of_a_read_is_what_it_gives() =>
        AloneMakes(
            """
            function Process
            b0:
                %0:32 = FrameRead 0:32
                FrameWrite 14:32, 1174405140:32
                FrameWrite 20:32, %0
                %1:16 = FrameRead 21:32
                %2:8 = FrameRead 14:32
                FrameWrite 40:32, %1
                FrameWrite 42:32, %2
                return frame 0:32, length 60:32, egress 1:64

            """,
            """
            function Process
            b0:
                %0:32 = FrameRead 0:32
                FrameWrite 14:32, 1174405140:32
                FrameWrite 20:32, %0
                %3:16 = Extract %0 low 8
                FrameWrite 40:32, %3
                FrameWrite 42:32, 70:8
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void What_was_written_stays_where_the_frame_gets_another_length_once() =>
        AloneMakes(
            """
            function Process
            b0:
                %0:32 = Input Length
                %1:8 = FrameRead 0:32
                %2:32 = ZeroExtend %1
                FrameWrite 40:32, 7:8
                FrameResize %0, %2
                %3:8 = FrameRead 40:32
                FrameWrite 20:32, %3
                FrameResize %2, 60:32
                %4:8 = FrameRead 40:32
                FrameWrite 21:32, %4
                return frame 0:32, length 60:32, egress 1:64

            """,
            """
            function Process
            b0:
                %0:32 = Input Length
                %1:11 = Extract %0 low 0
                %2:32 = Concat 0:21, %1
                %3:8 = FrameRead 0:32
                %4:32 = Concat 0:24, %3
                FrameWrite 40:32, 7:8
                FrameResize %2, %4
                FrameWrite 20:32, 7:8
                FrameResize %4, 60:32
                %9:8 = FrameRead 40:32
                FrameWrite 21:32, %9
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void A_byte_that_is_written_on_each_way_is_that_of_the_way_taken() =>
        Makes(
            """
            function Process
            b0:
                %0:8 = FrameRead 0:32
                %1:1 = Equal %0, 1:8
                branch %1 ? b1 : b2
            b1:  from b0
                FrameWrite 14:32, 69:8
                jump b3
            b2:  from b0
                FrameWrite 14:32, 70:8
                jump b3
            b3:  from b1, b2
                %4:16 = FrameRead 13:32
                FrameWrite 40:32, %4
                return frame 0:32, length 60:32, egress 1:64

            """,
            """
            function Process
            b0:
                %0:8 = FrameRead 0:32
                %1:1 = Equal %0, 1:8
                branch %1 ? b2 : b1
            b1:  from b0
                FrameWrite 14:32, 70:8
                jump b3
            b2:  from b0
                FrameWrite 14:32, 69:8
                jump b3
            b3:  from b2, b1
                %4:8 = phi 69:8, 70:8
                %5:8 = FrameRead 13:32
                %6:16 = Concat %5, %4
                FrameWrite 40:32, %6
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void Bytes_that_may_have_been_moved_cut_off_or_written_elsewhere_are_read() =>
        Leaves("""
            function Process
            b0:
                %0:32 = Input Length
                %1:32 = FrameRead 0:32
                FrameWrite 30:32, %1
                FrameMove 14:32, 18:32, 40:32
                %4:32 = FrameRead 30:32
                FrameWrite 0:32, %4
                FrameWrite %0, 1:8
                %7:32 = FrameRead 0:32
                FrameWrite 52:32, %7
                FrameResize %0, 52:32
                FrameResize 52:32, 60:32
                %11:32 = FrameRead 52:32
                FrameWrite 20:32, %11
                return frame 0:32, length 60:32, egress 1:64

            """);
}
