using Emu.Compiler.Rtl;

namespace Emu.Simulation;

/// <summary>
/// Two simulators of one design, stepped together with the same inputs: their outputs must be equal at power-up and
/// after every edge. A bench sees the first one's outputs.
/// </summary>
public sealed class LockstepSimulator : Simulator
{
    private readonly Simulator _expected;
    private readonly Simulator _actual;
    private readonly (string Name, ulong[] Given, ulong[] Expected, ulong[] Actual)[] _inputs;
    private readonly (string Name, ulong[] Shown, ulong[] Expected, ulong[] Actual)[] _outputs;

    /// <summary>Compares two simulators at power-up.</summary>
    /// <param name="expected">Any simulator; disposed of with this one.</param>
    /// <param name="actual">The simulator that is compared with it, of the same design;
    /// disposed of with this one.</param>
    /// <exception cref="ArgumentException">They simulate different designs, or are not in the same cycle.</exception>
    /// <exception cref="SimulationException">They differ at power-up.</exception>
    public LockstepSimulator(Simulator expected, Simulator actual) : base(DesignOf(expected, actual))
    {
        (_expected, _actual) = (expected, actual);
        _inputs = [.. Design.Inputs.Select(p => (p.Name, Input(p.Name), expected.Input(p.Name), actual.Input(p.Name)))];
        _outputs =
        [
            .. Design.Outputs.Select(p => (p.Name, Output(p.Name), expected.Output(p.Name), actual.Output(p.Name))),
        ];
        Compare(0);
    }

    /// <inheritdoc/>
    protected override void Edge()
    {
        foreach (var (_, given, expected, actual) in _inputs)
        {
            given.CopyTo(expected, 0);
            given.CopyTo(actual, 0);
        }
        _expected.IsInReset = _actual.IsInReset = IsInReset;
        _expected.Step();
        _actual.Step();
        Compare(Cycle + 1);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _expected.Dispose();
        _actual.Dispose();
        base.Dispose(disposing);
    }

    private static Compiler.Rtl.Design DesignOf(Simulator expected, Simulator actual)
    {
        ArgumentNullException.ThrowIfNull(expected);
        ArgumentNullException.ThrowIfNull(actual);
        if (expected.Design != actual.Design)
            throw new ArgumentException("they simulate different designs", nameof(actual));
        if (expected.Cycle != actual.Cycle)
            throw new ArgumentException(
                $"one is in cycle {expected.Cycle}, the other in {actual.Cycle}", nameof(actual));
        return expected.Design;
    }

    private void Compare(long cycle)
    {
        foreach (var (name, shown, expected, actual) in _outputs)
        {
            if (!expected.AsSpan().SequenceEqual(actual))
                throw new SimulationException(
                    $"{name} is {Hex(actual)} after {cycle} cycles in {_actual.GetType().Name}, "
                    + $"{Hex(expected)} in {_expected.GetType().Name}");
            expected.CopyTo(shown, 0);
        }
    }

    private static string Hex(ulong[] words) => string.Concat(words.Reverse().Select(w => w.ToString("x16")));
}
