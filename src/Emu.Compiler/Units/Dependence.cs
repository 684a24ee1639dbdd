using Emu.Compiler.IR;

namespace Emu.Compiler.Units;

/// <summary>The values that are computed of another.</summary>
/// <param name="state">The other.</param>
internal sealed class Dependence(Value state)
{
    private readonly Dictionary<Value, bool> _known = new(ReferenceEqualityComparer.Instance);

    /// <summary>True if a value is the other, or computed of it.</summary>
    public bool Has(Value value)
    {
        if (value == state) return true;
        if (value is not Operation operation) return false;
        if (_known.TryGetValue(value, out var known)) return known;
        return _known[value] = operation.Operands.Exists(Has);
    }
}
