using Emu.Compiler.IR;
using Emu.Fuzz;

namespace Emu.Compiler.Tests;

/// <summary>Random programs that move the bytes of frames about.</summary>
public sealed class MoveProgramTests
{
    private static readonly ProgramsOfKind s_programs = new(ProgramGenerator.MovesFrame);

    [Fact]
    public void Moving_programs_do_the_same_on_every_rung() => s_programs.Check();

    [Fact]
    [Slow("Icarus")]
    public void Moving_programs_do_the_same_in_Icarus() => s_programs.CheckInIcarus();

    [Fact]
    public void Most_of_them_become_pipelines_that_move_bytes() =>
        s_programs.CheckPipelines(12, function => function.Has(Opcode.FrameMove));
}
