using Emu.Compiler.Diagnostics;
using Emu.Compiler.Elaboration;
using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>A service as IR: what it does with a frame, what it does at a tick, and the state between.</summary>
public sealed class Compilation
{
    private readonly int _ports;

    internal Compilation(StateMap state, Function process, Function? tick, ulong tickInterval, int ports, int capacity) =>
        (State, Process, Tick, TickInterval, _ports, Capacity) = (state, process, tick, tickInterval, ports, capacity);

    /// <summary>The state that the functions share.</summary>
    public StateMap State { get; }

    /// <summary>What the service does with a frame.</summary>
    public Function Process { get; }

    /// <summary>What it does at a tick; null when it has none.</summary>
    public Function? Tick { get; }

    /// <summary>Nanoseconds from one tick to the next; 0 when it has none.</summary>
    public ulong TickInterval { get; }

    /// <summary>The most bytes of a frame.</summary>
    internal int Capacity { get; }

    /// <summary>The functions there are.</summary>
    public IReadOnlyList<Function> Functions => Tick is null ? [Process] : [Process, Tick];

    private IReadOnlyList<(Function Function, EventRange Events)> Events => Tick is null
        ? [(Process, EventRange.Frame(_ports, Capacity))]
        : [(Process, EventRange.Frame(_ports, Capacity)), (Tick, EventRange.Tick)];

    /// <summary>Runs the passes.</summary>
    public void Optimise() => DeepStack.Run(() => PassList.Run(Events));

    /// <summary>Which numbers the values of its functions and its state can be.</summary>
    internal Ranges Ranges() => new(Events);

    /// <summary>Which numbers values can be at each place of one of its functions.</summary>
    internal Facts FactsOf(Function function) => new(function, Events.First(e => e.Function == function).Events, Ranges());

    /// <summary>Makes of what it does with a frame what a pipeline can do, and leaves the rest to another.</summary>
    internal void Specialise() => DeepStack.Run(() =>
    {
        Specialisation.Run(this);
        Fast = ServicePaths.Fast(Process);
        Slow = ServicePaths.Slow(Process);
        PassList.RunOnParts(Fast, Slow, Events[0].Events);
    });

    /// <summary>Of what it does with a frame, what a pipeline does; known when it is specialised.</summary>
    internal Function? Fast { get; private set; }

    /// <summary>What is done with a frame that a pipeline leaves alone; null when there is none.</summary>
    internal Function? Slow { get; private set; }

    /// <summary>The functions of both; known when it is specialised.</summary>
    internal IReadOnlyList<Function> Parts => Slow is null ? [Fast!] : [Fast!, Slow];
}
