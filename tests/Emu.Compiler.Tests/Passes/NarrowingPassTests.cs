namespace Emu.Compiler.Tests;

/// <summary>The pass <c>narrowing</c> uses the ranges of all values.</summary>
public sealed class NarrowingPassTests() : PassTests("narrowing")
{
    [Fact]
    public void A_frame_is_never_shorter_than_its_header_so_the_check_goes() =>
        AloneMakes(
            """
            function Process
            b0:
                %0:32 = Input Length
                %1:1 = LessUnsigned %0, 14:32
                branch %1 ? b2 : b1
            b1:  from b0
                return frame 0:32, length %0, egress 1:64
            b2:  from b0
                fault IndexOutOfRange

            """,
            """
            function Process
            b0:
                %0:32 = Input Length
                %1:11 = Extract %0 low 0
                %2:32 = Concat 0:21, %1
                %3:1 = LessUnsigned %2, 14:32
                branch 0:1 ? b2 : b1
            b1:  from b0
                return frame 0:32, length %2, egress 1:64
            b2:  from b0
                fault IndexOutOfRange

            """);

    [Fact]
    public void What_a_register_can_hold_is_what_is_ever_written_to_it() =>
        AloneMakes(
            """
            register Turn: 32 = 0
            function Process
            b0:
                %0:32 = RegisterRead [Turn]
                %1:32 = Add %0, 1:32
                %2:1 = LessUnsigned %1, 5:32
                %3:32 = Select %2, %1, 0:32
                RegisterWrite [Turn] %3
                %5:1 = LessUnsigned %0, 5:32
                branch %5 ? b2 : b1
            b1:  from b0
                fault IndexOutOfRange
            b2:  from b0
                return frame 0:32, length 60:32, egress 1:64

            """,
            """
            register Turn: 32 = 0
            function Process
            b0:
                %0:32 = RegisterRead [Turn]
                %1:3 = Extract %0 low 0
                %2:32 = Concat 0:29, %1
                %3:32 = Add %2, 1:32
                %4:3 = Extract %3 low 0
                %5:32 = Concat 0:29, %4
                %6:1 = LessUnsigned %5, 5:32
                %7:32 = Select %6, %5, 0:32
                %8:3 = Extract %7 low 0
                %9:32 = Concat 0:29, %8
                RegisterWrite [Turn] %9
                %11:1 = LessUnsigned %2, 5:32
                branch 1:1 ? b2 : b1
            b1:  from b0
                fault IndexOutOfRange
            b2:  from b0
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void A_check_that_one_byte_of_256_fails_stays() =>
        Leaves("""
            function Process
            b0:
                %0:8 = FrameRead 12:32
                %1:1 = LessUnsigned %0, 255:8
                branch %1 ? b2 : b1
            b1:  from b0
                fault IndexOutOfRange
            b2:  from b0
                return frame 0:32, length 60:32, egress 1:64

            """);
}
