using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>The pass <c>delinearisation</c> makes an array for each column of an array of rows.</summary>
public sealed class DelinearisationPassTests() : PassTests("delinearisation")
{
    [Fact]
    public void Rows_of_two_elements_are_two_arrays() =>
        AloneMakes(
            """
            memory Rows: 16 x 6 = 1, 2, 3, 4, 5, 6
            function Process
            b0:
                %0:8 = Input Ingress
                %1:2 = Extract %0 low 1
                %2:3 = Concat %1, 0:1
                %3:3 = Concat %1, 1:1
                %4:16 = MemoryRead [Rows] %2
                MemoryWrite [Rows] %3, %4
                return frame 0:32, length 60:32, egress 1:64

            """,
            """
            memory Rows.0: 16 x 3 = 1, 3, 5
            memory Rows.1: 16 x 3 = 2, 4, 6
            function Process
            b0:
                %0:8 = Input Ingress
                %1:2 = Extract %0 low 1
                %2:3 = Concat %1, 0:1
                %3:3 = Concat %1, 1:1
                %4:3 = Concat 0:1, %1
                %5:16 = MemoryRead [Rows.0] %4
                %6:3 = Concat 0:1, %1
                MemoryWrite [Rows.1] %6, %5
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void An_index_that_does_not_say_its_column_leaves_the_array_one() =>
        Leaves(
            """
            memory Rows: 16 x 6 = 1, 2, 3, 4, 5, 6
            function Process
            b0:
                %0:8 = Input Ingress
                %1:2 = Extract %0 low 1
                %2:3 = Extract %0 low 1
                %3:3 = Concat %1, 1:1
                %4:16 = MemoryRead [Rows] %2
                MemoryWrite [Rows] %3, %4
                return frame 0:32, length 60:32, egress 1:64

            """);

    [Fact]
    public void What_is_deferred_chooses_among_the_columns() =>
        AloneMakes(
            """
            memory Rows: 16 x 4 = 1, 2, 3, 4
            function Process
            b0:
                %0:8 = Input Ingress
                %1:1 = Extract %0 low 1
                %2:3 = Extract %0 low 0
                %3:2 = Extract %0 low 0
                %4:1 = Equal %2, 5:3
                branch %4 ? b1 : b2
            b1:  from b0
                side-exit b3 "it is rare"
            b2:  from b0
                %5:2 = Concat %1, 0:1
                %6:2 = Concat %1, 1:1
                %7:16 = MemoryRead [Rows] %5
                MemoryWrite [Rows] %6, %7
                return frame 0:32, length 60:32, egress 1:64
            b3:  from b1
                %9:16 = MemoryRead [Rows] %3
                MemoryWrite [Rows] %3, 7:16
                FrameWrite 0:32, %9
                return frame 0:32, length 60:32, egress 1:64

            """,
            """
            memory Rows.0: 16 x 2 = 1, 3
            memory Rows.1: 16 x 2 = 2, 4
            function Process
            b0:
                %0:8 = Input Ingress
                %1:1 = Extract %0 low 1
                %2:3 = Extract %0 low 0
                %3:2 = Extract %0 low 0
                %4:1 = Equal %2, 5:3
                branch %4 ? b2 : b1
            b1:  from b0
                %5:2 = Concat %1, 0:1
                %6:2 = Concat %1, 1:1
                %7:2 = Concat 0:1, %1
                %8:16 = MemoryRead [Rows.0] %7
                %9:2 = Concat 0:1, %1
                MemoryWrite [Rows.1] %9, %8
                return frame 0:32, length 60:32, egress 1:64
            b2:  from b0
                side-exit b3 "it is rare"
            b3:  from b2
                %11:1 = Extract %0 low 1
                %12:2 = Concat 0:1, %11
                %13:1 = Extract %0 low 0
                %14:16 = MemoryRead [Rows.0 | Rows.1] %12, %13
                %15:1 = Extract %0 low 1
                %16:2 = Concat 0:1, %15
                %17:1 = Extract %0 low 0
                MemoryWrite [Rows.0 | Rows.1] %16, 7:16, %17
                FrameWrite 0:32, %14
                return frame 0:32, length 60:32, egress 1:64

            """);

    public static TheoryData<int> Strides => [2, 3, 5, 8, 24, 31, 100];

    [Theory]
    [MemberData(nameof(Strides))]
    public void Columns_of_rows_of_any_length_are_right(int stride) => Ladder.Check(
        () => new RowsOfCells(stride, rows: 9),
        options: new LadderOptions { BusBits = [64, 256], Outside = OutsideSimulators.None });
}
