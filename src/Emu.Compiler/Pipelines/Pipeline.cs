using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// The layout for services whose work is on headers and has a bound: a frame enters every few cycles and passes stages
/// that never wait; its beats wait in a FIFO for the verdict.
/// </summary>
/// <remarks>
/// If checksums over the payload are asked for, the verdict needs a frame's last beat. Stages before
/// <see cref="StagePlan.Crossing"/> are counted from the cycle in which the header is complete, those from there on
/// from the cycle of the last beat. The flops between hold a frame's values until the next frame's come.
/// </remarks>
internal static class Pipeline
{
    /// <summary>Intervals that are tried one after the other.</summary>
    private const int Few = 3;

    /// <summary>Makes the circuit of a service.</summary>
    /// <param name="compilation">The service, through the passes and split.</param>
    /// <param name="options">The device.</param>
    /// <param name="service">The service's class.</param>
    /// <param name="interval">The initiation interval that is asked for: the least cycles between two frames.</param>
    /// <param name="interlocks">
    /// True if frames may wait for rows of memories that frames ahead may write: the interval is that of others.
    /// </param>
    public static PipelineAttempt Build(
        Compilation compilation, HardwareOptions options, string service, int interval, bool interlocks = false)
    {
        var trial = Try(compilation, options, service, interval, interlocks, new UnknownRows());
        return trial.Obstacle is { } obstacle
            ? new PipelineAttempt(obstacle)
            : new PipelineAttempt(Made(trial, options));
    }

    /// <summary>
    /// The reason why there is no circuit of an interval, found without making one; null if there is.
    /// </summary>
    /// <param name="compilation">The service, through the passes and split.</param>
    /// <param name="options">The device.</param>
    /// <param name="service">The service's class.</param>
    /// <param name="interval">The initiation interval that is asked for.</param>
    /// <param name="interlocks">True if frames may wait for rows of memories that frames ahead may write.</param>
    public static PipelineObstacle? Obstacle(
        Compilation compilation, HardwareOptions options, string service, int interval, bool interlocks = false) =>
        Try(compilation, options, service, interval, interlocks, new UnknownRows()).Obstacle;

    /// <summary>
    /// Makes the circuit of the least interval, from one on, at which no object of the state is read too early;
    /// null when something else forbids every pipeline.
    /// </summary>
    /// <param name="compilation">The service, through the passes and split.</param>
    /// <param name="options">The device.</param>
    /// <param name="service">The service's class.</param>
    /// <param name="from">The first interval that is tried.</param>
    /// <param name="interlocks">True if frames may wait for rows of memories that frames ahead may write.</param>
    public static (Circuit Circuit, int Interval)? BuildFastest(
        Compilation compilation, HardwareOptions options, string service, int from, bool interlocks = false)
    {
        return Fastest(compilation, options, service, from, interlocks) is var (trial, interval)
            ? (Made(trial, options), interval)
            : null;
    }

    /// <summary>
    /// The interval of what <see cref="BuildFastest"/> makes, found without making it; null when it makes nothing.
    /// </summary>
    /// <param name="compilation">The service, through the passes and split.</param>
    /// <param name="options">The device.</param>
    /// <param name="service">The service's class.</param>
    /// <param name="from">The first interval that is tried.</param>
    public static int? FastestInterval(Compilation compilation, HardwareOptions options, string service, int from) =>
        Fastest(compilation, options, service, from, interlocks: false)?.Interval;

    private static (Trial Trial, int Interval)? Fastest(
        Compilation compilation, HardwareOptions options, string service, int from, bool interlocks)
    {
        (Trial Trial, int Interval)? fastest = null;
        var unknownRows = new UnknownRows();
        var (tooShort, longest) = (from - 1, PipelineDesign.MaxStages + 1);
        for (var step = 1; tooShort + 1 < longest;)
        {
            // Most take one of the first few; a long one is sought in steps that double, and then by halving.
            var interval = fastest is null && tooShort + step < longest ? tooShort + step : (tooShort + longest) / 2;
            var trial = Try(compilation, options, service, interval, interlocks, unknownRows);
            if (trial.Obstacle is not { } obstacle)
            {
                fastest = (trial, interval);
                longest = interval;
            }
            else if (obstacle.IsRecurrence)
            {
                tooShort = interval;
                if (interval - from >= Few) step *= 2;
            }
            else return fastest;
        }
        return fastest;
    }

