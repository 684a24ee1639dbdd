using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Engines;

/// <summary>An engine before it has a program: what its states work on, and what a state has time for.</summary>
internal sealed class EngineDesign
{
    /// <summary>
    /// The width of a part's beats: it has time, and the bytes of a beat are what its frame memory costs.
    /// </summary>
    public const int PartBits = 64;

    /// <summary>Levels from the condition of an end of the program to the next frame's reception.</summary>
    private const int EndLevels = 5;

    private const int LeastLevels = 3;

    /// <summary>
    /// Gates between what a state writes and a flop or RAM: the choice by the state, and what resets it.
    /// </summary>
    private const int WriteGates = 3;

    /// <summary>The most frames that may be held.</summary>
    private const int MostHeld = 1024;

    /// <summary>The bytes of a part's frame that can be read at once if they are at constant offsets.</summary>
    private const int PartHeader = 64;

    private readonly ControlRegisters _control;
    private readonly HashSet<StateElement> _counted;
    private readonly StateLimits _limits;

    /// <summary>Declares the memories.</summary>
    /// <param name="netlist">The circuit.</param>
    /// <param name="compilation">The service.</param>
    /// <param name="functions">
    /// The functions that handle a frame, and a tick and an interrupt if there are any.
    /// </param>
    /// <param name="options">The device.</param>
    /// <param name="control">The registers that can be read and written from outside.</param>
    /// <param name="part">The pipeline whose slow path the engine is; null if it is none.</param>
    /// <param name="member">The place among several engines; null if it is alone.</param>
    /// <param name="limits">What a state may do.</param>
    public EngineDesign(
        Netlist netlist, Compilation compilation, IReadOnlyList<Function> functions, HardwareOptions options,
        ControlRegisters control, EnginePart? part, EngineMember? member, StateLimits limits)
    {
        (Netlist, Compilation, Functions, Options) = (netlist, compilation, functions, options);
        (Part, Member) = (part, member);
        (_control, _limits) = (control, limits);
        Delays = new Delays(options.Device);
        _counted = part is null
            ? []
            : [.. compilation.Parts.SelectMany(f => f.Blocks()).SelectMany(b => b.Operations)
                .Where(o => o.Opcode == Opcode.Count).SelectMany(o => o.State)];
        foreach (var function in functions) FrameAccess.Run(function, options.Lanes);
        if (compilation.Interrupt is not null)
        {
            IsInterrupted = netlist.AddFlop("interrupted", 1, 0, "the event is one inside an event that waits");
            if (Held(compilation.Interrupt) is var capacity and > 0) Hold = new HoldQueue(netlist, options, capacity);
        }
        Frame = new FrameMemory(
            netlist, Delays, options.Lanes, Rows, IsSlow ? PartHeader : 2 * options.Lanes,
            options.IsFast ? FrameMemoryAccess.OffsetsAndBytesInFlops
                : IsSlow ? FrameMemoryAccess.BytesInFlops
                : FrameMemoryAccess.Direct,
            IsInterrupted);
        State = part?.State ?? new ServiceState(netlist, compilation, functions);
        if (part is null && member is null or { IsShown: true }) control.Show(State);
    }

    /// <summary>The circuit.</summary>
    public Netlist Netlist { get; }

    /// <summary>The service.</summary>
    public Compilation Compilation { get; }

    /// <summary>The functions that handle a frame, and a tick and an interrupt if there are any.</summary>
    public IReadOnlyList<Function> Functions { get; }

    /// <summary>
    /// 1 from when an event waits for a frame until that frame is handled; null if none does. Each has a frame memory.
    /// </summary>
    public Flop? IsInterrupted { get; }

    /// <summary>The frames that are handled after the event that waits; null if none are.</summary>
    public HoldQueue? Hold { get; }

    /// <summary>True if <c>tuser</c> of the frame is kept here, and not where the frame comes from.</summary>
    public bool KeepsUser => Part is null || IsInterrupted is not null || Compilation.Tick is not null;

    /// <summary>True in an event that is inside none.</summary>
    public Value IsOutermost => IsInterrupted is null ? FoldingBuilder.Bit(true) : Netlist.Not(IsInterrupted);

    /// <summary>The device.</summary>
    public HardwareOptions Options { get; }

    /// <summary>The pipeline whose slow path the engine is; null if it is none.</summary>
    public EnginePart? Part { get; }

    /// <summary>The place among several engines; null if it is alone.</summary>
    public EngineMember? Member { get; }

    /// <summary>
    /// True in the slow path of a pipeline, which has admitted the frames, and of which the engine limits no path.
    /// </summary>
    public bool IsSlow => Part is not null || Member is { IsSlow: true };

    /// <summary>The frames that come to it; null if it takes them from the pins.</summary>
    public BeatStream? Frames => Part?.Frames ?? Member?.Frames;

    /// <summary>The delays of operations.</summary>
    public Delays Delays { get; }

    /// <summary>The frame that is worked on.</summary>
    public FrameMemory Frame { get; }

    /// <summary>The flops and RAMs of the service.</summary>
    public ServiceState State { get; }

