namespace Emu.Compiler.Tests;

/// <summary>The pass <c>accumulators</c> makes one operation of a counter that is only added to.</summary>
public sealed class AccumulatorsPassTests() : PassTests("accumulators")
{
    [Fact]
    public void What_is_only_added_to_is_counted() =>
        AloneMakes(
            """
            register Bytes: 64 = 0
            function Process
            b0:
                %0:32 = Input Length
                %1:64 = RegisterRead [Bytes]
                %2:64 = ZeroExtend %0
                %3:64 = Add %1, %2
                RegisterWrite [Bytes] %3
                return frame 0:32, length %0, egress 1:64

            """,
            """
            register Bytes: 64 = 0
            function Process
            b0:
                %0:32 = Input Length
                Count [Bytes] %0
                return frame 0:32, length %0, egress 1:64

            """);

    [Fact]
    public void Two_amounts_that_are_added_in_a_row_are_counted_each() =>
        AloneMakes(
            """
            register Bytes: 64 = 0
            function Process
            b0:
                %0:32 = Input Length
                %1:64 = RegisterRead [Bytes]
                %2:64 = ZeroExtend %0
                %3:64 = Add %1, %2
                %4:64 = Add %3, 20:64
                RegisterWrite [Bytes] %4
                %6:64 = RegisterRead [Bytes]
                %7:64 = Add %6, 1:64
                RegisterWrite [Bytes] %7
                return frame 0:32, length %0, egress 1:64

            """,
            """
            register Bytes: 64 = 0
            function Process
            b0:
                %0:32 = Input Length
                Count [Bytes] %0
                Count [Bytes] 20:5
                Count [Bytes] 1:1
                return frame 0:32, length %0, egress 1:64

            """);

    [Fact]
    public void A_counter_that_a_tick_reads_is_a_number() =>
        Leaves("""
            register Bytes: 64 = 0
            function Process
            b0:
                %0:32 = Input Length
                %1:64 = RegisterRead [Bytes]
                %2:64 = ZeroExtend %0
                %3:64 = Add %1, %2
                RegisterWrite [Bytes] %3
                return frame 0:32, length %0, egress 1:64
            function Tick
            b0:
                %0:64 = RegisterRead [Bytes]
                return frame 0:32, length 0:32, egress %0

            """);

    [Fact]
    public void A_counter_that_does_not_begin_at_0_is_a_number() =>
        Leaves("""
            register Bytes: 64 = 5
            function Process
            b0:
                %0:64 = RegisterRead [Bytes]
                %1:64 = Add %0, 1:64
                RegisterWrite [Bytes] %1
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void A_counter_that_only_the_slow_path_reads_is_counted() =>
        AloneMakes(
            """
            register Bytes: 64 = 0
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b3 : b1
            b1:  from b0
                side-exit b2 "a count is read"
            b2:  from b1
                %2:64 = RegisterRead [Bytes]
                return frame 0:32, length %0, egress %2
            b3:  from b0
                %3:64 = RegisterRead [Bytes]
                %4:64 = Add %3, 1:64
                RegisterWrite [Bytes] %4
                return frame 0:32, length %0, egress 1:64

            """,
            """
            register Bytes: 64 = 0
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b2 : b1
            b1:  from b0
                side-exit "a count is read"
            b2:  from b0
                Count [Bytes] 1:1
                return frame 0:32, length %0, egress 1:64
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b3 : b1
            b1:  from b0
                jump b2
            b2:  from b1
                %2:64 = RegisterRead [Bytes]
                return frame 0:32, length %0, egress %2
            b3:  from b0
                side-exit "such events are not deferred"

            """,
            place: 1);

    [Fact]
    public void A_counter_that_only_the_slow_path_sets_is_counted() =>
        AloneMakes(
            """
            register Bytes: 64 = 0
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b3 : b1
            b1:  from b0
                side-exit b2 "a count is set"
            b2:  from b1
                RegisterWrite [Bytes] 7:64
                return frame 0:32, length %0, egress 1:64
            b3:  from b0
                %2:64 = RegisterRead [Bytes]
                %3:64 = Add %2, 1:64
                RegisterWrite [Bytes] %3
                return frame 0:32, length %0, egress 1:64

            """,
            """
            register Bytes: 64 = 0
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b2 : b1
            b1:  from b0
                side-exit "a count is set"
            b2:  from b0
                Count [Bytes] 1:1
                return frame 0:32, length %0, egress 1:64
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b3 : b1
            b1:  from b0
                jump b2
            b2:  from b1
                RegisterWrite [Bytes] 7:64
                return frame 0:32, length %0, egress 1:64
            b3:  from b0
                side-exit "such events are not deferred"

            """,
            place: 1);
}
