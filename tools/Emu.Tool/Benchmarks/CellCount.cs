using Emu.Compiler.Rtl;
using Emu.Simulation;

namespace Emu.Tool;

/// <summary>
/// The cells of circuits by synthesis. A circuit that it fails with, or does not come to an end with, has none; the
/// others still have theirs.
/// </summary>
/// <param name="synthesise">
/// Synthesises a design; null when that would have taken longer than the time it is given.
/// </param>
internal sealed class CellCount(Func<Design, TimeSpan, SynthesisFigures?> synthesise)
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(30);

    private readonly Dictionary<string, string> _failures = [];

    /// <summary>The reason by the name of each circuit whose cells could not be counted.</summary>
    public IReadOnlyDictionary<string, string> Failures => _failures;

    /// <summary>Counts the cells of a circuit.</summary>
    /// <param name="design">The circuit.</param>
    /// <param name="name">By which <see cref="Failures"/> names it.</param>
    /// <returns>Null when they could not be counted.</returns>
    public SynthesisFigures? Of(Design design, string name)
    {
        try
        {
            if (synthesise(design, s_limit) is { } cells) return cells;
            _failures[name] = $"cells are not counted: synthesis did not end in {s_limit.TotalMinutes:0} minutes";
        }
        catch (SimulationException exception)
        {
            _failures[name] = $"cells are not counted: {exception.Message.ReplaceLineEndings(" ")}";
        }
        return null;
    }
}
