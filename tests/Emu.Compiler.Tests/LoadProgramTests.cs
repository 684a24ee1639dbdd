using Emu.Compiler.IR;
using Emu.Fuzz;

namespace Emu.Compiler.Tests;

/// <summary>Random programs that copy tables into the frame.</summary>
public sealed class LoadProgramTests
{
    private static readonly ProgramsOfKind s_programs = new(ProgramGenerator.LoadsText);

    [Fact]
    public void Copying_programs_do_the_same_on_every_rung() => s_programs.Check();

    [Fact]
    [Slow("Icarus")]
    public void Copying_programs_do_the_same_in_Icarus() => s_programs.CheckInIcarus();

    [Fact]
    public void Some_become_pipelines_that_copy_as_the_frame_leaves() =>
        s_programs.CheckPipelines(5, function => function.Has(Opcode.FrameLoad));
}