    private static Trial Try(
        Compilation compilation, HardwareOptions options, string service, int interval, bool interlocks,
        UnknownRows unknownRows)
    {
        if (new PipelineDemands(compilation, options.Lanes).Obstacle(interval) is { } obstacle)
            return new Trial(null, null, obstacle);
        Trial Within(StageBudget budget) =>
            Try(compilation, options, service, interval, budget, interlocks, unknownRows);
        var trial = Within(StageBudget.Of(options.Levels));
        return trial.Obstacle is { IsRecurrence: true } ? Within(StageBudget.ForLoops(options.Levels)) : trial;
    }

    private static Trial Try(
        Compilation compilation, HardwareOptions options, string service, int interval, StageBudget budget,
        bool interlocks, UnknownRows unknownRows)
    {
        var circuit = new Design(Netlist.SnakeCase(service))
        {
            Description = Describe(service, compilation, options, interval),
        };
        var design = new PipelineDesign(compilation, options, circuit, interval, budget, interlocks, unknownRows);
        var (plan, obstacle) = PipelinePlan.Find(design);
        return new Trial(design, plan, obstacle)
        {
            Again = () => Try(compilation, options, service, interval, budget, interlocks, unknownRows),
        };
    }

    /// <summary>
    /// Makes the circuit of a plan. Where a path is too long for the clock, the verdict is taken from flops, a stage
    /// later, if that makes it shorter.
    /// </summary>
    private static Circuit Made(Trial trial, HardwareOptions options)
    {
        var made = Made(trial, options, isLate: false);
        if (made.Timing.Longest <= options.Levels) return made;
        var late = Made(trial.Again!(), options, isLate: true);
        return late.Timing.Longest < made.Timing.Longest ? late : made;
    }

    private static Circuit Made(Trial trial, HardwareOptions options, bool isLate)
    {
        var (design, plan) = (trial.Design!, trial.Plan!);
        var stages = Connect(design, plan, isLate);
        stages.PutLinesOverStages();
        var circuit = design.Netlist.Design;
        var timing = TimingCorrection.Run(design.Netlist, options.Device, options.Levels);
        return new Circuit(circuit, design.Control.Entries, [.. design.State.Places, .. design.Control.Places], timing)
        {
            Steps = stages.Steps(timing),
            Interlocks = [.. plan.Hazards.SelectMany(plan.InterlocksAt)],
            Loops = [.. plan.Event.Checksums.Serial.Select(unit => unit.Loop)],
        };
    }

    /// <summary>Makes the stages of a plan, and connects the units with them.</summary>
    private static PipelineStages Connect(PipelineDesign design, PipelinePlan plan, bool isLate)
    {
        var stages = new PipelineStages(
            design, plan, PipelineExit.VerdictStage(design, plan) + (isLate ? 1 : 0));
        stages.WriteState();
        var reset = new PipelineReset(design, plan, stages);
        var exit = new PipelineExit(design, plan, stages, reset.Clears);
        stages.ConnectCores(reset.Clears);
        reset.Build(exit.Fifo);
        new PipelineCounters(design, plan, stages).Build(exit);
        design.Control.AddState(design.State, new SharedTablePorts(design, stages).Read);
        design.Control.Build(reset.Clears);
        stages.ConnectForwarded();
        stages.ConnectQueues();
        return stages;
    }

    private static List<string> Describe(
        string service, Compilation compilation, HardwareOptions options, int interval) =>
    [
        service,
        $"Layout     pipeline: a frame every {interval} cycles or more; its beats wait in a FIFO for the verdict; "
        + $"{options.BusBits}-bit bus.",
        .. AxiStream.Interface,
        "Order      as if each frame was handled alone, in order of arrival.",
        .. options.Engines == 1 ? (string[])[] :
            [$"Slow path  {options.Engines} engines: a deferred frame goes to one that is free."],
        .. compilation.Tick is null ? (string[])[] :
        [
            $"Ticks      every {compilation.TickInterval} ns from the time of the first beat after reset on; "
            + "the frame before which one is due",
            "           goes the slow path, which runs them first. A beat without bytes carries time alone.",
        ],
        "Stalls     s_axis_tready and all m_axis outputs are registers; the stages never stall for the output.",
        "Names      a register that carries a value of the C# is s<stage>_<name in C#>_reg, through several stages",
        "           s<first>_to_s<last>_<name in C#>_reg, the latest in the highest bits; values of one name stand",
        "           side by side. A wire has the name in C# of what it computes, or that of what it is for.",
    ];

    /// <summary>A plan of the stages, or the reason for which there is none.</summary>
    private sealed record Trial(PipelineDesign? Design, PipelinePlan? Plan, PipelineObstacle? Obstacle)
    {
        /// <summary>Makes the plan once more, in a design of its own.</summary>
        public Func<Trial>? Again { get; init; }
    }
}
