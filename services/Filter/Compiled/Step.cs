namespace Emu.Services;

/// <summary>What a step does if its terms hold.</summary>
internal enum StepKind : byte
{
    /// <summary>Nothing: a rule without target.</summary>
    Continue,

    /// <summary>Decides.</summary>
    Decide,

    /// <summary>Enters the steps that follow, of the chain a level deeper.</summary>
    Enter,

    /// <summary>Leaves the chain.</summary>
    Leave,
}

/// <summary>A rule, in a row that goes only forward: a chain that is jumped to stands behind each jump to it.</summary>
/// <param name="Kind">What it does.</param>
/// <param name="Verdict">Of those that decide.</param>
/// <param name="FirstTerm">Its terms.</param>
/// <param name="EndTerm">Behind its last term.</param>
/// <param name="Level">How many jumps deep its chain is.</param>
/// <param name="Run">Which run of steps with the same verdict it belongs to: what matters is which of these is the first to decide.</param>
/// <param name="Then">The step that is next if the terms hold.</param>
/// <param name="Else">The step that is next if not.</param>
internal readonly record struct Step(StepKind Kind, Verdict Verdict, int FirstTerm, int EndTerm, byte Level, int Run, int Then, int Else);
