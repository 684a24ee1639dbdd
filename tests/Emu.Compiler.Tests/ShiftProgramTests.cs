using Emu.Compiler.IR;
using Emu.Fuzz;

namespace Emu.Compiler.Tests;

/// <summary>
/// Random programs that take a number of bytes out of frames that is computed, and write at computed places.
/// </summary>
public sealed class ShiftProgramTests
{
    private static readonly ProgramsOfKind s_programs = new(ProgramGenerator.ShiftsFrame);

    [Fact]
    public void Shifting_programs_do_the_same_on_every_rung() => s_programs.Check();

    [Fact]
    [Slow("Icarus")]
    public void Shifting_programs_do_the_same_in_Icarus() => s_programs.CheckInIcarus();

    [Fact]
    public void Some_become_pipelines_that_shift_bytes() => s_programs.CheckPipelines(5, function => function.Blocks()
        .Exists(block => block.Operations.Exists(
            operation => operation is { Opcode: Opcode.FrameMove, Operands: not [Constant, Constant, _] })));

    [Fact]
    public void Some_become_pipelines_that_write_at_computed_places() => s_programs.CheckPipelines(5, function =>
        function.Blocks().Exists(block => block.Operations.Exists(
            operation => operation is { Opcode: Opcode.FrameWrite, Operands: not [Constant, _] })));
}
