namespace Emu.Services;

/// <summary>The action of a step if its terms hold.</summary>
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

    /// <summary>
    /// Leaves the chain behind the steps that a rule went to without return;
    /// who walks comes here only if that rule has matched.
    /// </summary>
    LeaveBehind,
}

/// <summary>A rule, in a row that goes only forward: a chain that is jumped to stands behind each jump to it.</summary>
/// <param name="Kind">The action.</param>
/// <param name="Verdict">Of those that decide.</param>
/// <param name="FirstTerm">Its terms.</param>
/// <param name="EndTerm">Behind its last term.</param>
/// <param name="Level">The depth of its chain in jumps.</param>
/// <param name="Run">The run of steps with the same verdict that it belongs to:
/// all that matters is the run of the first step that decides.</param>
/// <param name="Then">The step that is next if the terms hold.</param>
/// <param name="Else">The step that is next if not.</param>
internal readonly record struct Step(
    StepKind Kind, Verdict Verdict, int FirstTerm, int EndTerm, byte Level, int Run, int Then, int Else);
