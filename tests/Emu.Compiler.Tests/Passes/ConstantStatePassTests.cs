namespace Emu.Compiler.Tests;

/// <summary>The pass <c>constant-state</c> makes constants of reads of state that nothing writes.</summary>
public sealed class ConstantStatePassTests() : PassTests("constant-state")
{
    [Fact]
    public void What_nothing_writes_is_a_constant() =>
        AloneMakes(
            """
            register Limit: 8 = 9
            memory Table: 16 x 4 = 5, 6, 7, 8
            function Process
            b0:
                %0:8 = RegisterRead [Limit]
                %1:16 = MemoryRead [Table] 2:2
                FrameWrite 0:32, %0
                FrameWrite 1:32, %1
                return frame 0:32, length 60:32, egress 1:64

            """,
            """
            register Limit: 8 = 9
            memory Table: 16 x 4 = 5, 6, 7, 8
            function Process
            b0:
                %0:8 = RegisterRead [Limit]
                %1:16 = MemoryRead [Table] 2:2
                FrameWrite 0:32, 9:8
                FrameWrite 1:32, 7:16
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void One_of_several_registers_is_a_choice_of_constants() =>
        AloneMakes(
            """
            register A: 8 = 1
            register B: 8 = 2
            function Process
            b0:
                %0:8 = Input Ingress
                %1:8 = RegisterRead [A | B] %0
                FrameWrite 0:32, %1
                return frame 0:32, length 60:32, egress 1:64

            """,
            """
            register A: 8 = 1
            register B: 8 = 2
            function Process
            b0:
                %0:8 = Input Ingress
                %1:1 = Equal %0, 1:8
                %2:8 = Select %1, 2:8, 1:8
                %3:8 = RegisterRead [A | B] %0
                FrameWrite 0:32, %2
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void What_a_tick_writes_and_an_element_at_an_unknown_index_are_read() =>
        Leaves("""
            register Limit: 8 = 9
            memory Table: 16 x 4 = 5, 6, 7, 8
            function Process
            b0:
                %0:8 = Input Ingress
                %1:8 = RegisterRead [Limit]
                %2:16 = MemoryRead [Table] %0
                FrameWrite 0:32, %1
                FrameWrite 1:32, %2
                return frame 0:32, length 60:32, egress 1:64
            function Tick
            b0:
                RegisterWrite [Limit] 10:8
                return frame 0:32, length 0:32, egress 0:64

            """);
}
