using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Units;

/// <summary>
/// Some turns of a fold, one behind the other, as recurrences: what does not need the state is computed in stages
/// before it, and what they have found, or only add to, behind it, so that only the rest has to be done from one group
/// of turns to the next.
/// </summary>
/// <remarks>
/// Parts of the state that do not need one another are in stages of their own (<see cref="StateComponents"/>): what a
/// part needs of one in a stage before it comes with the group. Of several ways to make the next state
/// the first is taken that is done in a cycle: turn behind turn, a walk's position from where each of its turns leads
/// (<see cref="WalkJumps"/>), or a number as a linear map of what it was (<see cref="AffineTurns"/>).
/// </remarks>
internal sealed class FoldRecurrence : IStageSource
{
    /// <summary>The most stages in front of a part of the state.</summary>
    private const int MostStages = 24;

    private readonly Dictionary<Value, int> _stages = new(ReferenceEqualityComparer.Instance);
    private readonly Wire _left = new("fold_left", FoldingBuilder.Zero(1));

    /// <summary>Declares it.</summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="delays">The delays of operations.</param>
    /// <param name="budget">Levels of logic in a stage.</param>
    /// <param name="fold">The fold.</param>
    /// <param name="group">The turns.</param>
    public FoldRecurrence(Netlist n, Delays delays, StageBudget budget, FrameFold fold, FoldGroup group)
    {
        Group = group;
        var turns = new TurnChain(n, fold, group);
        (Changes, IsDone, Found) = (n.Or(group.IsFirst, n.Not(_left)), n.Or(turns.IsLeft, group.IsEnd), turns.Found);
        Value?[] next = [.. turns.Before[^1].Select((value, i) => turns.IsAdded[i] ? null : value)];
        var places = new (int Stage, int Cycles)[next.Length];
        StageSchedule NewSchedule() => new(delays, budget, this, new Substitution());
        (int Stage, int Cycles) Place(List<int> parts, IReadOnlyList<Value> values)
        {
            var best = (Stage: 0, Cycles: int.MaxValue);
            for (var stage = 0; stage <= MostStages && best.Cycles > 1; stage++)
            {
                foreach (var part in parts) _stages[turns.State[part]] = stage;
                var schedule = NewSchedule();
                var cycles = Math.Max(1, values.Max(schedule.StageOf) - stage + 1);
                if (cycles < best.Cycles) best = (stage, cycles);
            }
            foreach (var part in parts) _stages[turns.State[part]] = best.Stage;
            return best;
        }
        foreach (var parts in StateComponents.Of(turns.State, next))
        {
            var best = Place(parts, parts.ConvertAll(part => next[part]!));
            foreach (var make in OtherWays(n, fold, group, turns, parts))
            {
                if (best.Cycles == 1 || make() is not { } values) continue;
                var serial = best;
                best = Place(parts, values);
                if (best.Cycles < serial.Cycles)
                {
                    foreach (var (part, value) in parts.Zip(values)) next[part] = value;
                    continue;
                }
                best = serial;
                foreach (var part in parts) _stages[turns.State[part]] = best.Stage;
            }
            foreach (var part in parts) places[part] = best;
        }
        Parts = [.. turns.State.Select((wire, i) => next[i] is { } value
            ? new Part(wire, value, places[i].Stage + places[i].Cycles - 1)
            : null)];
        if (!fold.HidesState)
        {
            Kept = [.. turns.State.Select((_, i) => turns.IsAdded[i] ? null : turns.Kept[i])];
            Added = [.. turns.State.Select((_, i) => turns.IsAdded[i] ? turns.SumOf(i) : null)];
        }
        Cycles = places.Select(place => place.Cycles).Append(1).Max();
        LeftStage = NewSchedule().StageOf(IsDone);
        _stages[_left] = LeftStage;
        Schedule = NewSchedule();
        LastStage = 1 + Found.Concat(Kept.OfType<Value>())
            .Concat(Added.OfType<(Opcode, Value Addend)>().Select(added => added.Addend))
            .Select(Schedule.StageOf).Append(LeftStage)
            .Concat(Parts.OfType<Part>().Select(part => part.Stage)).Max();
    }

    /// <summary>A part of the state.</summary>
    /// <param name="StandIn">Stands for it.</param>
    /// <param name="Next">What it is behind the turns.</param>
    /// <param name="Stage">The stage from which it takes that.</param>
    public sealed record Part(Wire StandIn, Value Next, int Stage);

    /// <summary>The turns.</summary>
    public FoldGroup Group { get; }

    /// <summary>Stands for whether the loop has been left.</summary>
    public Wire Left => _left;

    /// <summary>The stage in which it is known that the loop is left.</summary>
    public int LeftStage { get; }

    /// <summary>The parts of the state; null for those that turns only add to.</summary>
    public IReadOnlyList<Part?> Parts { get; }

    /// <summary>
    /// Those parts as the loop leaves them, if the result is more than what was found; null for parts that turns only
    /// add to.
    /// </summary>
    public IReadOnlyList<Value?> Kept { get; } = [];

    /// <summary>The sum of what the turns add to a part of the state; null for others, and if it stays.</summary>
    public IReadOnlyList<(Opcode Operation, Value Addend)?> Added { get; } = [];

    /// <summary>The values that are found if the loop is left in one of the turns.</summary>
    public IReadOnlyList<Value> Found { get; }

    /// <summary>1 if they change: the loop has not been left before.</summary>
    public Value Changes { get; }

    /// <summary>1 if the loop is left in one of the turns.</summary>
    public Value IsDone { get; }

    /// <summary>The stage of what is found, and of what is added.</summary>
    public int LastStage { get; }

    /// <summary>The cycles from one group of turns to the next.</summary>
    public int Cycles { get; }

    /// <summary>The stages of all values.</summary>
    public StageSchedule Schedule { get; }

    /// <inheritdoc />
    public (int Stage, int Level) PlaceOf(Value value) =>
        IsWord(value) ? (WordStream.Latency, WordStream.Levels) : (_stages.GetValueOrDefault(value), 0);

    /// <inheritdoc />
    public bool IsWord(Value value) => Group.Words.Contains(value);

    /// <inheritdoc />
    public bool IsKept(Value value) => false;

    /// <summary>Ways to make the next of some parts that are sooner done than turn behind turn.</summary>
    private static IEnumerable<Func<IReadOnlyList<Value>?>> OtherWays(
        Netlist n, FrameFold fold, FoldGroup group, TurnChain turns, List<int> parts)
    {
        if (group.Lanes.Count == 1) yield break;
        if (fold.IsWalk && parts[0] == 0) yield return () => WalkJumps.Of(n, fold, group, turns, parts);
        if (parts is [var part])
            yield return () => AffineTurns.Of(n, fold, group, turns, part) is { } value ? [value] : null;
    }
}
