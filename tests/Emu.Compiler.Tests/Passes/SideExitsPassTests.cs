namespace Emu.Compiler.Tests;

/// <summary>The pass <c>side-exits</c> ends paths that a pipeline cannot take.</summary>
public sealed class SideExitsPassTests() : PassTests("side-exits")
{
    [Fact]
    public void A_header_longer_than_its_least_leaves_and_the_offset_is_constant_for_all_others() =>
        AloneMakes(
            """
            function Process
            b0:
                %0:8 = FrameRead 14:32
                %1:4 = Extract %0 low 0
                %2:6 = Concat %1, 0:2
                %3:32 = Concat 0:26, %2
                %4:8 = FrameRead %3
                %5:1 = Equal %4, 7:8
                %6:64 = Select %5, 1:64, 2:64
                return frame 0:32, length 60:32, egress %6

            """,
            """
            function Process
            b0:
                %0:8 = FrameRead 14:32
                %1:4 = Extract %0 low 0
                %2:30 = Concat 0:26, %1
                %3:32 = Concat %2, 0:2
                %4:1 = Equal %1, 0:4
                branch %4 ? b3 : b1
            b1:  from b0
                side-exit b2 "a header is longer than its least: an offset depends on it"
            b2:  from b1
                %5:8 = FrameRead %3
                %6:1 = Equal %5, 7:8
                %7:2 = Select %6, 1:2, 2:2
                %8:64 = Concat 0:62, %7
                return frame 0:32, length 60:32, egress %8
            b3:  from b0
                %9:8 = FrameRead 0:32
                %10:1 = Equal %9, 7:8
                %11:2 = Select %10, 1:2, 2:2
                %12:64 = Concat 0:62, %11
                return frame 0:32, length 60:32, egress %12

            """);

    [Fact]
    public void A_header_whose_length_varies_has_a_way_for_each_length() =>
        AloneMakes(
            """
            function Process
            b0:
                %0:8 = FrameRead 14:32 !0
                %1:2 = Extract %0 low 0
                %2:32 = Concat 4:30, %1
                %3:8 = FrameRead %2
                %4:64 = Concat 0:56, %3
                return frame 0:32, length 60:32, egress %4
            !0 = varied "Tcp.TryParse" in "Tcp.cs" line 7

            """,
            """
            function Process
            b0:
                %0:8 = FrameRead 14:32 !0
                %1:2 = Extract %0 low 0
                %2:8 = FrameRead 19:32
                %3:1 = Equal %1, 2:2
                %4:8 = FrameRead 18:32
                %5:8 = Select %3, %4, %2
                %6:1 = Equal %1, 1:2
                %7:8 = FrameRead 17:32
                %8:8 = Select %6, %7, %5
                %9:1 = Equal %1, 0:2
                %10:8 = FrameRead 16:32
                %11:8 = Select %9, %10, %8
                %12:64 = Concat 0:56, %11
                return frame 0:32, length 60:32, egress %12
            !0 = varied "Tcp.TryParse" in "Tcp.cs" line 7

            """);

    [Fact]
    public void What_a_cold_method_writes_is_left_to_the_slow_path() =>
        AloneMakes(
            """
            function Process
            b0:
                %0:8 = FrameRead 14:32
                %1:1 = Equal %0, 7:8
                branch %1 ? b2 : b1
            b1:  from b0
                return frame 0:32, length 60:32, egress 1:64
            b2:  from b0
                FrameWrite 15:32, %0 !0
                return frame 0:32, length 60:32, egress 2:64
            !0 = cold "Responder.Answer" in "Responder.cs" line 7

            """,
            """
            function Process
            b0:
                %0:8 = FrameRead 14:32
                %1:1 = Equal %0, 7:8
                branch %1 ? b2 : b1
            b1:  from b0
                return frame 0:32, length 60:32, egress 1:64
            b2:  from b0
                side-exit b3 "a method that it comes to is marked as cold" !0
            b3:  from b2
                FrameWrite 15:32, 7:8 !0
                return frame 0:32, length 60:32, egress 2:64
            !0 = cold "Responder.Answer" in "Responder.cs" line 7

            """);

    [Fact]
    public void A_loop_that_is_not_entered_is_no_reason_to_leave_though_its_test_is_several_branches() =>
        AloneMakes(
            """
            function Process
            b0:
                %0:8 = FrameRead 14:32
                jump b1
            b1:  from b0, b3
                %1:8 = phi %0, %6
                %2:32 = phi 15:32, %5
                %3:1 = Equal %1, 7:8
                branch %3 ? b3 : b2
            b2:  from b1
                %4:1 = Equal %1, 9:8
                branch %4 ? b3 : b4
            b3:  from b1, b2
                %7:32 = Concat 0:24, %1
                %5:32 = Multiply %2, %7
                %6:8 = FrameRead %5
                jump b1
            b4:  from b2
                %8:1 = LessUnsigned %1, 50:8
                %9:64 = Select %8, 1:64, 2:64
                return frame 0:32, length 60:32, egress %9

            """,
            """
            function Process
            b0:
                %0:8 = FrameRead 14:32
                %1:1 = Equal %0, 7:8
                branch %1 ? b3 : b1
            b1:  from b0
                %2:1 = Equal %0, 9:8
                branch %2 ? b3 : b2
            b2:  from b1
                %3:1 = LessUnsigned %0, 50:8
                %4:2 = Select %3, 1:2, 2:2
                %5:64 = Concat 0:62, %4
                return frame 0:32, length 60:32, egress %5
            b3:  from b0, b1
                %6:8 = phi 7:8, 9:8
                side-exit b4 "a loop has no constant bound"
            b4:  from b7, b3
                %7:8 = phi %16, %6
                %8:32 = phi %15, 15:32
                %9:1 = Equal %7, 7:8
                branch %9 ? b7 : b5
            b5:  from b4
                %10:1 = Equal %7, 9:8
                branch %10 ? b7 : b6
            b6:  from b5
                %11:1 = LessUnsigned %7, 50:8
                %12:2 = Select %11, 1:2, 2:2
                %13:64 = Concat 0:62, %12
                return frame 0:32, length 60:32, egress %13
            b7:  from b4, b5
                %14:32 = Concat 0:24, %7
                %15:32 = Multiply %8, %14
                %16:8 = FrameRead %15
                jump b4

            """);

    [Fact]
    public void What_a_pipeline_can_do_has_no_exit() =>
        Leaves("""
            function Process
            b0:
                %0:8 = FrameRead 14:32
                FrameWrite 15:32, %0
                return frame 0:32, length 60:32, egress 1:64

            """);
}
