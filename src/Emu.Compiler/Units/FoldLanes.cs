using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>The turns of a fold whose last bytes come together, taken at once.</summary>
/// <param name="n">The netlist in which it is made.</param>
/// <param name="fold">The fold, whose turns are parallel (<see cref="FoldForms.AreParallel"/>).</param>
internal sealed class FoldLanes(Netlist n, FrameFold fold)
{
    private readonly FoldForms _forms = new(n);

    /// <summary>The outcome of some turns.</summary>
    /// <param name="IsLeft">1 if one of them leaves the loop.</param>
    /// <param name="Found">The values that it has found; 0 if none leaves.</param>
    /// <param name="Addends">What those before it add to the state; null for a state that no turn changes.</param>
    internal sealed record Outcome(
        Value IsLeft, IReadOnlyList<Value> Found, IReadOnlyList<(Opcode Operation, Value Addend)?> Addends);

    /// <summary>The state between turns.</summary>
    /// <param name="IsLeft">1 if the loop has been left.</param>
    /// <param name="Found">The values that were found.</param>
    /// <param name="State">The state.</param>
    internal sealed record Standing(Value IsLeft, IReadOnlyList<Value> Found, IReadOnlyList<Value> State)
    {
        /// <summary>All of these.</summary>
        public IReadOnlyList<Value> Values => [IsLeft, .. Found, .. State];
    }

    /// <summary>The values that a turn has, besides the state.</summary>
    /// <param name="IsTaken">1 if the turn is one of the loop's.</param>
    /// <param name="Bytes">The bytes from its offset on.</param>
    /// <param name="Offset">The offset.</param>
    /// <param name="Reached">A bit for each bound.</param>
    /// <param name="Words">The words of memories.</param>
    internal sealed record Lane(
        Value IsTaken, IReadOnlyList<Value> Bytes, Value Offset, IReadOnlyList<Value> Reached,
        IReadOnlyList<Value> Words)
    {
        /// <summary>The parameters of its turn.</summary>
        public IEnumerable<Value> Parameters(IEnumerable<Value> invariants, IEnumerable<Value> state) =>
            [.. Bytes, Offset, .. Reached, .. invariants, .. Words, .. state];
    }

    /// <summary>The outcome of turns that follow one another.</summary>
    public Outcome Of(IReadOnlyList<Lane> lanes, IReadOnlyList<Value> invariants)
    {
        var turns = lanes.Select(lane => Turn(lane, invariants)).ToList();
        var stops = turns.Select((turn, i) => n.And(lanes[i].IsTaken, turn.IsLeft)).ToList();
        var behind = Prefix(stops);
        Value Before(int lane) => lane == 0 ? n.Not(FoldZero) : n.Not(behind[lane - 1]);
        var found = Enumerable.Range(0, fold.Found).Select(number => n.SelectOneHot(
            turns[0].Found[number].Width,
            turns.Select((turn, i) => (n.And(stops[i], Before(i)), turn.Found[number])))).ToList();
        var addends = Enumerable.Range(0, fold.StateParameters.Count).Select(number =>
        {
            var forms = turns.ConvertAll(turn => turn.Addends[number]);
            if (forms.Find(form => form.Operation is not null).Operation is not { } operation)
                return ((Opcode, Value)?)null;
            var width = fold.StateParameters[number].Width;
            var nothing = FoldForms.Identity(operation, width);
            var parts = forms.Select((form, i) => n.Select(
                n.And(lanes[i].IsTaken, n.Not(behind[i])), form.Addend ?? nothing, nothing)).ToList();
            return (operation, Tree(n, operation, parts));
        }).ToList();
        return new Outcome(behind[^1], found, addends);
    }

    /// <summary>The state after some turns, given that before them.</summary>
    public Standing After(Standing before, Outcome turns) => new(
        n.Or(before.IsLeft, turns.IsLeft),
        [.. before.Found.Zip(turns.Found, (old, found) => n.Select(before.IsLeft, old, found))],
        [.. before.State.Zip(turns.Addends, (old, addend) => addend is not var (operation, value) ? old
            : n.Select(before.IsLeft, old, n.Make(operation, old.Width, old, value)))]);

    private static Constant FoldZero => new(1, 0);

    private (Value IsLeft, IReadOnlyList<Value> Found, List<(Opcode? Operation, Value? Addend)> Addends) Turn(
        Lane lane, IReadOnlyList<Value> invariants)
    {
        // Each turn has stand-ins for the state: what is made of them is only looked at.
        var states = fold.StateParameters.Select(phi => new Wire("state", new Constant(phi.Width, 0))).ToList();
        var turn = new TurnCopy(n, fold, lane.Parameters(invariants, states));
        return (turn.IsLeft, turn.Found,
            [.. turn.Next.Zip(states, (value, state) => _forms.AddendOf(value, state, state.Width)!.Value)]);
    }

    /// <summary>The disjunction of the bits up to each (Sklansky 1960).</summary>
    private List<Value> Prefix(List<Value> bits)
    {
        if (bits.Count == 1) return [bits[0]];
        var half = bits.Count / 2;
        var (low, high) = (Prefix([.. bits.Take(half)]), Prefix([.. bits.Skip(half)]));
        return [.. low, .. high.Select(bit => n.Or(low[^1], bit))];
    }

    /// <summary>An associative operation on all of some values, as a balanced tree.</summary>
    public static Value Tree(Netlist n, Opcode operation, List<Value> parts)
    {
        if (parts.Count == 1) return parts[0];
        var half = parts.Count / 2;
        return n.Make(
            operation, parts[0].Width,
            Tree(n, operation, [.. parts.Take(half)]), Tree(n, operation, [.. parts.Skip(half)]));
    }
}
