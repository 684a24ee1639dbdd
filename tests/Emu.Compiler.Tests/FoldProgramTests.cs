using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Fuzz;

namespace Emu.Compiler.Tests;

/// <summary>
/// Random programs that go over the payload in a loop, walk along lengths in it, or go over it again with what a table
/// says.
/// </summary>
public sealed class FoldProgramTests
{
    private static readonly ProgramsOfKind s_programs = new(ProgramGenerator.FoldsPayload);
    private static readonly ProgramsOfKind s_walks = new(ProgramGenerator.WalksLengths);

    private static readonly ProgramsOfKind s_classes = new(ProgramGenerator.Classifies);

    private static readonly ProgramsOfKind s_sparse = new(ProgramGenerator.PassesOver);

    private static readonly ProgramsOfKind s_sums = new(ProgramGenerator.SumsWalked);

    private static readonly ProgramsOfKind s_lookUps = new(ProgramGenerator.LooksUp);

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

    [Fact]
    public void Programs_that_do_not_read_some_bytes_do_the_same_on_every_rung() => s_sparse.Check();

    [Fact]
    public void Many_of_these_are_done_in_a_pipeline() =>
        s_sparse.CheckPipelines(8, function => function.Has(Opcode.FrameFold));

    [Fact]
    public void Programs_that_sum_what_they_have_walked_do_the_same_on_every_rung() => s_sums.Check();

    [Fact]
    public void Some_of_these_are_done_in_a_pipeline() =>
        s_sums.CheckPipelines(4, function => function.Blocks().SelectMany(block => block.Operations)
            .Any(operation => operation.Opcode == Opcode.FrameSum && LateSums.IsLate(operation)));

    [Fact]
    public void Programs_that_ask_a_table_for_each_byte_do_the_same_on_every_rung() => s_classes.Check();

    [Fact]
    [Slow("Icarus")]
    public void Programs_that_ask_a_table_for_each_byte_do_the_same_in_Icarus() => s_classes.CheckInIcarus();

    [Fact]
    public void Many_of_those_are_pipelines_that_ask_it() =>
        s_classes.CheckPipelines(6, function => function.Has(Opcode.FrameFold));

    [Fact]
    public void Programs_that_look_up_do_the_same_on_every_rung() => s_lookUps.Check();

    [Fact]
    [Slow("Icarus")]
    public void Programs_that_look_up_do_the_same_in_Icarus() => s_lookUps.CheckInIcarus();

    [Fact]
    public void Many_of_those_go_over_the_payload_again() => s_lookUps.CheckPipelines(
        6, function => function.Blocks().SelectMany(block => block.Operations)
            .Any(operation => operation.Fold?.Words > 0));
}
