using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Units;

/// <summary>
/// Some turns of a fold, one behind the other, as a recurrence: what does not need the state is computed in stages
/// before it, and what they have found, or only add to, behind it, so that only the rest has to be done from one group
/// of turns to the next.
/// </summary>
internal sealed class FoldRecurrence : IStageSource
{
    /// <summary>The most stages in front of the state.</summary>
    private const int MostStages = 8;

    private readonly HashSet<Value> _standing = new(ReferenceEqualityComparer.Instance);

    /// <summary>Declares it.</summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="delays">The delays of operations.</param>
    /// <param name="budget">Levels of logic in a stage.</param>
    /// <param name="fold">The fold.</param>
    /// <param name="group">The turns.</param>
    public FoldRecurrence(Netlist n, Delays delays, StageBudget budget, FrameFold fold, FoldGroup group)
    {
        (Group, HidesState) = (group, fold.HidesState);
        Wire StandIn(string name, int width)
        {
            var wire = new Wire(name, FoldingBuilder.Zero(width));
            _standing.Add(wire);
            return wire;
        }
        Left = StandIn("fold_left", 1);
        var forms = new FoldForms(n);
        List<Wire> state = [.. fold.StateParameters.Select(phi => StandIn("fold_state", phi.Width))];
        var isAdded = state.Select((_, number) => forms.IsAddedTo(fold, number)).ToList();
        State = [.. state.Select((wire, number) => isAdded[number] ? null : wire)];
        Changes = n.Or(group.IsFirst, n.Not(Left));
        List<Value> found = [.. fold.FoundValues.Select(value => (Value)FoldingBuilder.Zero(value.Width))];
        List<Value> now = [.. state.Select((wire, number) =>
            isAdded[number] ? wire : n.Select(group.IsFirst, group.Initial[number], wire))];
        var sums = state.ConvertAll(wire => new FoldSum(n, forms, wire));
        if (group.Passed is { } passed)
        {
            now[0] = n.Select(
                n.Or(group.IsFirst, passed.Were), n.Select(group.IsFirst, group.Initial[0], passed.Rest), state[0]);
            for (var i = 1; i < sums.Count; i++)
                if (isAdded[i] && forms.CountsAll(fold, i)) sums[i].AddPassed(passed.Count, passed.Were);
        }
        Value isLeft = FoldingBuilder.Bit(false);
        foreach (var lane in group.Lanes)
        {
            var turn = new TurnCopy(n, fold, lane.Parameters(group.Invariants, now));
            var leaves = n.And(lane.IsTaken, turn.IsLeft);
            var isFound = n.And(leaves, n.Not(isLeft));
            found = [.. found.Zip(turn.Found, (so, value) => n.Select(isFound, value, so))];
            isLeft = n.Or(isLeft, leaves);
            var goesOn = n.And(lane.IsTaken, n.Not(isLeft));
            for (var i = 0; i < now.Count; i++)
            {
                if (isAdded[i]) sums[i].Add(turn.Next[i], goesOn);
                else now[i] = n.Select(goesOn, turn.Next[i], now[i]);
            }
        }
        IsDone = n.Or(isLeft, group.IsEnd);
        (Found, Next) = (found, [.. now.Select((next, number) => isAdded[number] ? null : next)]);
        Added = [.. sums.Select((sum, number) => isAdded[number] ? sum.Total : null)];
        List<Value> recurrent = [IsDone, Changes, .. Next.OfType<Value>()];
        (Stage, Cycles) = (0, int.MaxValue);
        for (var stage = 0; stage <= MostStages && Cycles > 1; stage++)
        {
            StateStage = stage;
            var schedule = new StageSchedule(delays, budget, this, new Substitution());
            var cycles = recurrent.Max(schedule.StageOf) - stage + 1;
            if (cycles >= Cycles) continue;
            (Stage, Cycles, Schedule) = (stage, Math.Max(1, cycles), schedule);
        }
        StateStage = Stage;
        var last = Stage + Cycles - 1;
        LastStage = 1 + Found.Concat(Added.OfType<(Opcode, Value Addend)>().Select(added => added.Addend))
            .Select(Schedule.StageOf).Append(last).Max();
    }

    /// <summary>The turns.</summary>
    public FoldGroup Group { get; }

    /// <summary>True if the result is what was found, without the state.</summary>
    public bool HidesState { get; }

    /// <summary>Stands for whether the loop has been left.</summary>
    public Wire Left { get; }

    /// <summary>Stand for the parts of the state; null for those that turns only add to.</summary>
    public IReadOnlyList<Wire?> State { get; }

    /// <summary>The same behind the turns.</summary>
    public IReadOnlyList<Value?> Next { get; }

    /// <summary>The sum of what the turns add to a part of the state; null for others, and if it stays.</summary>
    public IReadOnlyList<(Opcode Operation, Value Addend)?> Added { get; }

    /// <summary>The values that are found if the loop is left in one of the turns.</summary>
    public IReadOnlyList<Value> Found { get; }

    /// <summary>1 if they change: the loop has not been left before.</summary>
    public Value Changes { get; }

    /// <summary>1 if the loop is left in one of the turns.</summary>
    public Value IsDone { get; }

    /// <summary>The stage of the state, counted from that in which the bytes come.</summary>
    public int Stage { get; }

    /// <summary>The stage of what is found, and of what is added.</summary>
    public int LastStage { get; }

    /// <summary>The cycles from one group of turns to the next.</summary>
    public int Cycles { get; }

    /// <summary>The stages of all values.</summary>
    public StageSchedule Schedule { get; } = null!;

    private int StateStage { get; set; }

    /// <inheritdoc />
    public (int Stage, int Level) PlaceOf(Value value) =>
        IsWord(value) ? (WordStream.Latency, WordStream.Levels) : (_standing.Contains(value) ? StateStage : 0, 0);

    /// <inheritdoc />
    public bool IsWord(Value value) => Group.Words.Contains(value);

    /// <inheritdoc />
    public bool IsKept(Value value) => false;
}
