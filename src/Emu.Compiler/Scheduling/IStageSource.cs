using Emu.Compiler.IR;

namespace Emu.Compiler.Scheduling;

/// <summary>The values with which a schedule begins, and those that it has to treat in a way of their own.</summary>
internal interface IStageSource
{
    /// <summary>The stage and level at which a value comes that is no operation on others.</summary>
    (int Stage, int Level) PlaceOf(Value value);

    /// <summary>True if a value is a word of a table, or bits of one.</summary>
    bool IsWord(Value value);

    /// <summary>
    /// True if a value is used from flops only, in the stage after the one that computes it.
    /// </summary>
    bool IsKept(Value value);
}
