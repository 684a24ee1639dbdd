namespace Emu.Compiler;

/// <summary>
/// Gates on words that follow one another for longer than a stage is deep, as the rounds of a cipher do. Each bit of a round depends on many before:
/// synthesis, which makes a long chain in one stage less deep, does so by making gates several times.
/// </summary>
internal sealed class GateChains
{
    /// <summary>Gates of a chain in a stage, in levels: so many cost little more than with a stage for each round, and half the stages.</summary>
    public const int Budget = 6 * Delays.Level;

    private readonly Dictionary<Value, int> _before = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<Value> _long = new(ReferenceEqualityComparer.Instance);

    /// <summary>Finds the chains.</summary>
    /// <param name="results">The values that they lead to.</param>
    /// <param name="depth">Levels of gates in a row that are no chain yet.</param>
    public GateChains(IEnumerable<Value> results, int depth)
    {
        var order = new List<Operation>();
        foreach (var result in results) Visit(result, order);
        var behind = new Dictionary<Value, int>(ReferenceEqualityComparer.Instance);
        foreach (var operation in order.AsEnumerable().Reverse())
        {
            if (LevelsOf(operation) is not { } own) continue;
            var follows = behind.GetValueOrDefault(operation);
            if (_before[operation] + follows > depth) _long.Add(operation);
            foreach (var operand in operation.Operands) behind[operand] = Math.Max(behind.GetValueOrDefault(operand), follows + own);
        }
    }

    /// <summary>Whether an operation is part of a chain.</summary>
    public bool Has(Operation operation) => _long.Contains(operation);

    private int Visit(Value value, List<Operation> order)
    {
        if (value is not Operation operation) return 0;
        if (_before.TryGetValue(value, out var known)) return known;
        var most = operation.Operands.Max(operand => Visit(operand, order));
        order.Add(operation);
        return _before[value] = LevelsOf(operation) is { } own ? most + own : 0;
    }

    /// <summary>The levels that a gate adds to a chain, none if it only moves bits; null for what breaks it.</summary>
    private static int? LevelsOf(Operation operation) => operation.Opcode switch
    {
        Opcode.Extract or Opcode.Concat or Opcode.ZeroExtend or Opcode.Truncate => 0,
        Opcode.And or Opcode.Or or Opcode.Xor when operation.Width > 1 => Delays.LevelsOf(operation),
        _ => null,
    };
}
