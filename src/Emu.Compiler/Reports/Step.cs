using Emu.Compiler.IR;
using Emu.Compiler.Layouts;

namespace Emu.Compiler.Reports;

/// <summary>
/// The work of a circuit on a frame in one cycle, in terms of the C#: a stage of a pipeline or a state of an engine.
/// </summary>
/// <param name="Title">One line.</param>
/// <param name="Lines">
/// The C# that is done there: lines of the service, each with those of what it calls behind it.
/// </param>
/// <param name="Reads">The state of the service that is read.</param>
/// <param name="Writes">The state of the service that is written.</param>
/// <param name="Next">The steps that may follow, by their place in the list.</param>
/// <param name="Levels">Levels of logic between its flops, estimated before synthesis.</param>
/// <param name="Picoseconds">The time that they take on the device, wiring assumed; estimated as well.</param>
/// <param name="Luts">LUTs of six inputs that its operations take, estimated before synthesis.</param>
/// <param name="Dsps">Multipliers that its operations take, estimated before synthesis.</param>
/// <param name="Cycles">
/// Cycles that a frame alone spends in it, by the bytes of the frame; empty where that was not measured.
/// </param>
public sealed record Step(
    string Title,
    IReadOnlyList<SourceLine> Lines,
    IReadOnlyList<string> Reads,
    IReadOnlyList<string> Writes,
    IReadOnlyList<int> Next,
    double Levels,
    long Picoseconds,
    long Luts,
    long Dsps,
    IReadOnlyDictionary<int, long> Cycles)
{
    /// <summary>The steps of a circuit.</summary>
    /// <param name="circuit">The circuit.</param>
    /// <param name="cycles">For lengths of frames the cycles of each step; may be empty.</param>
    public static IReadOnlyList<Step> Of(Circuit circuit, IReadOnlyDictionary<int, IReadOnlyList<long>> cycles)
    {
        ArgumentNullException.ThrowIfNull(circuit);
        ArgumentNullException.ThrowIfNull(cycles);
        return [.. circuit.Steps.Select((step, i) =>
        {
            var (luts, dsps) = SizeOf(step);
            return new Step(
                step.Title,
                LinesOf(step),
                NamesOf(step, isWrite: false),
                NamesOf(step, isWrite: true),
                step.Next,
                Math.Round(step.Levels, 1),
                (long)Math.Round(step.Picoseconds),
                luts,
                dsps,
                cycles.ToDictionary(c => c.Key, c => c.Value[i]));
        })];
    }

    /// <summary>
    /// Taken for itself: what other steps compute is there, and what this one does not use itself is asked of it.
    /// </summary>
    private static (long Luts, long Dsps) SizeOf(CircuitStep step)
    {
        var own = step.Operations.ToHashSet<Value>(ReferenceEqualityComparer.Instance);
        var used = step.Operations.SelectMany(o => o.Operands).ToHashSet(ReferenceEqualityComparer.Instance);
        var logic = new LogicEstimate(
            [.. step.Operations.Where(o => !used.Contains(o))], value => !own.Contains(value));
        return ((long)Math.Round(step.Operations.Sum(logic.LutsOf)), step.Operations.Sum(o => (long)logic.DspsOf(o)));
    }

    private static IReadOnlyList<SourceLine> LinesOf(CircuitStep step) =>
        SourceLine.Tree(step.Operations.Select(o => o.Location)
            .Concat(step.Accesses.Select(a => a.Location)).OfType<SourceLocation>());

    private static List<string> NamesOf(CircuitStep step, bool isWrite) =>
        [.. step.Accesses.Where(a => a.IsWrite == isWrite)
            .Select(a => a.Element.Name).Distinct().Order(StringComparer.Ordinal)];
}
