namespace Emu.Direction.Probes;

/// <summary>
/// The settings of a probe, by their numbers. Behind them are two for each comparison of its condition: its sides and
/// its constant.
/// </summary>
internal enum ProbeSetting
{
    /// <summary>1 while it works.</summary>
    Active,

    /// <summary>Read: the events so far. Written: the most that it takes; it is cleared.</summary>
    Events,

    /// <summary>
    /// Read: the events that found it full; of a counter the most that it is to show. Written: it is cleared.
    /// </summary>
    Overflow,

    /// <summary>
    /// The truth table of its condition: bit <i>r</i> says whether it holds where bit <i>i</i> of <i>r</i> is the
    /// outcome of comparison <i>i</i>.
    /// </summary>
    Table,

    /// <summary>The sides of the first comparison.</summary>
    Sides,
}
