using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Units;

/// <summary>
/// A loop over a frame's bytes whose turns need the state that the one before has left (<see cref="FrameFold"/>): as
/// many turns a cycle as a stage has time for, one behind the other.
/// </summary>
/// <remarks>
/// <para>Beats wait in a queue of its own, so that a frame whose loop takes more cycles than its beats holds back only
/// what follows when that is full. A frame leaves the pipeline's issue queue when its result is there.</para>
/// <para>A loop that begins with what is known behind the header has its beats wait until that is there, those of the
/// longest frame if it must be: it goes over the frame a second time.</para>
/// <para>Frames do not wait for one another: where a beat takes several cycles there are as many units, to which
/// frames are dealt in turn, and their results are taken in the same order.</para>
/// </remarks>
internal sealed class SerialFold : IPayloadUnit
{
    /// <summary>Beats that may still come once the queue has no room.</summary>
    private const int Slack = 4;

    private const int LeastDepth = 64;

    /// <summary>
    /// The most units: each has a queue and a shifter for beats. Walks of parsers and others whose turns are deep have
    /// up to twice as many.
    /// </summary>
    private const int MostUnits = 16, MostUnitsOfDeep = 32;

    /// <summary>The cycles of a beat from which on a walk has units for three quarters of a frame.</summary>
    private const int LongBeat = 16;

    /// <summary>The cycles of a short frame.</summary>
    private const int ShortFrame = 2;

    /// <summary>The most stages of turns that are done together.</summary>
    private const int MostStages = 20;

    /// <summary>The most operations of the turns that are done together.</summary>
    private const int MostOperations = 6000;

    private readonly Netlist _n;
    private readonly HeaderWindow _header;
    private readonly FoldFetch _fetch = null!;
    private readonly FoldRecurrence _recurrence = null!;
    private readonly Value _isNeeded;
    private readonly FrameFifo? _fifo;
    private readonly bool _isFast;

    /// <summary>Declares it.</summary>
    /// <param name="netlist">The netlist in which it is made.</param>
    /// <param name="header">The stream.</param>
    /// <param name="options">The device.</param>
    /// <param name="delays">The delays of operations.</param>
    /// <param name="budget">Levels of logic in a stage.</param>
    /// <param name="operation">The operation.</param>
    /// <param name="operands">Its operands; the first is a constant.</param>
    /// <param name="isNeeded">True of a frame whose result may be used.</param>
    /// <param name="fifo">Holds the same frames, if the values that it begins with come behind the header; null
    /// else.</param>
    public SerialFold(
        Netlist netlist, HeaderWindow header, HardwareOptions options, Delays delays, StageBudget budget,
        Operation operation, IReadOnlyList<Value> operands, Value isNeeded,
        FrameFifo? fifo)
    {
        (_n, _header, _isNeeded, _fifo, _isFast) = (netlist, header, isNeeded, fifo, options.IsFast);
        var lanes = options.Lanes;
        var (fold, inputs) = (operation.Fold!, FoldInputs.Of(operation, operands));
        Total = new Wire("fold", FoldingBuilder.Zero(operation.Width));
        for (var turns = 1; turns <= lanes; turns *= 2)
        {
            var fetch = new FoldFetch(netlist, lanes, fold, inputs, turns);
            var recurrence = new FoldRecurrence(netlist, delays.AsMade(), budget, fold, fetch.Group);
            // More at once are done sooner only where none has to wait for the one before longer than a cycle.
            if (turns > 1 && recurrence.Cycles > 1) break;
            // A result that comes late costs flops for all that waits with it.
            if (turns > 1 && recurrence.LastStage > MostStages) break;
            // Frames are told apart by a number, while it is on its way that a loop is left.
            if (turns > 1 && recurrence.LeftStage >= FoldFlow.MostFrames - 1) break;
            // Passing over turns is worth more than having more of them at once, of which most do nothing.
            if (turns > 1 && _fetch.Group.Passed is not null && fetch.Group.Passed is null) break;
            (_fetch, _recurrence) = (fetch, recurrence);
            // A walk along headers is seldom over more than half of a frame; where it takes long, there are more to
            // wait for.
            var isPart = fold is { IsWalk: true, IsOverText: false } && lanes / turns > TurnPasser.Stride;
            var eighths = !isPart ? 8 : lanes / turns < LongBeat ? 4 : 6;
            var cycles = lanes / turns * recurrence.Cycles * eighths / 8;
            // At a fast clock turns take more cycles, which are shorter.
            var isDeep = fold.IsWalk || (recurrence.Cycles > 1 && !options.IsFast);
            var most = isDeep ? MostUnitsOfDeep : MostUnits;
            Loop = new CircuitLoop(turns, recurrence.Cycles, Math.Clamp(cycles, 1, most), operation.Location);
            // One unit that keeps up with all beats need not be faster.
            if (cycles <= 1 || 2 * turns * fold.Body.Operations.Count > MostOperations) break;
        }
    }

