namespace Emu.Compiler.Tests;

/// <summary>The pass <c>ones-sums</c> writes ones' complement sums out as additions.</summary>
public sealed class OnesSumsPassTests() : PassTests("ones-sums")
{
    [Fact]
    public void Two_words_are_added_and_then_their_carry() =>
        AloneMakes(
            """
            function Process
            b0:
                %0:32 = FrameRead 14:32
                %1:16 = OnesSum %0
                FrameWrite 24:32, %1
                return frame 0:32, length 60:32, egress 1:64

            """,
            """
            function Process
            b0:
                %0:32 = FrameRead 14:32
                %1:16 = Extract %0 low 0
                %2:16 = Extract %0 low 16
                %3:17 = ZeroExtend %1
                %4:17 = ZeroExtend %2
                %5:17 = Add %3, %4
                %6:16 = Extract %5 low 0
                %7:1 = Extract %5 low 16
                %8:16 = ZeroExtend %7
                %9:16 = Add %6, %8
                FrameWrite 24:32, %9
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void A_sum_that_is_only_asked_whether_it_is_all_ones_stays() =>
        Leaves("""
            function Process
            b0:
                %0:16 = FrameRead 14:32
                %1:18 = Concat 3:2, %0
                %2:16 = OnesSum %1
                %3:1 = Equal %2, 65535:16
                %4:64 = Concat 0:63, %3
                return frame 0:32, length 60:32, egress %4

            """);
}
