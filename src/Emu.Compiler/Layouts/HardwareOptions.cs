using Emu.Compiler.Devices;

namespace Emu.Compiler.Layouts;

/// <summary>The properties of the device that a service is compiled for.</summary>
public sealed record HardwareOptions
{
    /// <summary>The widths that a stream can have, in bits.</summary>
    public static IReadOnlyList<int> BusWidths => [64, 128, 256, 512];

    /// <summary>
    /// The most ports: a source or destination field has eight bits, those of four MAC ports and, between them, of
    /// four queues of the host.
    /// </summary>
    public const int MaxPorts = StreamUserLayout.MaxPorts;

    /// <summary>The ports of a device unless another number is given: the MAC ports.</summary>
    public const int DefaultPorts = StreamUserLayout.MacPorts;

    /// <summary>The most engines that frames are dealt to.</summary>
    public const int MaxEngines = 64;

    /// <summary>
    /// Levels from the state of a frame FIFO, over what takes its beat, to a count of its beats or of frames.
    /// </summary>
    private const int LevelsOfOutput = 9;

    /// <summary>Carry cells that are as long as a level.</summary>
    private const int CarryCellsInLevel = 4;

    /// <summary>Levels of a sum and behind it beside its carry: into the chain and out of it, and two more.</summary>
    private const int LevelsBesideCarry = 4;

    /// <summary>The bits of a part of a sum below which parts would cost more than they gain.</summary>
    private const int LeastCarry = 16;

    /// <summary>Bits of <c>tdata</c>.</summary>
    public int BusBits { get; init; } = 256;

    /// <summary>
    /// Ports, 1 to <see cref="MaxPorts"/>: 0 to 3 are MAC ports, those behind them the host's queues.
    /// </summary>
    public int Ports { get; init; } = DefaultPorts;

    /// <summary>The family of devices, whose delays the logic has.</summary>
    public Device Device { get; init; } = Device.Default;

    /// <summary>The clock that the logic of a cycle is budgeted for, in MHz.</summary>
    public int ClockMHz { get; init; } = 200;

    /// <summary>The picoseconds that a cycle of the clock has for logic and its wiring between two flops.</summary>
    public double LogicTime => Device.LogicTime(ClockMHz);

    /// <summary>
    /// Levels of logic that a cycle of the clock has time for between two flops: the one budget for stages of
    /// pipelines, states of engines and slow paths.
    /// </summary>
    public int Levels => Device.LevelsIn(ClockMHz);

    /// <summary>
    /// True if what the readiness of the output decides has to be in a register before more is computed of it.
    /// </summary>
    internal bool IsFast => Levels < LevelsOfOutput;

    /// <summary>
    /// The bits of a sum up to which one carry is waited for: at a fast clock as many as leave two levels to what is
    /// behind it.
    /// </summary>
    internal int LongestCarry => IsFast
        ? Math.Max(LeastCarry, Device.CarryBits * CarryCellsInLevel * (Levels - LevelsBesideCarry))
        : int.MaxValue;

    /// <summary>The longest payload of an Ethernet frame, in bytes.</summary>
    public int Mtu { get; init; } = FrameLength.DefaultMtu;

    /// <summary>The least cycles between two frames in a pipeline.</summary>
    public int Interval { get; init; } = 2;

    /// <summary>
    /// True if it is the user who asks for the interval: it is met at any cost, also by frames that wait for what
    /// frames ahead may write where all others need not.
    /// </summary>
    public bool IsIntervalAsked { get; init; }

    /// <summary>
    /// The most bits of tables' words that are forwarded from writes of the frames ahead to reads that come before
    /// them. Each costs logic, and a pipeline of a longer interval has none of them. An interval that is asked for
    /// has no such limit.
    /// </summary>
    public int MaxForwardedBits { get; init; } = 512;

    /// <summary>
    /// The engines to which frames are dealt, where the layout is one of engines, or of a pipeline those of its slow
    /// path: more than one for services whose frames there share nothing but counters.
    /// </summary>
    public int Engines { get; init; } = 1;

    /// <summary>
    /// Tells of a method, by its type and name, whether an engine has one copy of it for all its calls; null to choose
    /// by what that saves.
    /// </summary>
    internal Predicate<string>? SharedCalls { get; init; }

    /// <summary>Bits of a set of ports in a circuit, those of all MAC ports among them.</summary>
    internal int PortBits => Math.Max(Ports, DefaultPorts);

    /// <summary>Bytes of a beat.</summary>
    internal int Lanes => BusBits / 8;

    /// <summary>The beats of the shortest frame.</summary>
    internal int ShortestBeats => (FrameLength.Shortest + Lanes - 1) / Lanes;

    /// <summary>The longest frame: header, one VLAN tag, payload.</summary>
    internal int Capacity => FrameLength.Of(Mtu);
}
