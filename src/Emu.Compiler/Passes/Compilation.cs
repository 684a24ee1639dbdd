using System.Reflection;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Elaboration;
using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>A service as IR: what it does with a frame, what it does at a tick, and the state between.</summary>
public sealed class Compilation
{
    private readonly int _ports;
    private readonly RangeCache _ranges = new();

    private readonly HashSet<(string Name, MethodInfo Run, ulong Fingerprint)> _left = [];

    internal Compilation(
        StateMap state, Function process, Function? tick, ulong tickInterval, Function? interrupt, int ports,
        int capacity) =>
        (State, Process, Tick, TickInterval, Interrupt, _ports, Capacity) =
            (state, process, tick, tickInterval, interrupt, ports, capacity);

    /// <summary>The state that the functions share.</summary>
    public StateMap State { get; }

    /// <summary>The function that handles a frame.</summary>
    public Function Process { get; }

    /// <summary>The function that runs at a tick; null when the service has none.</summary>
    public Function? Tick { get; }

    /// <summary>Nanoseconds from one tick to the next; 0 when it has none.</summary>
    public ulong TickInterval { get; }

    /// <summary>
    /// The function that handles a frame inside an event that waits for one; null when no event does.
    /// </summary>
    public Function? Interrupt { get; }

    /// <summary>The methods of which an engine has one copy, each a function of its own.</summary>
    internal List<Function> Procedures { get; init; } = [];

    /// <summary>
    /// <see cref="Process"/> once more, with calls of <see cref="Procedures"/>, for the slow path of a pipeline; null
    /// where that is made of what deferred frames do.
    /// </summary>
    internal Function? Whole { get; init; }

    /// <summary>The most bytes of a frame.</summary>
    internal int Capacity { get; }

    /// <summary>The functions there are.</summary>
    public IReadOnlyList<Function> Functions => [.. Events.Select(e => e.Function)];

    /// <summary>The functions with the events that each handles.</summary>
    internal IReadOnlyList<(Function Function, EventRange Events)> Events =>
    [
        (Process, EventRange.Frame(_ports, Capacity)),
        .. Tick is null ? [] : new[] { (Tick, EventRange.Tick) },
        .. Interrupt is null ? [] : new[] { (Interrupt, EventRange.Frame(_ports, Capacity)) },
        .. Whole is null ? [] : new[] { (Whole, EventRange.Frame(_ports, Capacity)) },
        .. Procedures.Select(procedure => (procedure, EventRange.Frame(_ports, Capacity))),
    ];

    /// <summary>Told of each pass when it has run, with the functions that it has left; null for nobody.</summary>
    internal PassObserver? Observer { get; init; }

    /// <summary>The loops that could not be written out.</summary>
    internal KeptLoops KeptLoops { get; } = new();

    /// <summary>The functions that the passes work on: the parts, once there are any.</summary>
    internal IReadOnlyList<Function> InWork => Fast is null ? Functions : Parts;

    /// <summary>Those that an engine does: all, or the slow path.</summary>
    internal IReadOnlyList<Function> InEngine => Fast is null ? Functions : SlowPath;

    /// <summary>True if a pass has been seen to leave such functions as they are.</summary>
    internal bool IsLeftAsItIs(Pass pass, ulong fingerprint) => _left.Contains(Key(pass, fingerprint));

    /// <summary>Notes that a pass leaves such functions as they are.</summary>
    internal void NoteLeft(Pass pass, ulong fingerprint) => _left.Add(Key(pass, fingerprint));

    /// <summary>Passes of one name may be over other functions.</summary>
    private static (string Name, MethodInfo Run, ulong Fingerprint) Key(Pass pass, ulong fingerprint) =>
        (pass.Name, pass.Run.Method, fingerprint);

    /// <summary>
    /// Runs the passes of <see cref="PassList.Optimisation"/>, and of <see cref="PassList.Linking"/> around them.
    /// </summary>
    public void Optimise() => DeepStack.Run(() =>
    {
        if (Procedures.Count > 0) PassList.Run(PassList.Linking, this);
        PassList.Run(PassList.Optimisation, this);
        if (Procedures.Count > 0) PassList.Run(PassList.Linking, this);
    });

    /// <summary>
    /// Splits the function that handles a frame: a part that a pipeline can do, and one for the rest.
    /// </summary>
    internal void Split() => DeepStack.Run(() => PassList.Run(PassList.Splitting, this));

    /// <summary>Writes out what no cycle has time for, where the function is not split.</summary>
    internal void Decompose() => DeepStack.Run(() => PassList.Run(PassList.Decomposition, this));

