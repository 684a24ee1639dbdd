using Emu.Compiler;
using Emu.Compiler.Reports;
using Emu.Simulation;

namespace Emu.Fuzz;

/// <summary>
/// Holds what is said of a random program's circuit against what another bench counts, and against the budget of its
/// clock.
/// </summary>
internal static class Promises
{
    /// <summary>Frames that a program is measured with.</summary>
    private const int Frames = 3;

    /// <summary>The promises that are broken, in words; null when none is.</summary>
    /// <param name="subject">The program.</param>
    /// <param name="frames">Of it.</param>
    public static string? Broken(Subject subject, IReadOnlyList<IncomingFrame> frames)
    {
        var compiled = FastestCircuit.Of(subject);
        var given = frames.Where(frame => frame.Bytes.Length > 0)
            .Take(Frames).Select(frame => (ReadOnlyMemory<byte>)frame.Bytes);
        var measured = Measurement.Of(compiled, TestTraffic.Given("random frames", given));
        using var trial = new MeasurementTrial(compiled);
        List<string> broken = [.. trial.BrokenPromises(measured), .. OverBudget(compiled)];
        return broken.Count == 0 ? null : string.Join("; ", broken);
    }

    private static IEnumerable<string> OverBudget(CompiledService compiled)
    {
        var said = LongPath.Of(compiled.Circuit, compiled.Options);
        foreach (var step in compiled.Circuit.Steps)
        {
            if (step.Levels > compiled.Options.Levels && !said.Any(path => path.Levels >= step.Levels))
                yield return $"{step.Title} has {step.Levels} levels of logic, and that is not said";
        }
    }
}
