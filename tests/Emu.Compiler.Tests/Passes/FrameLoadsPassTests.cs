namespace Emu.Compiler.Tests;

/// <summary>The pass <c>frame-loads</c> makes one operation of a loop that copies bytes of a table.</summary>
public sealed class FrameLoadsPassTests() : PassTests("frame-loads")
{
    [Fact]
    public void A_copy_of_a_table_to_a_computed_place_is_one_operation() =>
        AloneMakes(
            """
            memory text: 8 x 4 = 1, 2, 3, 4
            function Process
            b0:
                %0:8 = FrameRead 12:32
                %1:32 = Concat 0:24, %0
                %2:8 = FrameRead 13:32
                %3:32 = Concat 0:24, %2
                jump b1
            b1:  from b0, b2
                %4:32 = phi 0:32, %10
                %5:1 = LessUnsigned %4, %3
                branch %5 ? b2 : b3
            b2:  from b1
                %6:32 = Add %1, %4
                %7:32 = Add %6, 20:32
                %8:8 = MemoryRead [text] %4
                FrameWrite %7, %8
                %10:32 = Add %4, 1:32
                jump b1
            b3:  from b1
                return frame 0:32, length 60:32, egress 1:64

            """,
            """
            memory text: 8 x 4 = 1, 2, 3, 4
            function Process
            b0:
                %0:8 = FrameRead 12:32
                %1:32 = Concat 0:24, %0
                %2:8 = FrameRead 13:32
                %3:32 = Concat 0:24, %2
                %4:32 = Add %1, 20:32
                FrameLoad [text] %4, 0:32, %3
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Theory]
    [InlineData("%8:8 = MemoryRead [text] %3", "the same byte each turn")]
    [InlineData("%8:8 = FrameRead %4", "a byte of the frame")]
    [InlineData("%8:8 = MemoryRead [written] %4", "bytes that are written elsewhere")]
    public void Anything_else_stays_a_loop(string read, string what) =>
        Leaves($"""
            memory text: 8 x 256 = 1 * 256
            memory written: 8 x 256 = 1 * 256
            function Process
            b0:
                %0:8 = FrameRead 12:32
                %1:32 = Concat 0:24, %0
                %2:8 = FrameRead 13:32
                %3:32 = Concat 0:24, %2
                MemoryWrite [written] 3:32, 4:8
                jump b1
            b1:  from b0, b2
                %4:32 = phi 0:32, %10
                %5:1 = LessUnsigned %4, %3
                branch %5 ? b2 : b3
            b2:  from b1
                %6:32 = Add %1, %4
                {read}
                FrameWrite %6, %8
                %10:32 = Add %4, 1:32
                jump b1
            b3:  from b1
                return frame 0:32, length {what.Length}:32, egress 1:64

            """);
}
