using Emu.Compiler;
using Emu.Simulation;

namespace Emu.Tool;

/// <summary>Puts together what the compiler knows of a circuit and what was measured.</summary>
internal static class ReportBuilder
{
    /// <summary>The report.</summary>
    /// <param name="compiled">The circuit.</param>
    /// <param name="arguments">The service's.</param>
    /// <param name="measured">The same circuit, measured.</param>
    public static CompileReport Of(CompiledService compiled, IReadOnlyList<string> arguments, Measurement measured)
    {
        var (design, options) = (compiled.Circuit.Design, compiled.Options);
        var top = VerilogPrinter.ModuleName(design);
        var costs = Cost.Of(compiled.Circuit);
        return new CompileReport
        {
            Service = compiled.Service,
            Arguments = arguments,
            Top = top,
            Files = [$"{top}.v"],
            BusBits = options.BusBits,
            Ports = options.Ports,
            Mtu = options.Mtu,
            ClockMhz = options.ClockMHz,
            Layout = NameOf(compiled.Layout),
            LatencyCycles = measured.Latency,
            IntervalCycles = measured.Intervals,
            Measurement = MeasuringFrames.Note(measured),
            BoundedBy = [.. compiled.Bounds.Select(BoundOf), .. LongestSteps(compiled.Circuit, measured)],
            Stages = Stage.Of(design),
            Steps = Step.Of(compiled.Circuit, measured.StepCycles),
            Costs = costs,
            Resources = Resources.Of(design, costs),
            Registers = compiled.Circuit.Registers,
            Diagnostics = [],
        };
    }

    /// <summary>A layout as users name it.</summary>
    public static string NameOf(Layout layout) => $"{layout}".ToLowerInvariant();

    private static Bound BoundOf(LayoutBound bound)
    {
        var calls = bound.Location?.Caller is { } caller ? $"; in {bound.Location.Method}, called from {caller}" : "";
        return new Bound(bound.Location?.File ?? "", bound.Location?.Line ?? 0, bound.What + calls);
    }

    /// <summary>Where most of an engine's cycles go, for each length that was looked at.</summary>
    private static IEnumerable<Bound> LongestSteps(Circuit circuit, Measurement measured)
    {
        foreach (var (length, cycles) in measured.StepCycles)
        {
            var longest = cycles.Max();
            var step = circuit.Steps[cycles.ToList().IndexOf(longest)];
            var location = step.Operations.Select(o => o.Location).FirstOrDefault(l => l is not null);
            yield return new Bound(
                location?.File ?? "",
                location?.Line ?? 0,
                $"one frame at a time: of the {measured.Intervals[length]} cycles of a frame of {length} bytes {cycles.Sum()} are in the program's states, "
                    + $"{longest} of them in {step.Title}");
        }
    }
}
