namespace Emu.Compiler.Tests;

/// <summary>The pass <c>induction-variables</c> counts from 0 what goes from a computed number.</summary>
public sealed class InductionVariablesPassTests() : PassTests("induction-variables")
{
    [Theory]
    [InlineData("LessSigned %4, %3", "b2 : b3", 8)]
    [InlineData("LessUnsigned %4, %3", "b2 : b3", 8)]
    [InlineData("LessUnsigned %3, %4", "b3 : b2", 9)]
    [InlineData("Equal %4, %3", "b3 : b2", 8)]
    public void A_loop_over_the_ways_of_a_set_counts_its_turns(string condition, string ways, int turns) =>
        AloneMakes(
            Loop(condition, ways),
            $"""
            memory Rows: 8 x 4096 = 0 * 4096
            function Process
            b0:
                %0:8 = FrameRead 20:32
                %1:11 = Concat %0, 0:3
                %2:32 = Concat 0:21, %1
                %3:32 = Add %2, 8:32
                jump b1
            b1:  from b0, b3
                %4:32 = phi 0:32, %5
                %5:32 = Add %4, 1:32
                %6:32 = Add %2, %4
                %7:1 = LessUnsigned %4, {turns}:32
                %8:1 = {condition.Replace("%4", "%6", StringComparison.Ordinal)}
                branch %7 ? b3 : b2
            b2:  from b1
                return frame 0:32, length 60:32, egress 1:64
            b3:  from b1
                %9:12 = Extract %6 low 0
                %10:8 = MemoryRead [Rows] %9
                FrameWrite 0:32, %10
                %12:32 = Add %6, 1:32
                jump b1

            """);

    [Theory]
    [InlineData("LessUnsigned %4, %2", "b3 : b2")]
    [InlineData("LessUnsigned %3, %4", "b2 : b3")]
    [InlineData("LessUnsigned %4, 8:32", "b2 : b3")]
    public void One_whose_end_is_no_constant_more_stays(string condition, string ways) => Leaves(Loop(condition, ways));

    [Fact]
    public void One_that_may_overflow_stays() => Leaves(
        Loop("LessUnsigned %4, %3", "b2 : b3").Replace("Concat 0:21, %1", "Concat 2097151:21, %1"));

    [Fact]
    public void One_of_more_turns_than_its_few_bits_can_count_stays() =>
        Leaves("""
            function Process
            b0:
                %0:8 = FrameRead 20:32
                %1:1 = Extract %0 low 0
                %2:3 = Concat 0:2, %1
                %3:3 = Add %2, 6:3
                jump b1
            b1:  from b0, b2
                %4:3 = phi %2, %6
                %5:1 = LessSigned %4, %3
                branch %5 ? b2 : b3
            b2:  from b1
                %6:3 = Add %4, 1:3
                jump b1
            b3:  from b1
                return frame 0:32, length 60:32, egress 1:64

            """);

    private static string Loop(string condition, string ways) =>
        $"""
        memory Rows: 8 x 4096 = 0 * 4096
        function Process
        b0:
            %0:8 = FrameRead 20:32
            %1:11 = Concat %0, 0:3
            %2:32 = Concat 0:21, %1
            %3:32 = Add %2, 8:32
            jump b1
        b1:  from b0, b2
            %4:32 = phi %2, %9
            %5:1 = {condition}
            branch %5 ? {ways}
        b2:  from b1
            %6:12 = Extract %4 low 0
            %7:8 = MemoryRead [Rows] %6
            FrameWrite 0:32, %7
            %9:32 = Add %4, 1:32
            jump b1
        b3:  from b1
            return frame 0:32, length 60:32, egress 1:64

        """;
}
