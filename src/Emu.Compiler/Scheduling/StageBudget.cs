namespace Emu.Compiler.Scheduling;

/// <summary>The depth that the logic of a stage may have, in the unit of <see cref="Delays"/>.</summary>
/// <param name="Logic">The limit for logic that comes from flops.</param>
/// <param name="Tables">
/// Of what comes from words of tables in the same stage, where they are compared and chosen: synthesis takes wide
/// multiplexers for that, which the estimate does not know.
/// </param>
/// <param name="IsForLoops">True if all levels are used, so that loops through tables fit.</param>
internal readonly record struct StageBudget(int Logic, int Tables, bool IsForLoops)
{
    /// <summary>
    /// Levels that stages leave to what the estimate does not know, with and without words of tables.
    /// </summary>
    private const int Reserve = 1, TableReserve = 3;

    /// <summary>The budget of a clock that has time for so many levels.</summary>
    public static StageBudget Of(int levels) => new(Within(levels - Reserve), Within(levels - TableReserve), false);

    /// <summary>
    /// The budget for writes to a table that need so much logic from its own words that they would not fit otherwise.
    /// </summary>
    public static StageBudget ForLoops(int levels) => new(Within(levels), Within(levels), true);

    private static int Within(int levels) => Delays.Level * Math.Max(1, levels);
}
