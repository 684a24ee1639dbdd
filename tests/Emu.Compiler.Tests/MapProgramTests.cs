using Emu.Compiler.IR;
using Emu.Fuzz;

namespace Emu.Compiler.Tests;

/// <summary>Random programs that write the payload in a loop.</summary>
public sealed class MapProgramTests
{
    private static readonly ProgramsOfKind s_programs = new(ProgramGenerator.MapsPayload);

    [Fact]
    public void Writing_programs_do_the_same_on_every_rung() => s_programs.Check();

    [Fact]
    [Slow("Icarus")]
    public void Writing_programs_do_the_same_in_Icarus() => s_programs.CheckInIcarus();

    [Fact]
    public void Many_of_them_become_pipelines_that_do_the_loop() =>
        s_programs.CheckPipelines(6, function => function.Has(Opcode.FrameMap));
}
