using Emu.Compiler.Rtl;
using Emu.Simulation;

namespace Emu.Testing;

/// <summary>A simulator of the field.</summary>
/// <param name="Name">The name of the simulator.</param>
/// <param name="WhyNot">Null when it is there, otherwise what is missing.</param>
/// <param name="Start">Starts it for each of some designs.</param>
internal sealed record OutsideSimulator(
    string Name, string? WhyNot, Func<IReadOnlyList<Design>, IReadOnlyList<Simulator>> Start)
{
    /// <summary>Icarus Verilog: one process a design.</summary>
    public static OutsideSimulator Icarus
    {
        get;
    } = new("Icarus", IcarusSimulator.WhyNot, designs => [.. designs.Select(d => new IcarusSimulator(d))]);

    /// <summary>Verilator: one build for all of the designs.</summary>
    public static OutsideSimulator Verilator
    {
        get;
    } = new(
        "Verilator",
        VerilatorSimulator.WhyNot,
        designs => VerilatorSimulator.OfAll(designs, VerilatorSimulator.CacheOfTests));

    /// <summary>The simulators of a set.</summary>
    public static IEnumerable<OutsideSimulator> Of(OutsideSimulators which)
    {
        if (which.HasFlag(OutsideSimulators.Icarus)) yield return Icarus;
        if (which.HasFlag(OutsideSimulators.Verilator)) yield return Verilator;
    }

    /// <summary>All, by their names on the command line.</summary>
    public static IReadOnlyDictionary<string, OutsideSimulator> All { get; } = new Dictionary<string, OutsideSimulator>
    {
        ["icarus"] = Icarus,
        ["verilator"] = Verilator,
    };
}
