using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Says which values follow from the header alone: the bytes do not wait for a word of state, nor for what comes of
/// others that pass.
/// </summary>
/// <param name="waysTo">The values that a phi joins, each with the block that it comes from.</param>
internal sealed class HeaderValues(Func<Phi, IEnumerable<(Value Value, Block From)>> waysTo)
{
    private readonly Dictionary<Value, bool> _known = new(ReferenceEqualityComparer.Instance);

    /// <summary>True if a value follows from the header alone; not if it comes of a loop.</summary>
    public bool Has(Value value)
    {
        if (_known.TryGetValue(value, out var known)) return known;
        // What is asked for again meanwhile depends on itself.
        _known[value] = false;
        return _known[value] = value switch
        {
            Operation { State.Count: > 0 } or Operation { Opcode: Opcode.FrameFold } => false,
            Operation { Opcode: Opcode.FrameSum } sum when sum.Operands[1] is not Constant => false,
            Operation operation => operation.Operands.TrueForAll(Has),
            Phi phi => waysTo(phi).ToList() is var ways && ways.TrueForAll(way => Has(way.Value))
                && (ways.TrueForAll(way => Constant.AreSame(way.Value, ways[0].Value)) || ways.TrueForAll(way =>
                    way.From.Terminator is not Branch branch || Has(branch.Condition))),
            _ => true,
        };
    }
}
