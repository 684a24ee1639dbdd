namespace Emu.Direction.Probes;

/// <summary>
/// The settings of a probe, by their numbers; each reads as what it has counted. Behind them are two for each
/// comparison of its condition: its sides and its constant.
/// </summary>
internal enum ProbeSetting
{
    /// <summary>1 while it works.</summary>
    Active,

    /// <summary>The most that it takes; it is cleared.</summary>
    Most,

    /// <summary>It is cleared, whatever is written.</summary>
    Clear,

    /// <summary>
    /// The truth table of its condition: bit <i>r</i> says whether it holds where bit <i>i</i> of <i>r</i> is the
    /// outcome of comparison <i>i</i>.
    /// </summary>
    Table,

    /// <summary>The sides of the first comparison.</summary>
    Sides,
}
