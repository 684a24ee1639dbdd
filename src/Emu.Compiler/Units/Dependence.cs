using Emu.Compiler.IR;

namespace Emu.Compiler.Units;

/// <summary>The values that are computed of another.</summary>
internal sealed class Dependence
{
    private readonly Dictionary<Value, bool> _known = new(ReferenceEqualityComparer.Instance);

    /// <summary>Declares it.</summary>
    /// <param name="state">The other.</param>
    /// <param name="others">Values that are known not to be computed of it.</param>
    public Dependence(Value state, IEnumerable<Value> others)
    {
        State = state;
        foreach (var value in others) _known[value] = false;
        _known[state] = true;
    }

    /// <summary>The other.</summary>
    public Value State { get; }

    /// <summary>True if a value is the other, or computed of it.</summary>
    public bool Has(Value value)
    {
        if (_known.TryGetValue(value, out var known)) return known;
        return value is Operation operation && (_known[value] = operation.Operands.Exists(Has));
    }
}
