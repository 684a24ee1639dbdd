namespace Emu.Compiler.Tests;

/// <summary>The pass <c>unrolling</c> copies the turns of a loop behind one another.</summary>
public sealed class UnrollingPassTests() : PassTests("unrolling")
{
    internal const string LoopOverFrame =
        """
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

        """;

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
        Leaves(LoopOverFrame);

    [Fact]
    public void A_loop_that_follows_a_table_is_written_out_place_by_place() =>
        AloneMakes(
            """
            memory Value:8 x 3 = 10, 20, 30
            memory Then:2 x 3 = 2, 3, 3
            memory Else:2 x 3 = 1, 2, 3
            function Process
            b0:
                %0:8 = FrameRead 0:32
                jump b1
            b1:  from b0, b3, b4
                %1:2 = phi 0:2, %6, %8
                %2:1 = Equal %1, 3:2
                branch %2 ? b5 : b2
            b2:  from b1
                %3:8 = MemoryRead [Value] %1
                %4:1 = Equal %0, %3
                branch %4 ? b3 : b4
            b3:  from b2
                FrameWrite 1:32, %3
                %6:2 = MemoryRead [Then] %1
                jump b1
            b4:  from b2
                %8:2 = MemoryRead [Else] %1
                jump b1
            b5:  from b1
                return frame 0:32, length 60:32, egress 1:64

            """,
            """
            function Process
            b0:
                %0:8 = FrameRead 0:32
                %1:1 = Equal %0, 10:8
                branch %1 ? b3 : b1
            b1:  from b0
                %2:1 = Equal %0, 20:8
                branch %2 ? b2 : b4
            b2:  from b1
                FrameWrite 1:32, 20:8
                jump b6
            b3:  from b0
                FrameWrite 1:32, 10:8
                jump b4
            b4:  from b3, b1
                %5:1 = Equal %0, 30:8
                branch %5 ? b5 : b6
            b5:  from b4
                FrameWrite 1:32, 30:8
                jump b6
            b6:  from b5, b2, b4
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void A_loop_that_only_a_header_field_ends_is_left_though_that_is_bounded() =>
        Leaves("""
            function Process
            b0:
                %0:8 = FrameRead 14:32
                %1:4 = Extract %0 low 0
                jump b1
            b1:  from b0, b3
                %2:4 = phi 0:4, %6
                %3:1 = LessUnsigned %2, %1
                branch %3 ? b3 : b2
            b2:  from b1
                return frame 0:32, length 60:32, egress 1:64
            b3:  from b1
                %4:32 = Concat 0:28, %2
                FrameWrite %4, 255:8
                %6:4 = Add %2, 1:4
                jump b1

            """);
}