    /// <summary>The depth that the logic of a state may have, in the unit of <see cref="Delays"/>.</summary>
    public int Budget => Delays.Level * Math.Max(LeastLevels, Options.Levels - _limits.ChoiceLevels);

    /// <summary>The latest level at which an end of the program may be known, in the same unit.</summary>
    public int LatestEnd => Delays.Level * Math.Max(LeastLevels, Options.Levels - _limits.ChoiceLevels - EndLevels);

    /// <summary>
    /// The latest level at which an address may be known of which a word comes in the same state, or is asked for.
    /// </summary>
    public int LatestAddress => Options.IsFast ? 2 * Delays.Level : FrameMemory.OffsetArrival;

    /// <summary>
    /// The latest level at which something may be known that is written: behind it is what else is written there. What
    /// comes later is written from flops.
    /// </summary>
    public int LatestWritten => Math.Max(0, Delays.Level * Options.Levels - WriteGates * Delays.Gate);

    /// <summary>
    /// The latest level at which bytes may be known that are written at a computed offset, in the same unit.
    /// </summary>
    public int LatestBytes => _limits.WritesWhatIsRead
        ? LatestWritten
        : Delays.Level * Math.Max(LeastLevels, Options.Levels - FrameMemory.WriteLevels);

    /// <summary>Rows of the frame memory: a power of two, with one to spare, so that no access wraps.</summary>
    public int Rows =>
        (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)(Options.Capacity / Options.Lanes + 2));

    /// <summary>The width of a frame's length.</summary>
    public int LengthBits => Interval.Of((UInt128)(Rows * Options.Lanes)).Width;

    /// <summary>
    /// True if a reset was asked for; an engine that frames are led to is idle when its circuit is reset.
    /// </summary>
    public Value Resets => Frames is null ? _control.Resets : FoldingBuilder.Bit(false);

    /// <summary>
    /// True while no event may begin; a slow path goes on, since what waits in its circuit waits for it.
    /// </summary>
    public Value Pauses =>
        Member is not null ? Member.IsOver : Part is null ? _control.Pauses : FoldingBuilder.Bit(false);

    /// <summary>
    /// True if a register that is read or written is an accumulator, which is in the bank of counters.
    /// </summary>
    public bool IsCounted(Operation access) => access.State.Any(_counted.Contains);

    /// <inheritdoc cref="ControlRegisters.Read"/>
    public (Value IsThere, Value Count) ReadCount(Register register, Value isAsked) =>
        _control.Read(register, isAsked);

    /// <inheritdoc cref="ControlRegisters.Write"/>
    public Value WriteCount(Register register, Value isAsked, Value? count) =>
        _control.Write(register, isAsked, count);

    /// <summary>The most frames that are to be held; 0 for none.</summary>
    private static int Held(Function interrupt)
    {
        var holds = interrupt.Blocks().SelectMany(b => b.Operations).Where(o => o.Opcode == Opcode.Hold).ToList();
        foreach (var hold in holds)
        {
            if (hold.Operands[2] is not Constant { Bits: var most } || most == 0 || most > MostHeld)
                throw new CompileException(
                    DiagnosticNumber.Layout,
                    $"the capacity of TryHold is not a constant from 1 to {MostHeld}; make it one", hold.Location);
        }
        return holds.Select(hold => (int)((Constant)hold.Operands[2]).Bits).Append(0).Max();
    }

    /// <summary>A length as a value.</summary>
    public Constant Length(int bytes) => new(LengthBits, (UInt128)bytes);
}

/// <summary>The most that a state of an engine may do in a cycle.</summary>
/// <param name="ChoiceLevels">
/// Levels kept for what lies behind the values that a state computes: the choice of what flops and ports take, by the
/// state.
/// </param>
/// <param name="WritesWhatIsRead">
/// True if it may write bytes at a computed offset that it reads at another: they pass two rotations.
/// </param>
internal readonly record struct StateLimits(int ChoiceLevels, bool WritesWhatIsRead);

/// <summary>The pipeline that an engine is the slow path of.</summary>
/// <param name="Frames">The frames that come to the engine.</param>
/// <param name="State">The state of the circuit.</param>
/// <param name="NextTick">The time of the next tick; null if the service has none.</param>
/// <param name="Clears">1 while the circuit is reset.</param>
/// <param name="Cores">The modules with state that it shares with the circuit.</param>
internal sealed record EnginePart(
    BeatStream Frames, ServiceState State, NextTick? NextTick, Value Clears,
    IReadOnlyDictionary<VerilogCore, CoreInstance> Cores);

/// <summary>The place of an engine among several, which have the same program.</summary>
/// <param name="Frames">The frames that are dealt to it.</param>
/// <param name="IsOver">1 from when its event is over until those of all frames before it are.</param>
/// <param name="IsShown">True if its state is what is seen from outside.</param>
/// <param name="IsSlow">True in the slow path of a pipeline.</param>
internal sealed record EngineMember(BeatStream Frames, Flop IsOver, bool IsShown, bool IsSlow = false);
