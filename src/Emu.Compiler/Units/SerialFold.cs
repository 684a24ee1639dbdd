using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Units;

/// <summary>
/// A loop over a frame's bytes whose turns need the state that the one before has left (<see cref="FrameFold"/>): as
/// many turns a cycle as a stage has time for, one behind the other.
/// </summary>
/// <remarks>
/// Beats wait in a queue of its own, so that a frame whose loop takes more cycles than its beats holds back only what
/// follows when that is full. A frame leaves the pipeline's issue queue when its result is there.
/// </remarks>
internal sealed class SerialFold : IPayloadUnit
{
    /// <summary>Beats that may still come once the queue has no room.</summary>
    private const int Slack = 4;

    private const int LeastDepth = 32;

    private readonly Netlist _n;
    private readonly HeaderWindow _header;
    private readonly FoldFetch _fetch = null!;
    private readonly FoldRecurrence _recurrence = null!;
    private readonly Value _isNeeded;

    /// <summary>Declares it.</summary>
    /// <param name="netlist">The netlist in which it is made.</param>
    /// <param name="header">The stream.</param>
    /// <param name="lanes">The bytes of a beat.</param>
    /// <param name="delays">The delays of operations.</param>
    /// <param name="budget">Levels of logic in a stage.</param>
    /// <param name="operation">The operation.</param>
    /// <param name="operands">Its operands; the first is a constant.</param>
    /// <param name="isNeeded">True of a frame whose result may be used.</param>
    public SerialFold(
        Netlist netlist, HeaderWindow header, int lanes, Delays delays, StageBudget budget, Operation operation,
        IReadOnlyList<Value> operands, Value isNeeded)
    {
        (_n, _header, _isNeeded) = (netlist, header, isNeeded);
        var (fold, inputs) = (operation.Fold!, FoldInputs.Of(operation.Fold!, operands));
        Total = new Wire("fold", FoldingBuilder.Zero(operation.Width));
        for (var turns = 1; turns <= lanes; turns *= 2)
        {
            var fetch = new FoldFetch(netlist, lanes, fold, inputs, turns);
            var recurrence = new FoldRecurrence(netlist, delays, budget, fold, fetch.Group);
            // More at once are done sooner only where none has to wait for the one before longer than a cycle.
            if (turns > 1 && recurrence.Cycles > 1) break;
            (_fetch, _recurrence) = (fetch, recurrence);
            Loop = new CircuitLoop(turns, recurrence.Cycles, operation.Location);
        }
    }

    /// <inheritdoc />
    public Wire Total { get; }

    /// <summary>The bytes that are done in so many cycles.</summary>
    public CircuitLoop Loop { get; } = null!;

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
    public Value Build(int maskStage, Func<Value, int, Value> valueIn, IssueQueue? queue)
    {
        var n = _n;
        var begins = _header.Payload(maskStage).IsStart;
        List<Value> known = [.. Operands.Select(value => valueIn(value, maskStage))];
        var comes = _header.BeatsFrom(_fetch.FirstBeat);
        var section = n.Begin($"loop over the payload, {Loop.Rate}");
        var depth = Math.Max(LeastDepth, 2 * (_header.Beats + maskStage + Slack));
        var beats = new WordQueue(n, "fold_beats", depth, [.. _header.Data, _header.Ends], comes);
        var operands = new WordQueue(n, "fold_operands", depth, known, begins);
        HasRoom = beats.HasRoomFor(Slack);
        var left = n.AddFlop("fold_left", 1, 0);
        var leftFrame = n.AddFlop("fold_left_frame", FoldFlow.FrameBits, 0);
        var mayGive = n.DeclareWire("fold_may_give", 1);
        var flow = _fetch.Build(
            beats, beats.Head[^1], operands, mayGive, frame => n.And(left, n.Equal(frame, leftFrame)));
        mayGive.Source = n.Not(n.ReduceOr(Since(flow.Gives, "fold_given", _recurrence.Cycles - 1)));
        n.Continue(section);

        List<Flop?> state = [.. _recurrence.State.Select(part =>
            part is null ? null : n.AddFlop("fold_state", part.Width, 0))];
        var made = flow.Values.ToDictionary(ReferenceEqualityComparer.Instance);
        made[_recurrence.Left] = left;
        for (var i = 0; i < state.Count; i++) if (state[i] is { } flop) made[_recurrence.State[i]!] = flop;
        var values = new StageValues(n, _recurrence.Schedule, new Stages(section, made));
        var (last, end) = (_recurrence.Stage + _recurrence.Cycles - 1, _recurrence.LastStage);
        List<Value> isHere = [flow.Gives, .. Since(flow.Gives, "fold_group", end)];
        Value Counts(int stage) => n.And(isHere[stage], values.In(_recurrence.Changes, stage));
        (left.Next, left.Enable) = (values.In(_recurrence.IsDone, last), Counts(last));
        foreach (var (flop, next) in state.Zip(_recurrence.Next))
            if (flop is not null) (flop.Next, flop.Enable) = (values.In(next!, last), Counts(last));
        var frame = flow.Frame;
        for (var i = 0; i < last; i++) frame = n.Registered("fold_group_frame", frame);
        (leftFrame.Next, leftFrame.Enable) = (frame, isHere[last]);

        var found = _recurrence.Found.Select(value =>
            (Value)n.Registered("fold_found", values.In(value, end), 0, Counts(end))).ToList();
        for (var i = 0; i < state.Count; i++)
        {
            found.Add(state[i] is { } flop
                ? Since(flop, "fold_state", end - last)[^1]
                : Sum(i, values, end, Counts(end)));
        }
        var isDone = n.Registered("fold_done", n.And(Counts(end), values.In(_recurrence.IsDone, end)), 0);
        var results = new WordQueue(n, "fold_results", queue!.Capacity, found, isDone);
        results.Pop.Source = queue.Issues;
        HasResult = results.IsOccupied;
        return n.Registered("fold", results.Head.Aggregate(n.Concat));
    }

    /// <summary>A part of the state to which turns only add.</summary>
    private Value Sum(int number, StageValues values, int stage, Value counts)
    {
        var (n, group) = (_n, _recurrence.Group);
        if (_recurrence.Added[number] is not var (operation, addend)) return group.Initial[number];
        var flop = n.AddFlop("fold_sum", addend.Width, 0);
        var before = n.Select(
            values.In(group.IsFirst, stage), FoldForms.Identity(operation, addend.Width), flop);
        (flop.Next, flop.Enable) = (
            n.Make(operation, addend.Width, before, values.In(addend, stage)), counts);
        return flop;
    }

    /// <summary>A value as it was a cycle ago, two, and so on.</summary>
    private List<Value> Since(Value value, string name, int cycles)
    {
        var since = new List<Value>();
        for (var i = 0; i < cycles; i++) since.Add(value = _n.Registered(name, value, 0));
        return since;
    }

    /// <summary>The stages in front of the state.</summary>
    private sealed class Stages(Section section, Dictionary<Value, Value> made) : IStageBuilder
    {
        public Value Make(Value value, int stage) => made[value];

        public Value Into(int stage, Value before) => before;

        public Value? Enable(int stage) => null;

        public Section Section(int stage) => section;
    }
}
