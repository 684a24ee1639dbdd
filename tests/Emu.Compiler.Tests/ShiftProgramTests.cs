using Emu.Compiler.IR;
using Emu.Fuzz;

namespace Emu.Compiler.Tests;

/// <summary>Random programs that take a number of bytes out of frames that is computed.</summary>
public sealed class ShiftProgramTests
{
    private static readonly ProgramsOfKind s_programs = new(ProgramGenerator.ShiftsFrame);

    [Fact]
    public void Shifting_programs_do_the_same_on_every_rung() => s_programs.Check();

    [Fact]
    [Slow("Icarus")]
    public void Shifting_programs_do_the_same_in_Icarus() => s_programs.CheckInIcarus();

    [Fact]
    public void Many_of_them_become_pipelines_that_shift_bytes() => s_programs.CheckPipelines(8, function =>
        function.Blocks().Exists(block => block.Operations.Exists(
            operation => operation is { Opcode: Opcode.FrameMove, Operands: not [Constant, Constant, _] })));
}
