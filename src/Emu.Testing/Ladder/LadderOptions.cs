using Emu.Compiler.Layouts;

namespace Emu.Testing;

/// <summary>
/// The rungs of the <see cref="Ladder"/> that a service is held to. Each circuit runs without stalls and with them.
/// </summary>
public sealed record LadderOptions
{
    /// <summary>The ports of the device, 1 to 8: behind four MAC ports the host's queues.</summary>
    public int Ports { get; init; } = HardwareOptions.DefaultPorts;

    /// <summary>The widths of the streams, in bits: some of 64, 128, 256, 512.</summary>
    public IReadOnlyList<int> BusBits { get; init; } = [256];

    /// <summary>
    /// The layouts; a service that one refuses fails. Null for the engine, and the pipeline where the service has one.
    /// </summary>
    public IReadOnlyList<Layout>? Layouts { get; init; }

    /// <summary>
    /// The least cycles between two frames in a pipeline, 1 or more, as <c>--interval</c>: a service may have a
    /// pipeline only for a longer one.
    /// </summary>
    public int Interval { get; init; } = 2;

    /// <summary>
    /// The engines to which frames are dealt in turn where the layout is one of engines, as <c>--engines</c>.
    /// </summary>
    public int Engines { get; init; } = 1;

    /// <summary>The seed of the random stalls of both streams; null for no runs with stalls.</summary>
    public ulong? StallSeed { get; init; } = 1;

    /// <summary>
    /// Simulators that run the printed Verilog, where they are installed, of each layout on the first of the buses.
    /// </summary>
    public OutsideSimulators Outside { get; init; } = OutsideSimulators.All;

    /// <summary>The number of frames that those simulators get, the first ones: they take long.</summary>
    public int OutsideFrames { get; init; } = 50;

    /// <summary>
    /// Is told, a line each, the rungs that the service was not held to and why;
    /// the standard error when nothing else is given.
    /// </summary>
    public Action<string> Output { get; init; } = Console.Error.WriteLine;
}

/// <summary>Simulators of the field.</summary>
[Flags]
public enum OutsideSimulators
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Icarus Verilog.</summary>
    Icarus = 1,

    /// <summary>Verilator.</summary>
    Verilator = 2,

    /// <summary>All.</summary>
    All = Icarus | Verilator,
}
