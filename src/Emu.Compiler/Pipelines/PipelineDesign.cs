using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Pipelines;

/// <summary>A pipeline before it has stages: the units between which they lie, and what is asked of them.</summary>
internal sealed class PipelineDesign
{
    /// <summary>The most stages over which the recurrence of a state object is followed.</summary>
    public const int MaxStages = 32;

    /// <summary>The stage in which seconds are known, and the only one that can wait.</summary>
    public const int TimeStage = 1;

    /// <summary>Declares the units.</summary>
    /// <param name="compilation">The service, through the passes and split.</param>
    /// <param name="options">The device.</param>
    /// <param name="design">The circuit, with nothing in it.</param>
    /// <param name="interval">The initiation interval that is asked for: the least cycles between two frames.</param>
    /// <param name="budget">Levels of logic in a stage.</param>
    /// <param name="interlocks">True if frames may wait for rows that frames ahead may write.</param>
    /// <param name="unknownRows">Memories whose rows attempts at other intervals have not found.</param>
    public PipelineDesign(
        Compilation compilation, HardwareOptions options, Design design, int interval, StageBudget budget,
        bool interlocks, UnknownRows unknownRows)
    {
        (Compilation, Options, Interval, Budget, Interlocks) = (compilation, options, interval, budget, interlocks);
        UnknownRows = unknownRows;
        Demands = new PipelineDemands(compilation, options.Lanes);
        Delays = new Delays(options.Device);
        Netlist = new Netlist(design);
        Control = new ControlRegisters(Netlist, design.Description[0]);
        State = new ServiceState(Netlist, compilation, compilation.Parts);
        Control.Show(State);
        Header = new HeaderWindow(Netlist, options, Demands.WindowBytes);
        Fifo = new FrameFifo(Netlist, options, Header);
        if (compilation.Tick is null) return;
        Netlist.Begin("ticks: the frame that finds one due goes the slow path, which runs them first");
        NextTick = new NextTick(Netlist);
    }

    /// <summary>The service.</summary>
    public Compilation Compilation { get; }

    /// <summary>The demands that it makes of a pipeline.</summary>
    public PipelineDemands Demands { get; }

    /// <summary>The device.</summary>
    public HardwareOptions Options { get; }

    /// <summary>The initiation interval that is asked for: the least cycles between two frames.</summary>
    public int Interval { get; }

    /// <summary>Levels of logic in a stage.</summary>
    public StageBudget Budget { get; }

    /// <summary>True if frames may wait for rows that frames ahead may write.</summary>
    public bool Interlocks { get; }

    /// <summary>Memories whose rows attempts at other intervals have not found; more are added here.</summary>
    public UnknownRows UnknownRows { get; }

    /// <summary>The delays of operations.</summary>
    public Delays Delays { get; }

    /// <summary>The netlist in which all is made.</summary>
    public Netlist Netlist { get; }

    /// <summary>The registers that can be read and written from outside.</summary>
    public ControlRegisters Control { get; }

    /// <summary>The flops and RAMs of the service.</summary>
    public ServiceState State { get; }

    /// <summary>The bytes that the stages begin with.</summary>
    public HeaderWindow Header { get; }

    /// <summary>The frames that wait for their verdict.</summary>
    public FrameFifo Fifo { get; }

    /// <summary>The time of the next tick; null if the service has none.</summary>
    public NextTick? NextTick { get; }

    /// <summary>
    /// The least interval that the units allow (the resource-constrained one of Rau 1994, <em>Iterative modulo
    /// scheduling</em>): a stage that waits for the time's quotient takes one frame in two cycles.
    /// </summary>
    public int ResourceInterval => Demands.Divisor is null ? 1 : TimeStage + 1;

    /// <summary>The first stage from which on the distance of two frames stays what it is.</summary>
    public int FirstInStep => Demands.Divisor is null ? 0 : TimeStage;

    /// <summary>Gives a value that C# has no line for the name that registers that carry it have.</summary>
    public Value Named(string name, Value value)
    {
        if (value is not Constant) Netlist.Describe(value, name);
        return value;
    }
}