    /// <inheritdoc />
    public Wire Total { get; }

    /// <summary>The bytes that are done in so many cycles, and by how many units.</summary>
    public CircuitLoop Loop { get; } = null!;

    /// <summary>
    /// The frames that may wait for results: two for each unit, so that none waits for another's that is long, or as
    /// many as come in while a result is on its way.
    /// </summary>
    public int Frames => Math.Max(2 * Loop.Units, Loop.Units + Stages / ShortFrame);

    /// <summary>The cycles from a frame's last turns to their result.</summary>
    public int Stages => _recurrence.LastStage;

    /// <summary>True if the values that it begins with come behind the header.</summary>
    public bool IsLate => _fifo is not null;

    /// <inheritdoc />
    public IReadOnlyList<Value> Operands => [.. _fetch.Operands, _isNeeded];

    /// <inheritdoc />
    public int Latency => 1;

    /// <summary>True if the result of the frame that is next is there; known when it is made.</summary>
    public Value HasResult { get; private set; } = FoldingBuilder.Bit(false);

    /// <summary>True if there is room for another beat; known when it is made.</summary>
    public Value HasRoom { get; private set; } = FoldingBuilder.Bit(false);

    /// <inheritdoc />
    public int MaskStage(Func<Value, int> stageOf) => Operands.Select(stageOf).Append(1).Max();

    /// <inheritdoc />
    public Value Build(
        int maskStage, Func<Value, int, Value> valueIn, Func<int, Value> passes, IssueQueue? queue)
    {
        var n = _n;
        var begins = IsLate ? passes(maskStage) : _header.Payload(maskStage).IsStart;
        List<Value> known = [.. Operands.Select(value => valueIn(value, maskStage))];
        var comes = _header.BeatsFrom(_fetch.FirstBeat);
        var section = n.Begin($"loop over the payload, {Loop.Rate}");
        // Beats beyond the longest frame's are passed over, but for the last: it could never begin.
        if (_fifo is not null) comes = n.And(comes, n.Or(n.Not(_fifo.IsTooLong), _header.Ends));
        var depth = (_fifo?.MostBeats ?? 0) + Math.Max(LeastDepth, 2 * (_header.Beats + maskStage + Slack));
        var gets = new RoundRobin(n, "fold_gets", Loop.Units, n.And(comes, _header.Ends));
        var starts = new RoundRobin(n, "fold_starts", Loop.Units, begins);
        var ends = new RoundRobin(n, "fold_ends", Loop.Units, queue!.Issues);
        var units = Enumerable.Range(0, Loop.Units).Select(number =>
        {
            n.Continue(section);
            var beats = new WordQueue(
                n, "fold_beats", depth, [.. _header.Data, _header.Ends], n.And(comes, gets.Is(number)), _isFast);
            var operands = new WordQueue(
                n, "fold_operands", depth, known, n.And(begins, starts.Is(number)), _isFast);
            var results = new FoldUnit(n, _fetch, _recurrence, section).Build(
                beats, operands, (queue.Capacity + Loop.Units - 1) / Loop.Units);
            results.Pop.Source = n.And(queue.Issues, ends.Is(number));
            return (Beats: beats, Results: results);
        }).ToList();
        HasRoom = n.Not(n.ReduceOr(units.Select(
            unit => n.Not(unit.Beats.HasRoomFor(Slack + (Loop.Units > 1 ? 1 : 0))))));
        if (Loop.Units > 1) HasRoom = n.Registered("fold_has_room", HasRoom, 0);
        HasResult = n.ReduceOr(units.Select((unit, number) => n.And(unit.Results.IsOccupied, ends.Is(number))));
        return n.Registered("fold", ends.Choose(units.ConvertAll(
            unit => unit.Results.Head.Aggregate(n.Concat))));
    }
}
