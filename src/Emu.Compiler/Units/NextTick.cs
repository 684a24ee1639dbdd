using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// The time of the next tick: an engine counts it on, and the stages of a pipeline whose slow path is that engine leave
/// to it the frame that finds a tick due.
/// </summary>
internal sealed class NextTick
{
    /// <summary>Makes its flops.</summary>
    public NextTick(Netlist n)
    {
        HasBegun = n.AddFlop("run_begun", 1, 0, "since the first beat after reset");
        Time = n.AddFlop("tick_next", 64, null, "when the next tick is due");
        IsNever = n.AddFlop("tick_never", 1, 0, "time ends before the next tick");
    }

    /// <summary>True since the first beat after reset, from whose time on ticks are counted.</summary>
    public Flop HasBegun { get; }

    /// <summary>The time at which the next tick is due.</summary>
    public Flop Time { get; }

    /// <summary>True if time ends before it.</summary>
    public Flop IsNever { get; }

    /// <summary>True if an event of a time is not the next: a tick is due by then, or the run begins with it.</summary>
    public Value ComesBefore(Netlist n, Value time) =>
        n.Or(n.Not(HasBegun), n.And(n.Not(IsNever), n.Not(n.Less(time, Time))));
}
