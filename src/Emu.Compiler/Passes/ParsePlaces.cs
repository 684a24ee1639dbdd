using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>The places that an offset can be at in a step, as distances from its first read, if few.</summary>
/// <param name="turn">The turn.</param>
/// <param name="step">The step.</param>
internal sealed class ParsePlaces(ParseTurn turn, ParseStep step)
{
    private const int Most = 4;

    // While one is looked for, as it is of a cycle, nothing is known of it.
    private readonly Dictionary<(Value, Block), List<int>?> _known = [];
    private readonly Dictionary<Block, List<(TurnOffset Sum, List<int>? Places)>> _sums = [];

    /// <summary>The places at the end of a block, in order; null if they are not known, or more.</summary>
    public List<int>? Of(Value value, Block block)
    {
        if (_known.TryGetValue((value, block), out var before)) return before;
        _known[(value, block)] = null;
        var places = Found(value, block) ?? Along(turn.OffsetOf(value), block);
        return _known[(value, block)] = places is { Count: <= Most } ? places : null;
    }

    /// <summary>
    /// The places of a sum, on each way of the step to a block: of a phi, what comes by that way is in the sum.
    /// </summary>
    private List<int>? Along(TurnOffset sum, Block block)
    {
        var known = _sums.TryGetValue(block, out var sums) ? sums : _sums[block] = [];
        if (known.FindIndex(other => other.Sum.Constant == sum.Constant && other.Sum.IsLike(sum)) is var at and >= 0)
            return known[at].Places;
        known.Add((sum, null));
        at = known.Count - 1;
        var places = FoundAlong(sum, block);
        known[at] = (sum, places);
        return places;
    }

    private List<int>? FoundAlong(TurnOffset sum, Block block)
    {
        var own = sum.Terms.Where(term => ParseStep.Defines(block, term)).ToList();
        if (!own.TrueForAll(term => term is Phi)) return null;
        if (block == step.Root)
        {
            if (own.Count > 0 || !turn.Region.IsRead(block)) return null;
            var place = turn.OffsetOf(ParseStep.ReadOf(block).Operands[0]);
            return sum.IsLike(place) ? [turn.Signed(sum.Constant - place.Constant)] : null;
        }
        var joined = new SortedSet<int>();
        foreach (var from in step.WaysTo(block))
        {
            if (Along(own.Count == 0 ? sum : turn.SumFrom(sum, block, from), from) is not { } places) return null;
            joined.UnionWith(places);
        }
        return joined.Count > Most ? null : [.. joined];
    }

    private List<int>? Found(Value value, Block block)
    {
        if (step.ConstantTo(value, block) is { } apart) return [apart];
        if (!turn.Region.Defines(value)) return AtBegin(value);
        if (value is Operation operation && ParseStep.Defines(block, value)) return Found(operation, block);
        if (block == step.Root) return AtBegin(value);
        var joined = new SortedSet<int>();
        foreach (var from in step.WaysTo(block))
        {
            if (Of(ParseStep.OperandFrom(value, block, from), from) is not { } places) return null;
            joined.UnionWith(places);
        }
        return [.. joined];
    }

    private List<int>? AtBegin(Value value) => value is not Constant
        && turn.DistanceAtBegin(step, value) is Constant distance
            ? [turn.Signed(distance.Bits - (UInt128)step.Ahead)]
            : null;

    private List<int>? Found(Operation operation, Block block) => operation switch
    {
        { Opcode: Opcode.Add, Operands: [var a, Constant by] } when turn.Keeps(operation) => Moved(a, block, by.Bits),
        { Opcode: Opcode.Add, Operands: [Constant by, var b] } when turn.Keeps(operation) => Moved(b, block, by.Bits),
        { Opcode: Opcode.Subtract, Operands: [var a, Constant by] } when turn.Keeps(operation) =>
            Moved(a, block, UInt128.Zero - by.Bits),
        { Opcode: Opcode.Concat, Operands: [Constant { Bits: var zeros }, var low] } when zeros == 0 => Of(low, block),
        { Opcode: Opcode.ZeroExtend, Operands: [var part] } => Of(part, block),
        { Opcode: Opcode.Truncate or Opcode.Extract, Low: 0, Operands: [var whole] } when turn.Keeps(operation) =>
            Of(whole, block),
        _ => null,
    };

    private List<int>? Moved(Value value, Block block, UInt128 by) =>
        Of(value, block)?.ConvertAll(place => turn.Signed((UInt128)(Int128)place + by));
}
