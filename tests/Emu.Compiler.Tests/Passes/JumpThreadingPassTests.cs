namespace Emu.Compiler.Tests;

/// <summary>The pass <c>jump-threading</c> gives each way to a decision its own copy.</summary>
public sealed class JumpThreadingPassTests() : PassTests("jump-threading")
{
    [Fact]
    public void Each_way_goes_on_where_it_decides_to() =>
        AloneMakes(
            """
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b2 : b1
            b1:  from b0
                FrameWrite 0:32, 2:8
                jump b3
            b2:  from b0
                FrameWrite 0:32, 1:8
                jump b3
            b3:  from b2, b1
                %4:8 = phi 255:8, 7:8
                %5:1 = Equal %4, 255:8
                branch %5 ? b5 : b4
            b4:  from b3
                return frame 0:32, length %0, egress 1:64
            b5:  from b3
                fault Overflow

            """,
            """
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b2 : b1
            b1:  from b0
                FrameWrite 0:32, 2:8
                return frame 0:32, length %0, egress 1:64
            b2:  from b0
                FrameWrite 0:32, 1:8
                fault Overflow

            """);

    [Fact]
    public void Ways_that_are_joined_in_front_of_a_decision_decide_it_too()
    {
        var (_, left) = PassRun.Of(
            PassRun.All.First(pass => pass.Name == Name),
            """
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b2 : b1
            b1:  from b0
                FrameWrite 0:32, 2:8
                jump b4
            b2:  from b0
                FrameWrite 0:32, 1:8
                %4:1 = LessUnsigned %0, 80:32
                branch %4 ? b3 : b6
            b3:  from b2
                FrameWrite 1:32, 1:8
                jump b4
            b4:  from b1, b3
                %6:8 = phi 255:8, 7:8
                jump b5
            b5:  from b4, b6
                %7:8 = phi %6, 9:8
                %8:1 = Equal %7, 255:8
                branch %8 ? b8 : b7
            b6:  from b2
                FrameWrite 1:32, 3:8
                jump b5
            b7:  from b5
                return frame 0:32, length %0, egress 1:64
            b8:  from b5
                fault Overflow

            """);
        // No value is joined, so nothing asks for it.
        Assert.DoesNotContain("phi", left, StringComparison.Ordinal);
        Assert.DoesNotContain("Equal", left, StringComparison.Ordinal);
    }

    [Fact]
    public void The_last_of_some_conditions_is_asked_for_alone() =>
        AloneMakes(
            """
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b6 : b1
            b1:  from b0
                %2:1 = LessUnsigned %0, 200:32
                FrameWrite 0:32, 1:8
                branch %2 ? b6 : b2
            b2:  from b1
                %4:1 = LessUnsigned %0, 300:32
                FrameWrite 0:32, 2:8
                branch %4 ? b6 : b3
            b3:  from b2
                %6:1 = LessUnsigned %0, 400:32
                FrameWrite 0:32, 3:8
                branch %6 ? b6 : b4
            b4:  from b3
                %8:8 = FrameRead 12:32
                %9:1 = Equal %8, 8:8
                jump b6
            b6:  from b0, b1, b2, b3, b4
                %10:1 = phi 0:1, 0:1, 0:1, 0:1, %9
                branch %10 ? b7 : b8
            b7:  from b6
                return frame 0:32, length %0, egress 1:64
            b8:  from b6
                fault Overflow

            """,
            """
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b6 : b1
            b1:  from b0
                %2:1 = LessUnsigned %0, 200:32
                FrameWrite 0:32, 1:8
                branch %2 ? b6 : b2
            b2:  from b1
                %4:1 = LessUnsigned %0, 300:32
                FrameWrite 0:32, 2:8
                branch %4 ? b6 : b3
            b3:  from b2
                %6:1 = LessUnsigned %0, 400:32
                FrameWrite 0:32, 3:8
                branch %6 ? b6 : b4
            b4:  from b3
                %8:8 = FrameRead 12:32
                %9:1 = Equal %8, 8:8
                branch %9 ? b5 : b6
            b5:  from b4
                return frame 0:32, length %0, egress 1:64
            b6:  from b4, b3, b2, b1, b0
                fault Overflow

            """);

    [Fact]
    public void Few_conditions_stay_one_choice() =>
        Leaves(
            """
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b2 : b1
            b1:  from b0
                %2:8 = FrameRead 12:32
                %3:1 = Equal %2, 8:8
                FrameWrite 0:32, 2:8
                jump b2
            b2:  from b0, b1
                %5:1 = phi 0:1, %3
                branch %5 ? b4 : b3
            b3:  from b2
                fault Overflow
            b4:  from b2
                return frame 0:32, length %0, egress 1:64

            """);

    [Fact]
    public void A_loop_keeps_a_header_whose_values_go_round() =>
        Leaves("""
            function Process
            b0:
                jump b1
            b1:  from b0, b2
                %0:1 = phi 1:1, 0:1
                %1:8 = phi 3:8, %2
                %2:8 = phi 5:8, %1
                branch %0 ? b2 : b3
            b2:  from b1
                FrameWrite 0:32, %1
                jump b1
            b3:  from b1
                FrameWrite 1:32, %2
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void A_block_that_writes_is_not_copied() =>
        Leaves("""
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b2 : b1
            b1:  from b0
                FrameWrite 0:32, 2:8
                jump b3
            b2:  from b0
                FrameWrite 0:32, 1:8
                jump b3
            b3:  from b2, b1
                %4:8 = phi 255:8, 7:8
                FrameWrite 1:32, %4
                %6:1 = Equal %4, 255:8
                branch %6 ? b5 : b4
            b4:  from b3
                return frame 0:32, length %0, egress 1:64
            b5:  from b3
                fault Overflow

            """);
}
