using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Units;

/// <summary>
/// A unit that takes the turns of a fold, those of a group in one go, and keeps the state between groups.
/// </summary>
/// <param name="n">The netlist in which it is made.</param>
/// <param name="fetch">Gives the groups.</param>
/// <param name="recurrence">What is done with one.</param>
/// <param name="section">The section in which it is made.</param>
internal sealed class FoldUnit(Netlist n, FoldFetch fetch, FoldRecurrence recurrence, Section section)
{
    /// <summary>Makes it.</summary>
    /// <param name="beats">The beats of its frames.</param>
    /// <param name="operands">The values of the header that their turns need.</param>
    /// <param name="capacity">The most results that wait.</param>
    /// <returns>What was found and the state of each frame, in the order of the fold's result.</returns>
    public WordQueue Build(WordQueue beats, WordQueue operands, int capacity)
    {
        var left = n.AddFlop("fold_left", 1, 0);
        var leftFrame = n.AddFlop("fold_left_frame", FoldFlow.FrameBits, 0);
        var mayGive = n.DeclareWire("fold_may_give", 1);
        var flow = fetch.Build(
            beats, beats.Head[^1], operands, mayGive, frame => n.And(left, n.Equal(frame, leftFrame)));
        mayGive.Source = n.Not(n.ReduceOr(Since(flow.Gives, "fold_given", recurrence.Cycles - 1)));
        n.Continue(section);
        var made = flow.Values.ToDictionary(ReferenceEqualityComparer.Instance);
        made[recurrence.Left] = left;
        var state = recurrence.Parts
            .Select(part => (Part: part, Flop: n.AddFlop("fold_state", part.StandIn.Width, 0))).ToList();
        foreach (var (part, flop) in state) made[part.StandIn] = flop;
        var values = new StageValues(n, recurrence.Schedule, new Stages(section, made));
        foreach (var (standIn, sum, stage) in recurrence.Sums) made[standIn] = values.In(sum, stage);
        var (last, end) = (recurrence.LeftStage, recurrence.LastStage);
        List<Value> isHere = [flow.Gives, .. Since(flow.Gives, "fold_group", end)];
        Value Counts(int stage) => n.And(isHere[stage], values.In(recurrence.Changes, stage));
        (left.Next, left.Enable) = (values.In(recurrence.IsDone, last), Counts(last));
        foreach (var (part, flop) in state)
            (flop.Next, flop.Enable) = (values.In(part.Next, part.Stage), isHere[part.Stage]);
        if (flow.Passer is { } passer)
        {
            var (rest, flop) = state.Find(each => each.Part.StandIn == recurrence.Rest);
            passer.Watch(flop, flow, isHere[rest.Stage], fetch.UntakenGroups);
        }
        var frame = flow.Frame;
        for (var i = 0; i < last; i++) frame = n.Registered("fold_group_frame", frame);
        (leftFrame.Next, leftFrame.Enable) = (frame, isHere[last]);

        Value Held(string name, Value value) => n.Registered(name, values.In(value, end), 0, Counts(end));
        var found = recurrence.Found.Select(value => Held("fold_found", value)).ToList();
        found.AddRange(recurrence.Kept.Select((kept, i) =>
            kept is null ? Sum(i, values, end, Counts(end)) : Held("fold_kept", kept)));
        var isDone = n.Registered("fold_done", n.And(Counts(end), values.In(recurrence.IsDone, end)), 0);
        return new WordQueue(n, "fold_results", capacity, found, isDone);
    }

    /// <summary>A part of the state to which turns only add.</summary>
    private Value Sum(int number, StageValues values, int stage, Value counts)
    {
        var group = recurrence.Group;
        if (recurrence.Added[number] is not var (operation, addend)) return group.Initial[number];
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
        for (var i = 0; i < cycles; i++) since.Add(value = n.Registered(name, value, 0));
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
