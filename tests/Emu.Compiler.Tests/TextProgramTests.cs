using Emu.Compiler.IR;
using Emu.Fuzz;

namespace Emu.Compiler.Tests;

/// <summary>
/// Random programs that parse a text: numbers one behind the other, words that are compared, and what was passed gone
/// over once more.
/// </summary>
public sealed class TextProgramTests
{
    private static readonly ProgramsOfKind s_programs = new(ProgramGenerator.ReadsTexts);

    [Fact]
    public void Parsing_programs_do_the_same_on_every_rung() => s_programs.Check();

    [Fact]
    [Slow("Icarus")]
    public void Parsing_programs_do_the_same_in_Icarus() => s_programs.CheckInIcarus();

    [Fact]
    public void Many_are_pipelines_that_parse_it_as_a_frame_passes() =>
        s_programs.CheckPipelines(12, function => function.Has(Opcode.FrameFold));
}
