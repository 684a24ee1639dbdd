using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// The turns of a group, one behind the other, made of what stands for the state in front of them.
/// </summary>
/// <remarks>
/// The state runs on behind the turn that leaves the loop: nothing of it counts there, and so the state that is next
/// need not wait for whether the loop is left.
/// </remarks>
internal sealed class TurnChain
{
    private readonly List<FoldSum> _sums;

    /// <summary>Makes it.</summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="fold">The fold.</param>
    /// <param name="group">The turns.</param>
    public TurnChain(Netlist n, FrameFold fold, FoldGroup group)
    {
        var forms = new FoldForms(n);
        State = [.. fold.StateParameters.Select(phi => new Wire("fold_state", FoldingBuilder.Zero(phi.Width)))];
        IsAdded = [.. State.Select((_, number) => forms.IsAddedTo(fold, number))];
        _sums = State.ConvertAll(wire => new FoldSum(n, forms, wire));
        List<Value> now = [.. State.Select((wire, number) =>
            IsAdded[number] ? wire : n.Select(group.IsFirst, group.Initial[number], wire))];
        if (group.Passed is { } passed)
        {
            now[0] = n.Select(
                n.Or(group.IsFirst, passed.Were), n.Select(group.IsFirst, group.Initial[0], passed.Rest), State[0]);
            for (var i = 1; i < _sums.Count; i++)
                if (IsAdded[i] && forms.CountsAll(fold, i)) _sums[i].AddPassed(passed.Count, passed.Were);
        }
        Before.Add(now);
        List<Value> found = [.. fold.FoundValues.Select(value => (Value)FoldingBuilder.Zero(value.Width))];
        List<Value> kept = [.. now];
        foreach (var lane in group.Lanes)
        {
            var turn = new TurnCopy(n, fold, lane.Parameters(group.Invariants, now));
            var leaves = n.And(lane.IsTaken, turn.IsLeft);
            var isFound = n.And(leaves, n.Not(IsLeft));
            found = [.. found.Zip(turn.Found, (so, value) => n.Select(isFound, value, so))];
            IsLeft = n.Or(IsLeft, leaves);
            var counts = n.And(lane.IsTaken, n.Not(IsLeft));
            for (var i = 0; i < now.Count; i++) if (IsAdded[i]) _sums[i].Add(turn.Next[i], counts);
            now = [.. now.Select((value, i) => IsAdded[i] ? value : n.Select(lane.IsTaken, turn.Next[i], value))];
            kept = [.. kept.Zip(now, (so, next) => n.Select(n.Not(IsLeft), next, so))];
            Before.Add(now);
        }
        (Found, Kept) = (found, kept);
    }

    /// <summary>Stand for the parts of the state, as the group before has left them.</summary>
    public List<Wire> State { get; }

    /// <summary>For each part of the state whether turns only add to it.</summary>
    public IReadOnlyList<bool> IsAdded { get; }

    /// <summary>The state in front of each turn, and behind the last.</summary>
    public List<IReadOnlyList<Value>> Before { get; } = [];

    /// <summary>The state with which the loop is left in one of the turns; else that behind the last.</summary>
    public IReadOnlyList<Value> Kept { get; }

    /// <summary>The values that are found if the loop is left in one of the turns.</summary>
    public IReadOnlyList<Value> Found { get; }

    /// <summary>1 if the loop is left in one of the turns.</summary>
    public Value IsLeft { get; } = FoldingBuilder.Bit(false);

    /// <summary>The sum of what the turns add to a part of the state; null if it stays.</summary>
    public (Opcode Operation, Value Addend)? SumOf(int part) => _sums[part].Total;
}
