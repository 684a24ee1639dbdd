using Emu.Compiler.IR;
using Emu.Fuzz;

namespace Emu.Compiler.Tests;

/// <summary>Random programs that go over the payload in a loop, or walk along lengths in it.</summary>
public sealed class FoldProgramTests
{
    private static readonly ProgramsOfKind s_programs = new(ProgramGenerator.FoldsPayload);
    private static readonly ProgramsOfKind s_walks = new(ProgramGenerator.WalksLengths);

    [Fact]
    public void Folding_programs_do_the_same_on_every_rung() => s_programs.Check();

    [Fact]
    [Slow("Icarus")]
    public void Folding_programs_do_the_same_in_Icarus() => s_programs.CheckInIcarus();

    [Fact]
    public void Many_of_them_become_pipelines_that_do_the_loop() =>
        s_programs.CheckPipelines(8, function => function.Has(Opcode.FrameFold));

    [Fact]
    public void Walking_programs_do_the_same_on_every_rung() => s_walks.Check();

    [Fact]
    public void Many_walks_are_done_in_a_pipeline() => s_walks.CheckPipelines(
        4, function => function.Blocks().SelectMany(block => block.Operations)
            .Any(operation => operation.Fold?.IsWalk == true));
}
