using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Dialect;

/// <summary>
/// The values that need a variable: those that are used twice, or elsewhere than where they are computed.
/// </summary>
internal sealed class ValueUses
{
    private readonly HashSet<Value> _variables = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<Value> _used = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<Value> _counted = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Value, StatePart> _parts = new(ReferenceEqualityComparer.Instance);

    /// <summary>Counts the uses in all states.</summary>
    public ValueUses(IReadOnlyList<ProgramState> states)
    {
        var parts = states.SelectMany(state => state.Parts).ToList();
        foreach (var part in parts)
            foreach (var operation in part.Operations) _parts[operation] = part;
        foreach (var part in parts)
        {
            foreach (var (value, _) in UsedBy(part)) Use(value, part);
            _counted.UnionWith(part.Operations.Where(o => !Parity.Is(o)).SelectMany(o => o.Operands));
        }
    }

    /// <summary>True if a value needs a variable.</summary>
    public bool NeedsVariable(Value value) => _variables.Contains(value);

    /// <summary>True if an operation is in the same part of a state as one of its operands.</summary>
    public bool IsBeside(Operation operation, Value operand) =>
        _parts.TryGetValue(operand, out var part) && _parts[operation] == part;

    /// <summary>True if an operation counts ones of which only the parity is used.</summary>
    public bool IsParity(Operation count) => !_counted.Contains(count);

    /// <summary>
    /// The values that a part of a state reads, in the order of the operations that do so; none does at its end.
    /// </summary>
    public static IEnumerable<(Value Value, Operation? User)> UsedBy(StatePart part)
    {
        foreach (var operation in part.Operations)
        {
            var counts = Parity.Is(operation);
            foreach (var operand in operation.Operands)
                yield return (counts ? ((Operation)operand).Operands[0] : operand, operation);
        }
        foreach (var value in UsedAtEnd(part)) yield return (value, null);
    }

    private static IEnumerable<Value> UsedAtEnd(StatePart part)
    {
        if (part.Next is { Key: { HasOffset: true } key }) return [key.Block.Operations[key.Index].Operands[0]];
        if (part.Next is not null) return [];
        var phis = part.Block.Terminator!.Successors.SelectMany(target => target.Phis);
        return Verifier.UsedBy(part.Block.Terminator)
            .Concat(phis.Select(phi => phi.Operands[phi.Block.Predecessors.IndexOf(part.Block)]));
    }

    private void Use(Value value, StatePart part)
    {
        if (value is Constant) return;
        if (!_used.Add(value) || _parts.GetValueOrDefault(value) != part) _variables.Add(value);
    }
}
