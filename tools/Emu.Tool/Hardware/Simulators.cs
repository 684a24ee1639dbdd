using Emu.Compiler.Rtl;
using Emu.Hosting;
using Emu.Simulation;

namespace Emu.Tool;

/// <summary>The simulators that a user can choose.</summary>
internal static class Simulators
{
    /// <summary>The one that needs nothing.</summary>
    public const string Managed = "managed";

    private const string Icarus = "icarus";
    private const string Verilator = "verilator";

    /// <summary>Their names; the first is taken when nothing is said.</summary>
    public static IReadOnlyList<string> Names { get; } = [Managed, Icarus, Verilator];

    /// <summary>Checks that a simulator is there; as root, gets what it lacks.</summary>
    /// <returns>Its name.</returns>
    /// <exception cref="CommandException">There is none of that name, or it is not installed and cannot be.</exception>
    public static string Check(string name)
    {
        var (programs, whyNot) = name switch
        {
            Managed => ((IReadOnlyList<(string, string)>)[], (Func<string?>)(() => null)),
            Icarus => (Prerequisites.Icarus, () => IcarusSimulator.WhyNot),
            Verilator => (Prerequisites.Verilator, () => VerilatorSimulator.WhyNot),
            _ => throw CommandException.Usage($"--with: '{name}' is none of {string.Join(", ", Names)}"),
        };
        Prerequisites.Install([.. programs]);
        return whyNot() is { } why
            ? throw CommandException.Failure($"--with {name}: {why}, or take --with {Managed}")
            : name;
    }

    /// <summary>Starts one.</summary>
    /// <param name="name">Checked.</param>
    /// <param name="design">The design that it simulates.</param>
    /// <param name="vcd">A file for the waveforms; null for none.</param>
    /// <param name="waveforms">The same, open, for the managed one.</param>
    /// <exception cref="SimulationException">It does not start.</exception>
    public static Simulator Start(string name, Design design, string? vcd, TextWriter? waveforms)
    {
        // Verilator builds a program first.
        using var progress = Progress.Of($"starting {name}");
        if (name == Icarus) return new IcarusSimulator(design, vcd);
        if (name == Verilator)
            return new VerilatorSimulator(design, vcd, Repository.Cache("verilator"));
        var simulator = new ManagedSimulator(design);
        if (waveforms is not null) simulator.TraceTo(waveforms);
        return simulator;
    }
}
