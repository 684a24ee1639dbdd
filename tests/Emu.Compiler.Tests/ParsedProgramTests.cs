using Emu.Compiler.IR;
using Emu.Fuzz;

namespace Emu.Compiler.Tests;

/// <summary>
/// Random programs that find an option and write it, with a checksum over it; ask a table between two parts of a
/// header; count kinds of bytes; and sum one of a few numbers of bytes.
/// </summary>
public sealed class ParsedProgramTests
{
    private static readonly ProgramsOfKind s_programs = new(ProgramGenerator.WritesParsed);

    [Fact]
    public void They_do_the_same_on_every_rung() => s_programs.Check();

    [Fact]
    [Slow("Icarus")]
    public void They_do_the_same_in_Icarus() => s_programs.CheckInIcarus();

    [Fact]
    public void Many_are_pipelines_that_do_it_as_a_frame_passes() => s_programs.CheckPipelines(
        8, function => function.Has(Opcode.FrameFold) || function.Has(Opcode.FrameSum));
}
