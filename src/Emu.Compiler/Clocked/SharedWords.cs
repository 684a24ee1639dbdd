using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Clocked;

/// <summary>
/// The words that cycles read of a memory. It has one read port, so in each of them they are one value: what is
/// computed of it is there once.
/// </summary>
/// <param name="n">The netlist.</param>
internal sealed class SharedWords(Netlist n)
{
    private readonly Dictionary<Value, Value> _known = new(ReferenceEqualityComparer.Instance);

    /// <summary>Notes what a word is.</summary>
    public void Add(Wire word, Value port) => _known[word] = port;

    /// <summary>A value in terms of the read ports.</summary>
    public Value In(Value value)
    {
        if (value is not Operation operation) return _known.GetValueOrDefault(value, value);
        if (_known.TryGetValue(value, out var known)) return known;
        List<Value> operands = [.. operation.Operands.Select(In)];
        var isSame = operands.Index().All(operand => operand.Item == operation.Operands[operand.Index]);
        return _known[value] = isSame
            ? value
            : n.Make(new Operation(operation.Opcode, operation.Width, operands)
            {
                Low = operation.Low,
                Location = operation.Location,
            });
    }
}
