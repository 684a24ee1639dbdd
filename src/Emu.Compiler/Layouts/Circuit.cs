using Emu.Compiler.Devices;
using Emu.Compiler.IR;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Layouts;

/// <summary>A service as a circuit.</summary>
/// <param name="Design">The circuit.</param>
/// <param name="Registers">The registers that can be read and written through AXI4-Lite.</param>
/// <param name="State">The places of the service's state.</param>
public sealed record Circuit(Design Design, IReadOnlyList<RegisterEntry> Registers, IReadOnlyList<StatePlace> State)
{
    internal Circuit(
        Design design, IReadOnlyList<RegisterEntry> registers, IReadOnlyList<StatePlace> state, StaticTiming timing)
        : this(design, registers, state) => Timing = timing;

    /// <summary>The levels and times of its paths; on the default device if no layout has said them.</summary>
    internal StaticTiming Timing { get => field ??= new StaticTiming(Design, Device.Default); private init; }

    /// <summary>
    /// The steps of handling a frame: a pipeline's stages in order, or an engine's states, the entry first.
    /// </summary>
    public IReadOnlyList<CircuitStep> Steps { get; init; } = [];

    /// <summary>The memories of which a frame waits for a row that one ahead may write; none in most.</summary>
    public IReadOnlyList<CircuitInterlock> Interlocks { get; init; } = [];

    /// <summary>The loops over a frame's bytes of which not all of a beat are done in a cycle; none in most.</summary>
    public IReadOnlyList<CircuitLoop> Loops { get; init; } = [];
}

/// <summary>A loop over a frame's bytes whose turns need the one before.</summary>
/// <param name="Bytes">The bytes that are done together.</param>
/// <param name="Cycles">The cycles from those to the next.</param>
/// <param name="Units">The units to which frames are dealt in turn.</param>
/// <param name="Location">The C# of the loop.</param>
public sealed record CircuitLoop(int Bytes, int Cycles, int Units, SourceLocation? Location)
{
    /// <summary>The bytes and the cycles of a unit, and how many there are, in words.</summary>
    public string Rate => (Bytes, Cycles) switch
    {
        (1, 1) => "a byte a cycle",
        (_, 1) => $"{Bytes} bytes a cycle",
        (1, _) => $"a byte in {Cycles} cycles",
        _ => $"{Bytes} bytes in {Cycles} cycles",
    } + (Units > 1 ? $", by each of {Units} units for frames in turn" : "");
}

/// <summary>A memory of which a frame waits for a row that one ahead may write.</summary>
/// <param name="Memory">The memory.</param>
/// <param name="Interval">The cycles between two frames that use one row.</param>
/// <param name="Location">The C# that writes it.</param>
public sealed record CircuitInterlock(StateElement Memory, int Interval, SourceLocation? Location);

/// <summary>The place of a register or a memory of a service in a circuit.</summary>
public abstract record StatePlace(StateElement Element);

/// <summary>A register in a flop, as wide as its range needs.</summary>
public sealed record InFlop(StateElement Element, Flop Flop) : StatePlace(Element);

/// <summary>A memory in a RAM, as wide as its range needs.</summary>
public sealed record InRam(StateElement Element, Ram Ram) : StatePlace(Element);

/// <summary>A counter in two halves among others.</summary>
public sealed record InBank(StateElement Element, Ram Low, Ram High, int Index) : StatePlace(Element);
