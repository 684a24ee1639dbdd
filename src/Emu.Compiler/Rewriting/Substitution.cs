using Emu.Compiler.IR;

namespace Emu.Compiler.Rewriting;

/// <summary>Values that are known to be others.</summary>
internal sealed class Substitution
{
    private readonly NodeTable<Value, Value> _known = new();

    /// <summary>True if there are none.</summary>
    public bool IsEmpty => _known.Count == 0;

    public void Add(Value value, Value other)
    {
        if (value != other) _known[value] = other;
    }

    /// <summary>A value is itself again.</summary>
    public void Remove(Value value) => _known.Remove(value);

    public Value Of(Value value)
    {
        while (_known.TryGetValue(value, out var other)) value = other;
        return value;
    }

    public void Resolve(List<Value> operands)
    {
        for (var i = 0; i < operands.Count; i++)
        {
            var now = Of(operands[i]);
            if (now != operands[i]) operands[i] = now;
        }
    }

    public Terminator Of(Terminator terminator) => terminator switch
    {
        Branch branch => Of(branch.Condition) is var now && now == branch.Condition
            ? branch
            : branch with { Condition = now },
        Return end => new Return(Of(end.Start), Of(end.Length), Of(end.Egress)),
        Yield turn => new Yield(Of(turn.IsLeft), [.. turn.Values.Select(Of)]),
        _ => terminator,
    };

    /// <summary>Replaces them everywhere in a function.</summary>
    public void Apply(Function function)
    {
        if (IsEmpty) return;
        foreach (var block in function.Blocks())
        {
            foreach (var phi in block.Phis) Resolve(phi.Operands);
            foreach (var operation in block.Operations) Resolve(operation.Operands);
            block.Terminator = Of(block.Terminator!);
        }
    }
}
