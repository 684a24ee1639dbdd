using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Engines;

/// <summary>
/// Several engines with the same program: frames are dealt to them in turn, and leave in order of arrival. They have
/// the counters in common, and nothing else that changes.
/// </summary>
internal static class EngineGroup
{
    /// <summary>Makes the circuit of a service.</summary>
    /// <param name="compilation">The service, through the passes.</param>
    /// <param name="options">The device, and the number of engines.</param>
    /// <param name="service">The service's class.</param>
    /// <param name="limits">What a state of each engine may do.</param>
    /// <exception cref="CompileException">Frames share state besides counters.</exception>
    public static Circuit Build(
        Compilation compilation, HardwareOptions options, string service, StateLimits limits)
    {
        if (WhyNot(compilation) is var (reason, location))
            throw new CompileException(
                DiagnosticNumber.Layout, $"no {options.Engines} engines: {reason}; leave out --engines", location);
        var circuit = new Design(Netlist.SnakeCase(service)) { Description = Describe(options, service) };
        var n = new Netlist(circuit);
        var control = new ControlRegisters(n, circuit.Description[0]);
        var dealer = new FrameDealer(n, options);
        List<EngineDesign> designs = [.. dealer.Frames.Select((frames, i) => Named(n, i, () => new EngineDesign(
            n, compilation, compilation.Functions, options, control, null,
            new EngineMember(
                frames, n.AddFlop("is_over", 1, 0, "the event is over, and waits until those of the frames before are"),
                IsShown: i == 0),
            limits)))];
        n.Begin("reset");
        var reset = new ServiceReset(n, designs.Max(design => design.State.ClearBits));
        control.IsBetween = n.AddWire(
            "between_events", dealer.Frames.Select(frames => (Value)frames.Ready).Aggregate(dealer.IsClosed, n.And));
        reset.BeginOn(n.And(n.And(control.Resets, n.Not(reset.Clears)), control.IsBetween));
        List<Engine> engines = [.. designs.Select((design, i) =>
            Named(n, i, () => Engine.Member(design, reset, control)))];
        dealer.Build(n.ReduceOr([control.Resets, control.Pauses, reset.Clears]));
        FrameCollector.Build(
            n, options,
            [.. engines.Zip(designs, (engine, design) => (engine.Sent, engine.Finished, design.Member!.IsOver))]);
        n.Begin("events of the engines");
        engines[0].Show(
            control, EngineEvents.Sum(n, engines.Select(engine => engine.FramesIn)),
            EngineEvents.Sum(n, [.. engines.Select(engine => engine.MakeEvents())]), reset);
        var timing = TimingCorrection.Run(n, options.Device, options.Levels);
        return new Circuit(circuit, control.Entries, [.. designs[0].State.Places, .. control.Places], timing)
        {
            Steps = engines[0].Steps(timing),
        };
    }

    /// <summary>Makes a part of an engine, under its name.</summary>
    private static T Named<T>(Netlist n, int number, Func<T> make)
    {
        n.Part = ("engine", number);
        var made = make();
        n.Part = null;
        return made;
    }

    /// <summary>
    /// The reason why engines would not do together what one does, with the C# of it; null where they would.
    /// </summary>
    public static (string Reason, SourceLocation? Location)? WhyNot(Compilation compilation)
    {
        if (WhyNotEvents(compilation) is { } reason) return reason;
        var functions = compilation.Functions;
        var shared = SharedState.Of(functions).Where(element => element is not Register { IsTransient: true })
            .ToHashSet();
        var write = functions.SelectMany(function => function.Blocks()).SelectMany(block => block.Operations)
            .FirstOrDefault(operation => operation.IsEffect && operation.State.Any(shared.Contains));
        return write is null
            ? null
            : ($"{write.State.First(shared.Contains).Name} is written by a frame and read by others, "
                + "and engines work on several at once", write.Location);
    }

    private static (string Reason, SourceLocation? Location)? WhyNotEvents(Compilation compilation) =>
        compilation switch
        {
            { Tick: not null } => ("a tick comes between two frames, and engines work on several at once", null),
            { Interrupt: not null } => ("an event waits for a frame, which would be another engine's", null),
            _ => null,
        };

    /// <summary>
    /// The reason why engines would not do together what the one of a slow path does, with the C# of it; null where
    /// they would: what frames of the slow path use is written by none, here or in the stages.
    /// </summary>
    public static (string Reason, SourceLocation? Location)? WhyNotInSlowPath(Compilation compilation)
    {
        if (WhyNotEvents(compilation) is { } reason) return reason;
        var shared = SharedState.Of(compilation.Parts).Where(element => element is not Register { IsTransient: true })
            .ToHashSet();
        var use = compilation.SlowPath.SelectMany(function => function.Blocks()).SelectMany(block => block.Operations)
            .FirstOrDefault(operation => operation.State.Any(shared.Contains));
        return use is null
            ? null
            : ($"{use.State.First(shared.Contains).Name} is used by frames of the slow path and written by frames, "
                + "and engines work on several at once", use.Location);
    }

    private static List<string> Describe(HardwareOptions options, string service) =>
    [
        service,
        $"Layout     {options.Engines} engines: a frame at a time in each, received into RAM, worked on there, sent;",
        $"           frames are dealt to them in turn; {options.BusBits}-bit bus.",
        .. AxiStream.Interface,
        "Order      frames leave in order of arrival; counters count what all engines do.",
        "Stalls     s_axis_tready and all m_axis outputs are registers.",
        .. Engine.Names,
    ];
}
