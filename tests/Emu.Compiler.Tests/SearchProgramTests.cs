using Emu.Compiler.IR;
using Emu.Fuzz;

namespace Emu.Compiler.Tests;

/// <summary>Random programs that search for what a loop over the payload has found.</summary>
public sealed class SearchProgramTests
{
    private static readonly ProgramsOfKind s_programs = new(ProgramGenerator.Searches);

    [Fact]
    public void Searching_programs_do_the_same_on_every_rung() => s_programs.Check();

    [Fact]
    [Slow("Icarus")]
    public void Searching_programs_do_the_same_in_Icarus() => s_programs.CheckInIcarus();

    [Fact]
    public void Some_leave_the_loop_to_the_slow_path_with_the_search() =>
        s_programs.CheckPipelines(4, function => !function.Has(Opcode.FrameFold));
}
