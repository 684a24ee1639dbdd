namespace Emu.Compiler.Tests;

/// <summary>The pass <c>simplification</c> folds, numbers equal values once and merges blocks.</summary>
public sealed class SimplificationPassTests() : PassTests("simplification")
{
    [Fact]
    public void Equal_values_are_one_so_the_branch_goes_and_its_blocks_are_merged() =>
        AloneMakes(
            """
            function Process
            b0:
                %0:32 = Input Length
                %1:32 = Add %0, 0:32
                %2:32 = Input Length
                %3:1 = Equal %1, %2
                branch %3 ? b2 : b1
            b1:  from b0
                fault Overflow
            b2:  from b0
                return frame 0:32, length %2, egress 1:64

            """,
            """
            function Process
            b0:
                %0:32 = Input Length
                return frame 0:32, length %0, egress 1:64

            """);

    [Fact]
    public void A_sum_is_as_long_as_the_bits_of_it_that_are_used() =>
        AloneMakes(
            """
            function Process
            b0:
                %0:32 = Input Length
                %1:8 = FrameRead 0:32
                %2:32 = ZeroExtend %1
                %3:32 = Add %0, %2
                %4:8 = Truncate %3
                FrameWrite 1:32, %4
                return frame 0:32, length %0, egress 1:64

            """,
            """
            function Process
            b0:
                %0:32 = Input Length
                %1:8 = FrameRead 0:32
                %2:8 = Extract %0 low 0
                %3:8 = Add %2, %1
                FrameWrite 1:32, %3
                return frame 0:32, length %0, egress 1:64

            """);

    [Fact]
    public void Low_bits_of_a_sum_that_is_used_whole_are_wires_of_it() =>
        Leaves("""
            function Process
            b0:
                %0:32 = Input Length
                %1:32 = FrameRead 0:32
                %2:32 = Add %0, %1
                %3:8 = Extract %2 low 0
                %4:16 = Extract %2 low 8
                FrameWrite 1:32, %3
                FrameWrite 2:32, %4
                FrameWrite 4:32, %2
                return frame 0:32, length %0, egress 1:64

            """);

    [Fact]
    public void A_register_that_is_written_between_is_read_twice() =>
        Leaves("""
            register Last: 8 = 0
            function Process
            b0:
                %0:8 = RegisterRead [Last]
                %1:8 = Input Ingress
                RegisterWrite [Last] %1
                %3:8 = RegisterRead [Last]
                FrameWrite 0:32, %0
                FrameWrite 1:32, %3
                return frame 0:32, length 60:32, egress 1:64

            """);
}
