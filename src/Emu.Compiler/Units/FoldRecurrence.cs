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
/// (<see cref="WalkJumps"/>), or a number as a linear map of what it was (<see cref="AffineTurns"/>), with its carry or
/// with that saved.
/// </remarks>
internal sealed class FoldRecurrence : IStageSource
{
    /// <summary>The most stages in front of a part of the state.</summary>
    private const int MostStages = 48;

    private readonly Dictionary<Value, int> _stages = new(ReferenceEqualityComparer.Instance);
    private readonly List<Part> _parts = [];
    private readonly List<SavedSum> _sums = [];
    private readonly Delays _delays;
    private readonly StageBudget _budget;
    private readonly Wire _left = new("fold_left", FoldingBuilder.Zero(1));

    /// <summary>Declares it.</summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="delays">The delays of operations.</param>
    /// <param name="budget">Levels of logic in a stage.</param>
    /// <param name="fold">The fold.</param>
    /// <param name="group">The turns.</param>
    public FoldRecurrence(Netlist n, Delays delays, StageBudget budget, FrameFold fold, FoldGroup group)
    {
        (Group, _delays, _budget) = (group, delays, budget);
        var turns = new TurnChain(n, fold, group);
        Rest = turns.State.FirstOrDefault();
        (Changes, IsDone, Found) = (n.Or(group.IsFirst, n.Not(_left)), n.Or(turns.IsLeft, group.IsEnd), turns.Found);
        Value?[] next = [.. turns.Before[^1].Select((value, i) => turns.IsAdded[i] ? null : value)];
        foreach (var parts in StateComponents.Of(turns.State, next))
        {
            var best = Place(RecurrenceWay.Of(parts.ConvertAll(part => (turns.State[part], next[part]!))));
            foreach (var make in OtherWays(n, fold, group, turns, parts))
            {
                if (best.Cycles == 1 || make() is not { } way) continue;
                var other = Place(way);
                if (other.Cycles < best.Cycles) best = other;
            }
            Take(best);
        }
        if (!fold.HidesState)
        {
            Kept = [.. turns.State.Select((_, i) => turns.IsAdded[i] ? null : turns.Kept[i])];
            Added = [.. turns.State.Select((_, i) => turns.IsAdded[i] ? turns.SumOf(i) : null)];
        }
        LeftStage = NewSchedule().StageOf(IsDone);
        _stages[_left] = LeftStage;
        Schedule = NewSchedule();
        LastStage = 1 + Found.Concat(Kept.OfType<Value>())
            .Concat(Added.OfType<(Opcode, Value Addend)>().Select(added => added.Addend))
            .Select(Schedule.StageOf).Append(LeftStage)
            .Concat(_parts.Select(part => part.Stage)).Max();
    }

    /// <summary>A part of the state.</summary>
    /// <param name="StandIn">Stands for it.</param>
    /// <param name="Next">What it is behind the turns.</param>
    /// <param name="Stage">The stage from which it takes that.</param>
    public sealed record Part(Wire StandIn, Value Next, int Stage);

    /// <summary>A part of the state that is the sum of two others.</summary>
    /// <param name="StandIn">Stands for it.</param>
    /// <param name="Sum">What it is.</param>
    /// <param name="Stage">The stage in which it is there.</param>
    public sealed record SavedSum(Wire StandIn, Value Sum, int Stage);

    /// <summary>The turns.</summary>
    public FoldGroup Group { get; }

    /// <summary>Stands for whether the loop has been left.</summary>
    public Wire Left => _left;

    /// <summary>The stage in which it is known that the loop is left.</summary>
    public int LeftStage { get; }

    /// <summary>The parts of the state, but for those that turns only add to.</summary>
    public IReadOnlyList<Part> Parts => _parts;

    /// <summary>Parts of which two numbers are kept that add up to them.</summary>
    public IReadOnlyList<SavedSum> Sums => _sums;

    /// <summary>Stands for the first part: of a walk, the number of turns to be passed over.</summary>
    public Wire? Rest { get; }

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
    public int Cycles { get; private set; } = 1;

    /// <summary>The stages of all values.</summary>
    public StageSchedule Schedule { get; }

    /// <inheritdoc />
    public (int Stage, int Level) PlaceOf(Value value) =>
        IsWord(value) ? (WordStream.Latency, WordStream.Levels) : (_stages.GetValueOrDefault(value), 0);

    /// <inheritdoc />
    public bool IsWord(Value value) => Group.Words.Contains(value);

    /// <inheritdoc />
    public bool IsKept(Value value) => false;

    /// <summary>The least cycles in which a way's recurrences can be done, each in the first stage for them.</summary>
    private Placement Place(RecurrenceWay way)
    {
        var (parts, cycles) = (new List<(Part Part, int From)>(), 1);
        foreach (var recurrence in way.Recurrences)
        {
            int CyclesFrom(int stage)
            {
                foreach (var (standIn, _) in recurrence) _stages[standIn] = stage;
                var schedule = NewSchedule();
                return Math.Max(1, recurrence.Max(part => schedule.StageOf(part.Next)) - stage + 1);
            }
            // Where all else that is needed is there, no later stage has fewer cycles.
            var (first, last) = (0, Math.Min(CyclesFrom(0) - 1, MostStages));
            var least = CyclesFrom(last);
            while (first < last)
            {
                if (CyclesFrom((first + last) / 2) == least) last = (first + last) / 2;
                else first = (first + last) / 2 + 1;
            }
            foreach (var (standIn, value) in recurrence)
            {
                _stages[standIn] = last;
                parts.Add((new Part(standIn, value, last + least - 1), last));
            }
            cycles = Math.Max(cycles, least);
        }
        return new Placement(cycles, parts, way.Sums);
    }

    private void Take(Placement placement)
    {
        foreach (var (part, from) in placement.Parts) _stages[part.StandIn] = from;
        foreach (var (standIn, sum) in placement.Sums)
        {
            _stages[standIn] = NewSchedule().StageOf(sum) + 1;
            _sums.Add(new SavedSum(standIn, sum, _stages[standIn]));
        }
        _parts.AddRange(placement.Parts.Select(each => each.Part));
        Cycles = Math.Max(Cycles, placement.Cycles);
    }

    private StageSchedule NewSchedule() => new(_delays, _budget, this, new Substitution());

    /// <summary>Ways to make the next of some parts that are sooner done than turn behind turn.</summary>
    private static IEnumerable<Func<RecurrenceWay?>> OtherWays(
        Netlist n, FrameFold fold, FoldGroup group, TurnChain turns, List<int> parts)
    {
        if (group.Lanes.Count > 1 && fold.IsWalk && parts[0] == 0)
        {
            yield return () => WalkJumps.Of(n, fold, group, turns, parts) is { } jumps
                ? RecurrenceWay.Of([.. parts.Select(part => turns.State[part]).Zip(jumps)])
                : null;
        }
        if (parts is not [var part]) yield break;
        var affine = new Lazy<AffineTurns?>(() => AffineTurns.Of(n, fold, group, turns, part));
        yield return () => affine.Value?.Whole;
        yield return () => affine.Value?.Saved;
    }

    /// <summary>A way with the stages of its parts.</summary>
    private sealed record Placement(
        int Cycles, IReadOnlyList<(Part Part, int From)> Parts, IReadOnlyList<(Wire StandIn, Value Sum)> Sums);
}
