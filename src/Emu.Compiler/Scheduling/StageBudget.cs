namespace Emu.Compiler.Scheduling;

/// <summary>The depth that the logic of a stage may have, in the unit of <see cref="Delays"/>.</summary>
/// <param name="Logic">The limit for logic that comes from flops.</param>
/// <param name="Tables">
/// Of what comes from words of tables in the same stage, where they are compared and chosen: synthesis takes wide
/// multiplexers for that, which the estimate does not know.
/// </param>
internal readonly record struct StageBudget(int Logic, int Tables);
