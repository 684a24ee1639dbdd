namespace Emu.Compiler.Scheduling;

/// <summary>How deep the logic of a stage may be, in the unit of <see cref="Delays"/>.</summary>
/// <param name="Logic">Of what comes from flops.</param>
/// <param name="Tables">
/// Of what comes from words of tables in the same stage, where they are compared and chosen: synthesis takes wide multiplexers for that, which the
/// estimate does not know.
/// </param>
internal readonly record struct StageBudget(int Logic, int Tables);
