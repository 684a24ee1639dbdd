namespace Emu.Compiler.Tests;

/// <summary>The pass <c>scalar-replacement</c> makes registers of arrays that are used at constant indices.</summary>
public sealed class ScalarReplacementPassTests() : PassTests("scalar-replacement")
{
    [Fact]
    public void Elements_at_constant_indices_are_registers() =>
        AloneMakes(
            """
            memory Counts: 16 x 2 = 5, 6
            function Process
            b0:
                %0:16 = MemoryRead [Counts] 1:1
                MemoryWrite [Counts] 0:1, %0
                MemoryWrite [Counts] 1:1, 7:16
                return frame 0:32, length 60:32, egress 1:64

            """,
            """
            register Counts.1: 16 = 6
            register Counts.0: 16 = 5
            function Process
            b0:
                %0:16 = RegisterRead [Counts.1]
                RegisterWrite [Counts.0] %0
                RegisterWrite [Counts.1] 7:16
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void One_of_several_arrays_is_a_register_if_all_of_them_are() =>
        AloneMakes(
            """
            memory A: 8 x 2 = 1, 2
            memory B: 8 x 2 = 3, 4
            memory C: 8 x 2 = 5, 6
            function Process
            b0:
                %0:8 = Input Ingress
                %1:1 = Extract %0 low 0
                MemoryWrite [A | B] 1:1, 9:8, %1
                MemoryWrite [C] %1, 9:8
                return frame 0:32, length 60:32, egress 1:64

            """,
            """
            register A.1: 8 = 2
            register B.1: 8 = 4
            memory C: 8 x 2 = 5, 6
            function Process
            b0:
                %0:8 = Input Ingress
                %1:1 = Extract %0 low 0
                RegisterWrite [A.1 | B.1] 9:8, %1
                MemoryWrite [C] %1, 9:8
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void A_computed_index_selects_a_register_of_few_of_which_a_frame_writes_one_by_name() =>
        AloneMakes(
            """
            memory Counts: 16 x 2 = 5, 6
            function Process
            b0:
                %0:8 = Input Ingress
                %1:1 = Extract %0 low 0
                MemoryWrite [Counts] 1:1, 0:16
                %2:16 = MemoryRead [Counts] %1
                MemoryWrite [Counts] %1, 7:16
                return frame 0:32, length 60:32, egress 1:64

            """,
            """
            register Counts.1: 16 = 6
            register Counts.0: 16 = 5
            function Process
            b0:
                %0:8 = Input Ingress
                %1:1 = Extract %0 low 0
                RegisterWrite [Counts.1] 0:16
                %3:16 = RegisterRead [Counts.0 | Counts.1] %1
                RegisterWrite [Counts.0 | Counts.1] 7:16, %1
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void An_array_with_one_index_that_is_computed_stays_with_those_beside_it() =>
        Leaves("""
            memory A: 8 x 2 = 1, 2
            memory B: 8 x 2 = 3, 4
            function Process
            b0:
                %0:8 = Input Ingress
                %1:1 = Extract %0 low 0
                MemoryWrite [A | B] 1:1, 9:8, %1
                MemoryWrite [B] %1, 9:8
                return frame 0:32, length 60:32, egress 1:64

            """);
}
