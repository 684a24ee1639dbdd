namespace Emu.Compiler.Tests;

/// <summary>The pass <c>division</c> makes two functions of one with side exits.</summary>
public sealed class DivisionPassTests() : PassTests("division")
{
    [Fact]
    public void One_part_ends_at_the_exit_and_the_other_handles_only_frames_that_reach_it() =>
        AloneMakes(
            """
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b3 : b1
            b1:  from b0
                side-exit b2 "a copy is sent"
            b2:  from b1
                Send 0:32, %0, 1:64
                return frame 0:32, length %0, egress 2:64
            b3:  from b0
                return frame 0:32, length %0, egress 1:64

            """,
            """
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b2 : b1
            b1:  from b0
                side-exit "a copy is sent"
            b2:  from b0
                return frame 0:32, length %0, egress 1:64
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b3 : b1
            b1:  from b0
                jump b2
            b2:  from b1
                Send 0:32, %0, 1:64
                return frame 0:32, length %0, egress 2:64
            b3:  from b0
                side-exit "such events are not deferred"

            """);

    /// <summary>The header is known as soon as the frame is, so the door closes before another comes.</summary>
    [Fact]
    public void A_frame_that_the_header_defers_has_none_that_follow_it() =>
        AloneMakes(
            """
            register Last: 32 = 0
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b3 : b1
            b1:  from b0
                side-exit b2 "a copy is sent"
            b2:  from b1
                RegisterWrite [Last] %0
                return frame 0:32, length %0, egress 2:64
            b3:  from b0
                %2:32 = RegisterRead [Last]
                return frame 0:32, length %2, egress 1:64

            """,
            """
            register Last: 32 = 0
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b2 : b1
            b1:  from b0
                side-exit "a copy is sent"
            b2:  from b0
                %2:32 = RegisterRead [Last]
                return frame 0:32, length %2, egress 1:64
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b3 : b1
            b1:  from b0
                jump b2
            b2:  from b1
                RegisterWrite [Last] %0
                return frame 0:32, length %0, egress 2:64
            b3:  from b0
                side-exit "such events are not deferred"

            """);

    /// <summary>Frames have come behind it when the state has decided, and its write is before their reads.</summary>
    [Fact]
    public void Behind_one_that_shared_state_defers_all_go_the_same_way() =>
        AloneMakes(
            """
            register Last: 32 = 0
            function Process
            b0:
                %0:32 = Input Length
                %1:32 = RegisterRead [Last]
                %2:1 = LessUnsigned %0, %1
                branch %2 ? b3 : b1
            b1:  from b0
                side-exit b2 "a copy is sent"
            b2:  from b1
                RegisterWrite [Last] %0
                return frame 0:32, length %0, egress 2:64
            b3:  from b0
                return frame 0:32, length %0, egress 1:64

            """,
            """
            register Last: 32 = 0
            function Process
            b0:
                %0:32 = Input Length
                %1:32 = RegisterRead [Last]
                %2:1 = LessUnsigned %0, %1
                branch %2 ? b2 : b1
            b1:  from b0
                side-exit "a copy is sent"
            b2:  from b0
                return frame 0:32, length %0, egress 1:64
            function Process
            b0:
                %0:32 = Input Length
                %1:32 = RegisterRead [Last]
                %2:1 = LessUnsigned %0, %1
                branch %2 ? b3 : b1
            b1:  from b0
                jump b2
            b2:  from b1
                RegisterWrite [Last] %0
                return frame 0:32, length %0, egress 2:64
            b3:  from b0
                return frame 0:32, length %0, egress 1:64

            """);

    [Fact]
    public void A_function_without_exits_stays_whole() =>
        Leaves("""
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 100:32
                branch %1 ? b3 : b1
            b1:  from b0
                jump b2
            b2:  from b1
                Send 0:32, %0, 1:64
                return frame 0:32, length %0, egress 2:64
            b3:  from b0
                return frame 0:32, length %0, egress 1:64

            """);
}
