using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// The few constants that a value can be, by its phis and choices (value-set analysis, Balakrishnan and Reps 2004).
/// </summary>
/// <param name="most">The most constants of a set.</param>
/// <param name="fieldRange">The numbers of a field of which each is one that it can be; null for other values.</param>
internal sealed class ValueSets(int most, Func<Operation, Interval?>? fieldRange = null)
{
    private readonly Dictionary<Value, SortedSet<UInt128>?> _known = new(ReferenceEqualityComparer.Instance);

    /// <summary>The numbers that a value can be; null if they are not known, or more than a few.</summary>
    public SortedSet<UInt128>? Of(Value value)
    {
        if (value is Constant constant) return [constant.Bits];
        if (_known.TryGetValue(value, out var known)) return known;
        _known[value] = null; // a value that depends on itself has no few numbers
        var set = value switch
        {
            Phi phi => Union(phi.Operands),
            Operation field when fieldRange?.Invoke(field) is { } range => AllOf(range),
            Operation { Opcode: Opcode.Select } choice => Union(choice.Operands.Skip(1)),
            Operation { IsEffect: false, ReadsState: false, Opcode: not Opcode.Input, Operands.Count: > 0 } operation =>
                Computed(operation),
            _ => null,
        };
        return _known[value] = set;
    }

    private SortedSet<UInt128>? AllOf(Interval range)
    {
        var all = new SortedSet<UInt128>();
        for (var bits = range.Min; bits <= range.Max && all.Count <= most; bits++) all.Add(bits);
        return all.Count <= most ? all : null;
    }

    private SortedSet<UInt128>? Union(IEnumerable<Value> values)
    {
        var all = new SortedSet<UInt128>();
        foreach (var value in values)
        {
            if (Of(value) is not { } set) return null;
            all.UnionWith(set);
        }
        return all.Count <= most ? all : null;
    }

    /// <summary>The results of an operation for all numbers that its operands can be.</summary>
    private SortedSet<UInt128>? Computed(Operation operation)
    {
        if (operation.Opcode == Opcode.FrameRead) return null;
        List<List<Value>> rows = [[]];
        foreach (var operand in operation.Operands)
        {
            if (Of(operand) is not { } set) return null;
            rows =
            [
                .. rows.SelectMany(row => set.Select(bits => (List<Value>)[.. row, new Constant(operand.Width, bits)])),
            ];
            if (rows.Count > most * most) return null;
        }
        var all = new SortedSet<UInt128>();
        foreach (var row in rows)
        {
            if (Folding.TryFold(new Operation(operation.Opcode, operation.Width, row) { Low = operation.Low })
                is not Constant folded)
                return null;
            all.Add(folded.Bits);
        }
        return all.Count <= most ? all : null;
    }
}
