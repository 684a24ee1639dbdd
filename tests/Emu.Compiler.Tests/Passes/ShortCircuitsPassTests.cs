namespace Emu.Compiler.Tests;

/// <summary>The pass <c>short-circuits</c> joins branches that one comparison says.</summary>
public sealed class ShortCircuitsPassTests() : PassTests("short-circuits")
{
    [Fact]
    public void Not_below_and_not_above_is_equal() =>
        AloneMakes(
            """
            function Process
            b0:
                %0:16 = FrameRead 36:32
                %1:1 = LessUnsigned %0, 80:16
                branch %1 ? b2 : b1
            b1:  from b0
                %2:1 = LessUnsigned 80:16, %0
                branch %2 ? b2 : b3
            b2:  from b0, b1
                fault Overflow
            b3:  from b1
                return frame 0:32, length 60:32, egress 1:64

            """,
            """
            function Process
            b0:
                %0:16 = FrameRead 36:32
                %1:1 = Equal %0, 80:16
                branch %1 ? b2 : b1
            b1:  from b0
                fault Overflow
            b2:  from b0
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void Two_bounds_that_differ_stay_two_comparisons() =>
        Leaves("""
            function Process
            b0:
                %0:16 = FrameRead 36:32
                %1:1 = LessUnsigned %0, 80:16
                branch %1 ? b2 : b1
            b1:  from b0
                %2:1 = LessUnsigned 90:16, %0
                branch %2 ? b2 : b3
            b2:  from b0, b1
                fault Overflow
            b3:  from b1
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void A_branch_behind_an_effect_stays() =>
        Leaves("""
            function Process
            b0:
                %0:16 = FrameRead 36:32
                %1:1 = LessUnsigned %0, 80:16
                branch %1 ? b2 : b1
            b1:  from b0
                FrameWrite 0:32, 1:8
                %3:1 = LessUnsigned 80:16, %0
                branch %3 ? b2 : b3
            b2:  from b0, b1
                fault Overflow
            b3:  from b1
                return frame 0:32, length 60:32, egress 1:64

            """);
}