    /// <summary>Makes the two parts of a function that has side exits.</summary>
    internal void Divide()
    {
        Fast = PathDivision.Fast(Process);
        var ofDeferred = PathDivision.Slow(Process, takesAll: false);
        var hasOtherEvents = Interrupt is not null || Tick is not null;
        PartsShareState = hasOtherEvents || ofDeferred is not null && SharedState.IsBetween(Fast, ofDeferred);
        var canBeAlone = PartsShareState && !hasOtherEvents && !FramesFollow;
        IsDeferredAlone = canBeAlone && PathDivision.DefersByHeader(Fast);
        if (canBeAlone && !IsDeferredAlone && EarlyExits.Of(Process) is { } early
            && PathDivision.Fast(early) is var fast && PathDivision.DefersByHeader(fast))
            (Fast, ofDeferred, IsDeferredAlone) = (fast, PathDivision.Slow(early, takesAll: false), true);
        // A tick is due before a frame of any kind, which then follows it there.
        Slow = !PartsShareState || IsDeferredAlone
            ? ofDeferred
            : PathDivision.Slow(Process, takesAll: true) ?? (Tick is null ? null : GraphCopy.Of(Process));
        if (Slow is not null) Slow = Whole ?? Slow;
    }

    /// <summary>
    /// Writes out what no cycle has time for. A unit beside the functions divides the time by one number, unless a
    /// frame waits for its checksum as well.
    /// </summary>
    internal void DecomposeOperators()
    {
        // An event that goes on after an interrupt has a time before that of the interrupt.
        if (Fast is null) Decompose(Functions, hasUnit: Interrupt is null);
        else
        {
            Decompose([Fast], hasUnit: !Fast.Blocks().Exists(block => block.Operations.Exists(IsStreamedSum)));
            Decompose(SlowPath, hasUnit: Interrupt is null);
        }
    }

    /// <summary>Narrows both parts together, since they share the state; nothing where there is no slow path.</summary>
    internal void NarrowParts()
    {
        if (Slow is not null)
            Narrowing.Run([.. Parts.Select(part => (part, part == Tick ? EventRange.Tick : Events[0].Events))]);
    }

    /// <summary>The ranges of the values of its functions and of its state.</summary>
    internal Ranges Ranges() => _ranges.Of(Events);

    /// <summary>The ranges of values at each place of one of its functions.</summary>
    internal PathRanges PathRangesOf(Function function) =>
        _ranges.At(function, Events.First(e => e.Function == function).Events, Ranges());

    /// <summary>
    /// True if the two parts share state besides counters, there are ticks, or events wait for frames; known when it is
    /// split. The slow path then takes every frame, since those that follow a deferred one closely go the same way.
    /// Where each part has state of its own, the frames of each are in order, and that is enough.
    /// </summary>
    internal bool PartsShareState { get; private set; }

    /// <summary>
    /// True if the parts share state, and a frame is to be deferred so early that none follows it: then the slow path
    /// takes deferred frames only; known when it is split.
    /// </summary>
    internal bool IsDeferredAlone { get; private set; }

    /// <summary>
    /// True if frames may follow a deferred one before that is known. It is told before the service is split, and noted
    /// when a pipeline is found in which they do, so that it is split anew.
    /// </summary>
    internal bool FramesFollow { get; set; }

    /// <summary>The part of <see cref="Process"/> that a pipeline does; known when it is split.</summary>
    internal Function? Fast { get; private set; }

    /// <summary>The function for frames that a pipeline leaves alone; null when there is none.</summary>
    internal Function? Slow { get; private set; }

    /// <summary>
    /// The functions of the slow path: those for frames, for ticks and for interrupts of its events, and procedures.
    /// </summary>
    internal IReadOnlyList<Function> SlowPath =>
        Slow is null ? [] : [.. new[] { Slow, Tick, Interrupt }.OfType<Function>(), .. Procedures];

    /// <summary>The functions of both; known when it is split.</summary>
    internal IReadOnlyList<Function> Parts => [Fast!, .. SlowPath];

    private static bool IsStreamedSum(Operation operation) =>
        operation.Opcode == Opcode.FrameFold
        || operation.Opcode == Opcode.FrameSum && operation.Operands[1] is not Constant;

    private static void Decompose(IReadOnlyList<Function> functions, bool hasUnit = true)
    {
        ulong? divisor = hasUnit && TimeDivision.Divisors(functions) is [var first, ..] ? first : null;
        foreach (var function in functions) OperatorDecomposition.Run(function, divisor);
    }
}
