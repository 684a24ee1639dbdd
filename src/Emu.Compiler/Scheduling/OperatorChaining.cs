namespace Emu.Compiler.Scheduling;

/// <summary>
/// The rule by which the stages of a pipeline and the states of an engine end: operations follow one another in a step
/// as soon as their operands are there, while the levels of logic that they make together fit into its budget.
/// </summary>
/// <remarks>
/// As-soon-as-possible scheduling with operator chaining (Paulin and Knight 1989, <em>Force-directed scheduling for the
/// behavioral synthesis of ASICs</em>). A stage asks it for each value, by the levels planned for operations alone; a
/// state for the operations in the order of the program, by those that they have in the circuit.
/// </remarks>
internal static class OperatorChaining
{
    /// <summary>
    /// True if an operation fits into a step; one that is deeper than the budget has a step of its own.
    /// </summary>
    /// <param name="hasLogic">True if there is logic in the step already that the operation follows.</param>
    /// <param name="arrival">The levels from the beginning of the step to the outcome of the operation.</param>
    /// <param name="budget">The levels that a step has time for.</param>
    public static bool Fits(bool hasLogic, int arrival, int budget) => !hasLogic || arrival <= budget;
}
