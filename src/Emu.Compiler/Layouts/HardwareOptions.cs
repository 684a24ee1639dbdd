namespace Emu.Compiler.Layouts;

/// <summary>The properties of the device that a service is compiled for.</summary>
public sealed record HardwareOptions
{
    /// <summary>The widths that a stream can have, in bits.</summary>
    public static IReadOnlyList<int> BusWidths => [64, 128, 256, 512];

    /// <summary>
    /// The most MAC ports: a source or destination field has eight bits, and every other is a host queue.
    /// </summary>
    public const int MaxPorts = 4;

    /// <summary>Bits of <c>tdata</c>.</summary>
    public int BusBits { get; init; } = 256;

    /// <summary>MAC ports, 1 to <see cref="MaxPorts"/>.</summary>
    public int Ports { get; init; } = MaxPorts;

    /// <summary>The clock that logic depth is budgeted for, in MHz.</summary>
    public int ClockMHz { get; init; } = 200;

    /// <summary>
    /// Levels of logic that a cycle of the clock has time for between two flops: the one budget for stages of
    /// pipelines, states of engines and slow paths. A level, a LUT with the wiring to the next, is taken to need 1/2200
    /// of a microsecond on the devices of the boards.
    /// </summary>
    public int Levels => LevelsAtOneMHz / ClockMHz;

    /// <summary>The fastest clock, in MHz, that has time for a path.</summary>
    /// <param name="levels">The path's levels of logic; more than 0.</param>
    public static int ClockFor(double levels) => (int)(LevelsAtOneMHz / levels);

    private const int LevelsAtOneMHz = 2200;

    /// <summary>The longest payload of an Ethernet frame, in bytes.</summary>
    public int Mtu { get; init; } = 1500;

    /// <summary>The least cycles between two frames in a pipeline.</summary>
    public int Interval { get; init; } = 2;

    /// <summary>
    /// The most bits of tables' words that are forwarded from writes of the frames ahead to reads that come before
    /// them. Each costs logic, and a pipeline of a longer interval has none of them.
    /// </summary>
    public int MaxForwardedBits { get; init; } = 512;

    /// <summary>Bytes of a beat.</summary>
    internal int Lanes => BusBits / 8;

    /// <summary>The shortest frame of Ethernet (IEEE 802.3 clause 3.2.8), without FCS.</summary>
    internal const int ShortestFrame = 60;

    /// <summary>The beats of the shortest frame.</summary>
    internal int ShortestBeats => (ShortestFrame + Lanes - 1) / Lanes;

    /// <summary>The longest frame: header, one VLAN tag, payload.</summary>
    internal int Capacity => Mtu + 18;
}
