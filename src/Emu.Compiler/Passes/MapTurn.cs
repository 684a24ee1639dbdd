using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// The bytes that the turns of a loop write, apart from all else that they do (loop distribution; Allen and Kennedy
/// 2002, <em>Optimizing compilers for modern architectures</em>): a turn of its own, of what the byte that is written
/// needs.
/// </summary>
internal sealed class MapTurn
{
    private readonly Dictionary<Value, Value> _values = new(ReferenceEqualityComparer.Instance);
    private readonly Block _body = new();

    /// <summary>Makes it.</summary>
    /// <param name="turn">The turn of the loop, whose operations are there.</param>
    /// <param name="written">The byte as the turn leaves it.</param>
    /// <param name="octet">The parameter that is the byte as it came.</param>
    /// <param name="offset">The parameter that is the offset.</param>
    /// <param name="never">The parameters of bounds that are not reached in front of the map's end.</param>
    /// <param name="bounds">The bounds, each with its parameter.</param>
    /// <param name="invariants">The invariants, each with its parameter.</param>
    /// <param name="states">The values that go from turn to turn, each with its parameter and what it is next.</param>
    public MapTurn(
        Block turn, Value written, Phi octet, Phi offset, IReadOnlyList<Phi> never,
        IReadOnlyList<(Value Limit, Phi Reached)> bounds, IReadOnlyList<(Value Value, Phi Parameter)> invariants,
        IReadOnlyList<(Phi State, Phi Parameter, Value Next)> states)
    {
        var needed = new HashSet<Value>(ReferenceEqualityComparer.Instance);
        void Need(Value value)
        {
            if (!needed.Add(value)) return;
            if (value is Operation operation) operation.Operands.ForEach(Need);
            foreach (var (_, parameter, next) in states) if (parameter == value) Need(next);
        }
        Need(written);
        foreach (var parameter in never) _values[parameter] = FoldingBuilder.Bit(false);
        var kept = bounds.Where(bound => needed.Contains(bound.Reached) && !never.Contains(bound.Reached)).ToList();
        Limits = kept.ConvertAll(bound => bound.Limit);
        Invariants = [.. invariants.Where(each => needed.Contains(each.Parameter)).Select(each => each.Value)];
        var carried = states.Where(state => needed.Contains(state.Parameter)).ToList();
        States = carried.ConvertAll(state => state.State);
        foreach (var parameter in (Phi[])[octet, offset]) Parameter(parameter);
        var ends = new Phi(1, _body);
        _body.Phis.Add(ends);
        foreach (var (_, reached) in kept) Parameter(reached);
        foreach (var (_, parameter) in invariants.Where(each => needed.Contains(each.Parameter))) Parameter(parameter);
        foreach (var (_, parameter, _) in carried) Parameter(parameter);
        var n = new OperationList(_body.Operations);
        foreach (var operation in turn.Operations.Where(needed.Contains))
        {
            n.Location = operation.Location;
            _values[operation] = n.Make(
                new Operation(operation.Opcode, operation.Width, operation.Operands.Select(Of))
                {
                    Low = operation.Low,
                    Location = operation.Location,
                });
        }
        _body.Terminator = new Yield(ends, [Of(written), .. carried.Select(state => Of(state.Next))]);
        Fold = new FrameFold(new Function("turn", _body), 1, 1 + Limits.Count, Invariants.Count, 1);
    }

    /// <summary>The turn; its first bound is where the map ends.</summary>
    public FrameFold Fold { get; }

    /// <summary>The other bounds, in front of the loop.</summary>
    public IReadOnlyList<Value> Limits { get; }

    /// <summary>The invariants, in front of the loop.</summary>
    public IReadOnlyList<Value> Invariants { get; }

    /// <summary>The values that go from turn to turn.</summary>
    public IReadOnlyList<Phi> States { get; }

    private void Parameter(Phi parameter)
    {
        var copy = new Phi(parameter.Width, _body);
        _body.Phis.Add(copy);
        _values[parameter] = copy;
    }

    private Value Of(Value value) => value is Constant ? value : _values[value];
}
