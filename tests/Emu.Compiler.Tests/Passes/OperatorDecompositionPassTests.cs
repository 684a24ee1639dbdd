namespace Emu.Compiler.Tests;

/// <summary>The pass <c>operator-decomposition</c> writes divisions and wide products out.</summary>
public sealed class OperatorDecompositionPassTests() : PassTests("operator-decomposition")
{
    [Fact]
    public void A_quotient_by_a_constant_is_a_product() =>
        AloneMakes(
            """
            function Process
            b0:
                %0:8 = FrameRead 12:32
                %1:8 = DivideUnsigned %0, 10:8
                FrameWrite 12:32, %1
                return frame 0:32, length 60:32, egress 1:64

            """,
            """
            function Process
            b0:
                %0:8 = FrameRead 12:32
                %1:7 = Extract %0 low 1
                %2:14 = Concat 0:7, %1
                %3:14 = Concat 0:7, %1
                %4:14 = Multiply %3, 103:14
                %5:5 = Extract %4 low 9
                %6:8 = Concat 0:3, %5
                FrameWrite 12:32, %6
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void A_product_of_a_multiplier_block_s_size_stays() =>
        Makes(
            """
            function Process
            b0:
                %0:16 = FrameRead 12:32
                %1:32 = Concat 0:16, %0
                %2:32 = Multiply %1, %1
                FrameWrite 12:32, %2
                return frame 0:32, length 60:32, egress 1:64

            """,
            """
            function Process
            b0:
                %0:16 = FrameRead 12:32
                %1:32 = Concat 0:16, %0
                %2:32 = Concat 0:16, %0
                %3:32 = Concat 0:16, %0
                %4:32 = Multiply %2, %3
                FrameWrite 12:32, %4
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void The_time_is_divided_beside_the_program() =>
        Leaves(
            """
            function Process
            b0:
                %0:64 = Input Time
                %1:64 = DivideUnsigned %0, 1000000000:64
                FrameWrite 0:32, %1
                return frame 0:32, length 60:32, egress 1:64

            """);
}
